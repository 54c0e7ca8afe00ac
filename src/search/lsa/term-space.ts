import { seededRandom, rightSingularVectors, type SparseRows } from "./svd.ts";

/** Numbers of a vector. More made nothing better on the collections that it was measured on, and cost room and time. */
export const DIMENSIONS = 64;

/** The most frequent of the sample. */
const MAX_TERMS = 20_000;

/** A term of fewer chunks has no company to be known by. */
const LEAST_CHUNKS = 2;

/** A term that more than this share of the chunks has says nothing of any. */
const COMMON_SHARE = 0.3;

const SEED = 42;

/** Terms of chunks, gathered term by term. A chunk is a number from 0. */
export interface Sample {
  readonly chunks: number;
  readonly terms: readonly SampledTerm[];
}

export interface SampledTerm {
  readonly term: string;
  readonly chunks: Uint32Array;
  /** How often it stands in each of them; more than none. */
  readonly counts: Uint8Array;
}

/** A term's place in the space: `scale` times the vector's whole numbers is what one weighted occurrence adds. */
export interface PlacedTerm {
  readonly scale: number;
  readonly vector: Int8Array;
}

export type TermSpace = ReadonlyMap<string, PlacedTerm>;

/** What an occurrence count counts. */
export function localWeight(count: number): number {
  return Math.log1p(count);
}

/**
 * Latent semantic analysis of a sample: terms that stand in the same company get vectors that point the same way. Counts are
 * weighted by their logarithm and by the entropy of the term (Dumais 1991): one that is spread evenly tells nothing.
 * The same sample always gives the same.
 */
export function makeTermSpace({ chunks, terms }: Sample): TermSpace {
  const used = terms
    .filter((each) => each.chunks.length >= LEAST_CHUNKS && each.chunks.length <= COMMON_SHARE * chunks)
    .toSorted((a, b) => b.chunks.length - a.chunks.length || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_TERMS);
  const weights = used.map((each) => entropyWeight(each, chunks));
  const vectors = rightSingularVectors(weightedRows(used, weights, chunks), DIMENSIONS, seededRandom(SEED));
  return new Map(
    used.map(({ term }, i) => {
      const own = vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
      const greatest = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      return [term, { scale: ((weights[i] ?? 0) * greatest) / 127, vector: quantised(own) }];
    }),
  );
}

/** The direction of a vector in whole numbers from -127 to 127; its length is lost. */
export function quantised(vector: Float32Array): Int8Array {
  const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return greatest === 0
    ? new Int8Array(vector.length)
    : Int8Array.from(vector, (value) => Math.round((value * 127) / greatest));
}

/** Adds what so many occurrences of a term say to the vector that begins at a place. */
export function addTerm(sum: Float32Array, from: number, { scale, vector }: PlacedTerm, count: number): void {
  const weight = localWeight(count) * scale;
  for (let k = 0; k < DIMENSIONS; k++) sum[from + k] = (sum[from + k] as number) + weight * (vector[k] as number);
}

function entropyWeight({ counts }: SampledTerm, chunks: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const entropy = counts.reduce((sum, count) => sum - (count / all) * Math.log(count / all), 0);
  return Math.max(0, 1 - entropy / Math.log(Math.max(2, chunks)));
}

/** The chunks as rows of length 1, so that long ones do not rule. */
function weightedRows(terms: readonly SampledTerm[], weights: readonly number[], chunks: number): SparseRows {
  const begins = new Uint32Array(chunks + 1);
  for (const term of terms) for (const chunk of term.chunks) begins[chunk + 1] = (begins[chunk + 1] as number) + 1;
  for (let i = 0; i < chunks; i++) begins[i + 1] = (begins[i + 1] as number) + (begins[i] as number);
  const size = begins[chunks] as number;
  const [places, values, next] = [new Uint32Array(size), new Float32Array(size), begins.slice()];
  for (const [place, term] of terms.entries()) {
    for (const [i, chunk] of term.chunks.entries()) {
      const to = next[chunk] as number;
      next[chunk] = to + 1;
      places[to] = place;
      values[to] = localWeight(term.counts[i] as number) * (weights[place] as number);
    }
  }
  for (let row = 0; row < chunks; row++) {
    const own = values.subarray(begins[row], begins[row + 1]);
    const length = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let i = 0; i < own.length; i++) own[i] = (own[i] as number) / length;
  }
  return { columns: terms.length, begins, places, values };
}
