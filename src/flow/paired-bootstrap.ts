/** How two settings compare on the same questions. */
export interface Comparison {
  /** Mean of the second minus mean of the first. */
  readonly difference: number;
  /** In 95 of 100 resamples the difference is within these. */
  readonly low: number;
  readonly high: number;
  /** Questions that the second answers better, and worse. */
  readonly better: number;
  readonly worse: number;
}

const RESAMPLES = 10_000;

/** The same questions always give the same interval. */
const SEED = 20_261_130;

/**
 * A paired bootstrap: draws as many questions as there are, with replacement, again and again, and sees how the mean of the
 * differences varies. A gain is one to believe when the interval does not reach 0.
 * Source: Sakai, "Evaluating evaluation metrics based on the bootstrap" (SIGIR 2006).
 * @param before a metric of each question under the first setting, `after` under the second, in the same order.
 */
export function compare(before: readonly number[], after: readonly number[], resamples = RESAMPLES): Comparison {
  const differences = Float64Array.from(after, (value, i) => value - (before[i] ?? 0));
  const count = differences.length;
  const random = randomNumbers(SEED);
  const means = Float64Array.from({ length: count === 0 ? 0 : resamples }, () => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += differences[Math.floor(random() * count)] ?? 0;
    return sum / count;
  }).sort();
  const at = (share: number): number => means[Math.min(means.length - 1, Math.floor(share * means.length))] ?? 0;
  return {
    difference: differences.reduce((sum, value) => sum + value, 0) / Math.max(1, count),
    low: at(0.025),
    high: at(0.975),
    better: differences.filter((value) => value > 0).length,
    worse: differences.filter((value) => value < 0).length,
  };
}

/** Numbers from 0 to below 1. Source: Mulberry32, public domain, by Tommy Ettinger. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
