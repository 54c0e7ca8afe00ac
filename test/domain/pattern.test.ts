import { expect, it } from "vitest";
import { compilePattern, expressionProblem, isExpression } from "../../src/domain/pattern.ts";

it("tells globs from regular expressions", () => {
  expect(["/a/", "/^https:\\/\\/a/", "/", "//", "**/a", "/a"].map(isExpression)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(compilePattern("**/a")("https://x.example/a")).toBe(true);
  expect(compilePattern("/A$/")("https://x.example/a")).toBe(false);
});

it.each([
  ["/(a)\\1/", /has a back-reference, which cannot be matched in linear time/],
  ["/a(?=b)/", /has look-around, which cannot be matched in linear time/],
  ["/(?<!a)b/", /has look-around/],
  ["/(/", /is no regular expression that is understood: missing closing \)/],
  ["/a{5000}/", /invalid repeat count/],
  ["**/a", /these stand between slashes/],
])("%s cannot be used, and says why", (pattern, problem) => {
  expect(expressionProblem(pattern)).toMatch(problem);
});

it("has nothing to say of what can be used", () => {
  expect(expressionProblem("/\\/v\\d+(\\.x)?\\//")).toBeUndefined();
});
