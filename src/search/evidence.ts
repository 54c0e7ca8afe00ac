import type { ChunkText } from "../domain/chunk.ts";
import { analyse } from "./analyser.ts";
import { TermFinder } from "./term-finder.ts";
import type { Query } from "./query.ts";

/** A query with what its terms weigh in this corpus: their weight in the query times how rare they are. */
export interface WeightedQuery extends Query {
  readonly weights: readonly number[];
}

/** What speaks for a chunk; each from 0 to 1. */
export interface ChunkEvidence {
  /** Share of the query's weight that the body has. */
  readonly body: number;
  /** Share of the weight of neighbouring words that stand near each other in the body. */
  readonly nearness: number;
  /** Share of the query's weight in the headings, and how much of the last heading the query is. */
  readonly headings: number;
  readonly lastHeading: number;
  readonly title: number;
  /** How much of the title the query is. */
  readonly titleFit: number;
  /** The query's terms that stand anywhere in the chunk, its headings or its title. */
  readonly found: Uint8Array;
}

/** Words farther apart than this say nothing together. */
const FARTHEST = 8;

/** What two words in the other order count. */
const REVERSED = 0.6;

export class EvidenceReader {
  readonly #query: WeightedQuery;
  readonly #places: ReadonlyMap<string, number>;
  readonly #total: number;
  readonly #finder: TermFinder;
  readonly #titles = new Map<string, Overlap>();
  readonly #headings = new Map<string, Overlap>();

  constructor(query: WeightedQuery) {
    this.#query = query;
    this.#places = new Map(query.terms.map(({ term }, i) => [term, i]));
    this.#finder = new TermFinder(query.terms.map(({ term }) => term));
    this.#total = query.weights.reduce((sum, weight) => sum + weight, 0) || 1;
  }

  read(chunk: ChunkText): ChunkEvidence {
    const positions = this.#finder.find(chunk.content);
    const found = Uint8Array.from(positions, (each) => (each.length > 0 ? 1 : 0));
    const body = this.share(found);
    const title = this.#overlap(this.#titles, chunk.title);
    const headings = this.#overlap(this.#headings, chunk.headings.join("\n"));
    const last = this.#overlap(this.#headings, chunk.headings.at(-1) ?? "");
    for (const overlap of [title, headings]) for (const place of overlap.places) found[place] = 1;
    return {
      body,
      nearness: this.#nearness(positions),
      headings: headings.share,
      lastHeading: last.share * last.fit,
      title: title.share,
      titleFit: title.share * title.fit,
      found,
    };
  }

  /** The share of the query's weight that the terms marked in `found` have. */
  share(found: Uint8Array): number {
    let sum = 0;
    for (const [i, weight] of this.#query.weights.entries()) if (found[i] === 1) sum += weight;
    return sum / this.#total;
  }

  #overlap(cache: Map<string, Overlap>, text: string): Overlap {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const terms = new Set(analyse(text));
    const places = [...terms].flatMap((term) => this.#places.get(term) ?? []);
    const share = places.reduce((sum, place) => sum + (this.#query.weights[place] ?? 0), 0) / this.#total;
    const overlap = { share, fit: terms.size === 0 ? 0 : places.length / terms.size, places };
    cache.set(text, overlap);
    return overlap;
  }

  #nearness(positions: readonly (readonly number[])[]): number {
    let sum = 0;
    let total = 0;
    for (const [a, b] of this.#query.pairs) {
      const weight = Math.min(this.#query.weights[a] ?? 0, this.#query.weights[b] ?? 0);
      total += weight;
      sum += weight * nearnessOf(positions[a] ?? [], positions[b] ?? []);
    }
    return total === 0 ? 0 : sum / total;
  }
}

interface Overlap {
  readonly share: number;
  readonly fit: number;
  readonly places: readonly number[];
}

/** 1 where the second follows the first at once, less the farther they are apart. Both ascending. */
function nearnessOf(first: readonly number[], second: readonly number[]): number {
  let best = 0;
  let j = 0;
  for (const a of first) {
    while (j < second.length && (second[j] ?? 0) < a - FARTHEST) j++;
    for (let k = j; k < second.length; k++) {
      const distance = (second[k] ?? 0) - a;
      if (distance > FARTHEST) break;
      if (distance > 0) best = Math.max(best, 1 / distance);
      else if (distance < 0) best = Math.max(best, REVERSED / -distance);
    }
    if (best === 1) break;
  }
  return best;
}
