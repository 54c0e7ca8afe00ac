import { describe, expect, it } from "vitest";
import { compare } from "../../src/flow/paired-bootstrap.ts";

describe("compare", () => {
  it("counts what became better and worse", () => {
    const { difference, better, worse } = compare([0, 1, 0.5, 0.5], [1, 0.5, 0.5, 1]);
    expect([difference, better, worse]).toEqual([0.25, 2, 1]);
  });

  it("has an interval of one point when every question gains the same", () => {
    expect(compare([0, 0.5, 0.25], [0.25, 0.75, 0.5])).toEqual({
      difference: 0.25,
      low: 0.25,
      high: 0.25,
      better: 3,
      worse: 0,
    });
  });

  it("tells a gain that holds from one of chance", () => {
    const before = Array.from({ length: 200 }, (_, i) => (i % 2) / 2);
    const holds = compare(
      before,
      before.map((value, i) => value + (i % 4 === 0 ? 0 : 0.2)),
    );
    expect(holds.low).toBeGreaterThan(0.1);
    const chance = compare(
      before,
      before.map((value, i) => value + (i % 4 < 2 ? 0.3 : -0.29)),
    );
    expect(chance.low).toBeLessThan(0);
    expect(chance.high).toBeGreaterThan(0);
  });

  it("has the interval that the normal distribution gives for many questions", () => {
    // Half gain 1, half nothing: the standard error of the mean is 0.5 / sqrt(400) = 0.025.
    const { low, high } = compare(
      Array.from({ length: 400 }, () => 0),
      Array.from({ length: 400 }, (_, i) => i % 2),
    );
    expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
    expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
  });

  it("always gives the same, and 0 for no question", () => {
    expect(compare([0, 1, 0], [1, 1, 0])).toEqual(compare([0, 1, 0], [1, 1, 0]));
    expect(compare([], [])).toEqual({ difference: 0, low: 0, high: 0, better: 0, worse: 0 });
  });
});
