import { expect, it } from "vitest";
import { didYouMean, nearest } from "../../src/domain/nearest.ts";

it.each([
  ["exlude", "exclude"],
  ["inlcude", "include"],
  ["TITLE", "title"],
])("%s is near %s", (word, best) => {
  expect(nearest(word, ["exclude", "include", "title", "type"])).toEqual([best]);
});

it("says nothing where nothing is near", () => {
  expect(nearest("zebra", ["exclude", "include"])).toEqual([]);
  expect(didYouMean("zebra", ["exclude"])).toBe("");
  expect(didYouMean("exlude", ["exclude"])).toBe(' Did you mean "exclude"?');
});
