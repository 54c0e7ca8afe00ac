import type { ChunkText } from "../domain/chunk.ts";
import { analyse } from "./analyser.ts";
import { isUnspaced } from "./characters.ts";
import { headsOf } from "./heads.ts";
import type { LinkText } from "./document-table.ts";
import type { Presence } from "./presence.ts";
import { TermFinder } from "./term-finder.ts";
import type { Query } from "./query.ts";
import { IN_HEADINGS } from "./weights.ts";

/** A query with what its terms weigh in this corpus: their weight in the query times how rare they are. */
export interface WeightedQuery extends Query {
  readonly weights: readonly number[];
  /** Terms that are nowhere, and those that they were taken for. */
  readonly corrected: ReadonlyMap<string, string>;
}

/** What speaks for a chunk; each from 0 to 1. */
export interface ChunkEvidence {
  /** Share of the query's weight that the body has. */
  readonly body: number;
  /** Share of the query's weight in the headings, and how much of the last heading the query is. */
  readonly headings: number;
  readonly lastHeading: number;
  /** How well an entry's head, together with the title and the headings, is what the query asks for. */
  readonly head: number;
  readonly title: number;
  /** How much of the title the query is. */
  readonly titleFit: number;
  /** The query's terms that stand anywhere in the chunk, its headings or its title. */
  readonly found: Uint8Array;
}

/** Words farther apart than this say nothing together. */
const FARTHEST = 8;

/** A head that has less of the query's weight is not what was asked for, however well the rest fits. */
const TELLING_SHARE = 0.7;

/**
 * Heads count by this power of how well they fit: one that is all of what was asked counts in full, one that is half of a question
 * hardly, for lists have many heads and some word of a question is in most.
 */
const WHOLE = 4;

/** Heads that count less than this are not looked for. */
const LEAST_HEAD = 0.01;

/** The entry of a posting is at least this when the term stands in the body. */
const LEAST_IN_BODY = 8;

/** What so many pages say of another in their links counts for half of what all say. */
const DOUBTFUL_LINKS = 1;

/** What two words in the other order count. */
const REVERSED = 0.6;

export class EvidenceReader {
  readonly #query: WeightedQuery;
  readonly #places: ReadonlyMap<string, number>;
  readonly #total: number;
  /** The weights of the query's own words; 0 for its other terms. */
  readonly #words: readonly number[];
  readonly #ofWords: number;
  readonly #finder: TermFinder;
  readonly #unspaced: readonly (readonly [place: number, term: string])[];
  readonly #titles = new Map<string, Overlap>();
  readonly #headings = new Map<string, Overlap>();

  constructor(query: WeightedQuery) {
    this.#query = query;
    this.#places = new Map(query.terms.map(({ term }, i) => [term, i]));
    this.#finder = new TermFinder(query.terms.map(({ term }) => term));
    this.#unspaced = query.terms.flatMap(({ term }, i): [number, string][] => (isUnspaced(term) ? [[i, term]] : []));
    this.#total = query.weights.reduce((sum, weight) => sum + weight, 0) || 1;
    this.#words = query.terms.map(({ role }, i) => (role === "word" ? (query.weights[i] ?? 0) : 0));
    this.#ofWords = this.#words.reduce((sum, weight) => sum + weight, 0) || 1;
  }

  /** @param presence where the query's terms stand in the chunk, so that its body need not be read. */
  read(chunk: ChunkText, presence: Presence): ChunkEvidence {
    const found = presence.map((entry) => (entry >= LEAST_IN_BODY ? 1 : 0));
    // What is written without spaces may be cut into other words in the text than in the query.
    for (const [place, term] of this.#unspaced) if (chunk.content.includes(term)) found[place] = 1;
    const body = this.share(found);
    const title = this.#overlap(this.#titles, chunk.title);
    const headings = this.#overlap(this.#headings, chunk.headings.join("\n"));
    const last = this.#overlap(this.#headings, chunk.headings.at(-1) ?? "");
    const above = new Uint8Array(found.length);
    for (const overlap of [title, headings]) for (const place of overlap.places) found[place] = above[place] = 1;
    return {
      body,
      headings: headings.share,
      lastHeading: last.share * last.fit,
      head: this.#bestHead(chunk.content, above, presence),
      title: title.share,
      titleFit: title.share * title.fit,
      found,
    };
  }

  /** How well what links to the page say is what the query asks for: the best of them, the better the more pages say so. */
  linkTexts(texts: readonly LinkText[]): number {
    let best = 0;
    for (const { text, pages } of texts) {
      const { share, fit } = this.#overlap(this.#headings, text);
      best = Math.max(best, share * fit * (pages / (pages + DOUBTFUL_LINKS)));
    }
    return best;
  }

  /** Share of the weight of neighbouring words that stand near each other in the body, which is read for it. */
  nearness({ content }: ChunkText): number {
    const positions = this.#finder.find(content);
    let sum = 0;
    let total = 0;
    for (const [a, b] of this.#query.pairs) {
      const weight = Math.min(this.#query.weights[a] ?? 0, this.#query.weights[b] ?? 0);
      total += weight;
      sum += weight * nearnessOf(positions[a] ?? [], positions[b] ?? []);
    }
    return total === 0 ? 0 : sum / total;
  }

  /** The share of the query's weight that the terms marked in `found` have. */
  share(found: Uint8Array): number {
    let sum = 0;
    for (const [i, weight] of this.#query.weights.entries()) if (found[i] === 1) sum += weight;
    return sum / this.#total;
  }

  /** The head that fits best: as a heading would, but that what it does not say may be said above it. */
  #bestHead(content: string, above: Uint8Array, presence: Presence): number {
    // The heads are indexed with the headings: what is there of the query is the most that one of them can have.
    const inHeads = (place: number): boolean => ((presence[place] ?? 0) & IN_HEADINGS) !== 0;
    const most =
      this.#wordShare((place) => above[place] === 1 || inHeads(place)) *
      Math.min(1, this.#wordShare(inHeads) / TELLING_SHARE);
    if (most ** WHOLE < LEAST_HEAD) return 0;
    const aboveShare = this.#wordShare((place) => above[place] === 1);
    let best = 0;
    for (const head of headsOf(content)) {
      const { share, fit, places } = this.#overlap(this.#headings, head);
      if (share === 0) continue;
      const own = this.#wordShare((place) => places.includes(place));
      const added = this.#wordShare((place) => above[place] !== 1 && places.includes(place));
      best = Math.max(best, fit * (aboveShare + added) * Math.min(1, own / TELLING_SHARE));
    }
    return best ** WHOLE;
  }

  /** The share that terms have of the weight of the query's own words, without glue and without other words for them. */
  #wordShare(isFound: (place: number) => boolean): number {
    return (
      this.#words.reduce((sum, weight, place) => (weight > 0 && isFound(place) ? sum + weight : sum), 0) / this.#ofWords
    );
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
