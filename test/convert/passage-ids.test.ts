import { expect, it } from "vitest";
import { PassageIds } from "../../src/convert/chunk/passage-ids.ts";

it("a passage keeps its id wherever it stands, and one that repeats takes the next number", () => {
  const [one, other] = [new PassageIds(), new PassageIds()];
  const first = one.of("An egg.");
  other.of("A nest.");
  expect(other.of("An egg.")).toBe(first);
  expect(Number(one.of("An egg.").slice(1)) - Number(first.slice(1))).toBe(1);
});

it("many equal passages take a time in proportion to their number", () => {
  const PASSAGES = 30_000;
  const MOST_CPU_MS = 3000;
  const ids = new PassageIds();
  const seen = new Set<string>();
  const before = process.cpuUsage();
  for (let i = 0; i < PASSAGES; i++) seen.add(ids.of("An egg."));
  const { user, system } = process.cpuUsage(before);
  expect(seen.size).toBe(PASSAGES);
  expect((user + system) / 1000).toBeLessThan(MOST_CPU_MS);
});
