import { describe, expect, it } from "vitest";
import { correctionOf, editDistance, mayBeMisspelt } from "../../src/search/spelling.ts";

describe("editDistance", () => {
  it.each([
    ["receiv", "receiv", 0],
    ["reciev", "receiv", 1],
    ["conect", "connect", 1],
    ["authentification", "authentication", 2],
    ["cat", "dog", Infinity],
    ["", "ab", 2],
  ])("%s to %s is %d", (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(distance);
    expect(editDistance(b, a, 2)).toBe(distance);
  });
});

describe("correctionOf", () => {
  const known = (counts: Record<string, number>) => Object.entries(counts).map(([term, chunks]) => ({ term, chunks }));

  it("takes the nearest word", () => {
    expect(correctionOf("conect", known({ connect: 5, correct: 500 }))).toBe("connect");
  });

  it("takes one that is much more common than others as near, and else none", () => {
    expect(correctionOf("portt", known({ port: 90, porta: 3 }))).toBe("port");
    expect(correctionOf("portt", known({ port: 90, porta: 80 }))).toBeUndefined();
  });

  it("takes nothing from afar", () => {
    expect(correctionOf("kubernetes", known({ kitchen: 10 }))).toBeUndefined();
    expect(correctionOf("fooo", known({ fo: 10 }))).toBeUndefined();
  });

  it("is for plain words", () => {
    expect(mayBeMisspelt("conect")).toBe(true);
    for (const term of ["max_sze", "v12345", "a->b", "car", "文件系统", "कैसे"]) expect(mayBeMisspelt(term)).toBe(false);
  });
});
