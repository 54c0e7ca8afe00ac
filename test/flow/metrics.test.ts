import { describe, expect, it } from "vitest";
import { meanOf, measure } from "../../src/flow/metrics.ts";

const log2 = Math.log2;

describe("measure", () => {
  it("gives 1 throughout for the best order", () => {
    const best = measure(
      ["a", "b", "x"],
      new Map([
        ["a", 1],
        ["b", 1],
      ]),
    );
    expect(Object.values(best)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("gives what is reckoned by hand", () => {
    // Right at ranks 2 and 4, a third not found. Best order: three first.
    const found = measure(
      ["x", "a", "y", "b"],
      new Map([
        ["a", 1],
        ["b", 1],
        ["c", 1],
      ]),
    );
    const ideal = 1 + 1 / log2(3) + 1 / log2(4);
    expect(found["ndcg@10"]).toBeCloseTo((1 / log2(3) + 1 / log2(5)) / ideal, 12);
    expect(found["mrr@10"]).toBe(1 / 2);
    expect([found["hit@1"], found["hit@5"], found["hit@9"]]).toEqual([0, 1, 1]);
    expect([found["recall@10"], found["recall@100"]]).toEqual([2 / 3, 2 / 3]);
    expect(found.map).toBeCloseTo((1 / 2 + 2 / 4) / 3, 12);
  });

  it("weighs by how relevant a document is", () => {
    const found = measure(
      ["a", "b"],
      new Map([
        ["a", 1],
        ["b", 3],
      ]),
    );
    expect(found["ndcg@10"]).toBeCloseTo((1 + 3 / log2(3)) / (3 + 1 / log2(3)), 12);
  });

  it("looks no deeper than it says", () => {
    const ranking = Array.from({ length: 120 }, (_, i) => `x${i}`);
    const at = (rank: number) => measure(ranking.with(rank - 1, "a"), new Map([["a", 1]]));
    expect([at(9)["hit@9"], at(10)["hit@9"], at(10)["mrr@10"], at(11)["mrr@10"]]).toEqual([1, 0, 0.1, 0]);
    expect([at(11)["ndcg@10"], at(11)["recall@10"], at(11)["recall@100"], at(101)["recall@100"]]).toEqual([0, 0, 1, 0]);
    expect(at(101).map).toBeCloseTo(1 / 101, 12);
  });

  it("counts a document once, where it stands first", () => {
    expect(measure(["x", "x", "a", "a"], new Map([["a", 1]]))["mrr@10"]).toBe(1 / 2);
  });

  it("gives 0 when nothing is relevant or nothing was found", () => {
    expect(Object.values(measure(["a"], new Map()))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(Object.values(measure([], new Map([["a", 1]])))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("meanOf", () => {
  it("is the mean of each metric, and 0 of none", () => {
    const right = new Map([["a", 1]]);
    expect(meanOf([measure(["a"], right), measure(["x", "a"], right)])["mrr@10"]).toBe(0.75);
    expect(Object.values(meanOf([]))).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
