import { expect, it } from "vitest";
import { NO_COUNTS } from "../../src/domain/run.ts";
import { isTelling } from "../../src/flow/verdict.ts";

it.each([
  ["all answered", { unchanged: 10 }, true],
  ["one page of a small site fails", { unchanged: 3, failed: 1 }, true],
  ["one fails and one is gone", { unchanged: 1, gone: 1, failed: 1 }, true],
  ["half of two pages fail", { gone: 1, failed: 1 }, false],
  ["nothing answers", { failed: 1 }, false],
  ["two of ten fail", { unchanged: 8, failed: 2 }, false],
  ["one of twenty fails", { unchanged: 950, failed: 50 }, true],
  ["more than that fail", { unchanged: 949, failed: 51 }, false],
  ["a limit left URLs out", { fetched: 10, leftOut: 1_000 }, true],
])("when %s, it tells what is gone or does not", (_, counts, expected) => {
  expect(isTelling({ ...NO_COUNTS, ...counts }, "due", 0.2)).toBe(expected);
});

it("allows no more failures than the source may lose", () => {
  const counts = { ...NO_COUNTS, unchanged: 980, failed: 20 };
  expect(isTelling(counts, "due", 0.02)).toBe(true);
  expect(isTelling(counts, "due", 0.01)).toBe(false);
});

it("tells nothing when it asked for what had failed alone", () => {
  expect(isTelling({ ...NO_COUNTS, unchanged: 10 }, "failed", 0.2)).toBe(false);
  expect(isTelling({ ...NO_COUNTS, unchanged: 10 }, "all", 0.2)).toBe(true);
});
