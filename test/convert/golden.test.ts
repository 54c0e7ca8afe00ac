import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { convertAtOnce } from "../../src/convert/convert-page.ts";

const FOLDER = new URL("../golden/", import.meta.url);
const UPDATE = process.env["UPDATE_GOLDEN"] === "1";

/** Pages in the shape of each generator's: `NAME.html` becomes `NAME.md`, and `NAME.json` holds the rest of the document. */
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.slice(0, -".html".length));

/** What a file must hold. A file that is missing fails; UPDATE_GOLDEN=1 writes it. */
function expectGolden(name: string, actual: string): void {
  const file = new URL(name, FOLDER);
  if (UPDATE) writeFileSync(file, actual);
  expect(existsSync(file), `${name} is missing; write it with UPDATE_GOLDEN=1`).toBe(true);
  expect(actual).toBe(readFileSync(file, "utf8"));
}

describe("golden pages", () => {
  it("are there for the common generators", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(12);
  });

  it.each(NAMES)("%s", (name) => {
    const conversion = convertAtOnce({
      url: `https://tern.example/docs/${name}.html`,
      contentType: "text/html; charset=utf-8",
      body: readFileSync(new URL(`${name}.html`, FOLDER)),
      options: { remove: [] },
      aliases: [],
    });
    expect(conversion.kind).toBe("document");
    if (conversion.kind !== "document") return;
    const { kind: _, content, chunks, ...rest } = conversion;
    expectGolden(`${name}.md`, `${content}\n`);
    const cut = chunks.map(({ id, headings, anchor, anchors, content: text }) => ({
      id,
      headings,
      anchor,
      anchors: anchors.map(([anchorId, at]) => `${anchorId}@${at}`).join(" "),
      characters: text.length,
    }));
    expectGolden(`${name}.json`, `${JSON.stringify({ ...rest, chunks: cut }, undefined, 2)}\n`);
  });
});
