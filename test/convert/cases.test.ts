import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { convertFragment } from "../../src/convert/html-page.ts";

interface Case {
  readonly id: string;
  readonly html: string;
  readonly expected: string;
  /** Other outputs that are right. */
  readonly alt?: readonly string[];
  /** What links are resolved against; without it they are left alone. */
  readonly base?: string;
  readonly note: string;
}

const CASES = readFileSync(new URL("cases.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Case);

describe("fragments", () => {
  it.each(CASES.map((one) => [one.id, one] as const))("%s", (_id, { html, expected, alt = [], base, note }) => {
    const markdown = convertFragment(html, base);
    // The first form is the one to show when none fits.
    expect([expected, ...alt].find((right) => right === markdown) ?? markdown, note).toBe(
      alt.includes(markdown) ? markdown : expected,
    );
  });
});
