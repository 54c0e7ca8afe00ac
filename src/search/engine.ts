import { pairsOf } from "./analyser.ts";
import type { DocumentConditions, DocumentTable } from "./document-table.ts";
import { fromUnits, scoreSegment } from "./max-score.ts";
import { mergeSegments, segmentsToMerge } from "./merge.ts";
import type { Engine } from "./orama.ts";
import type { WeightedQuery } from "./evidence.ts";
import type { QueryTerm } from "./query.ts";
import { parseQuery } from "./query.ts";
import type { Presence } from "./presence.ts";
import { presenceOf } from "./presence.ts";
import { buildSegment } from "./segment-builder.ts";
import type { SegmentStore } from "./segment-store.ts";
import type { IndexedChunk, Segment } from "./segment.ts";
import { ordinalOf } from "./segment.ts";
import type { KnownTerm } from "./spelling.ts";
import { allowedSlips, beginnings, correctionOf, MAX_SLIPS, mayBeMisspelt, nearestTerms } from "./spelling.ts";
import { TopHits } from "./top-hits.ts";
import type { Weights } from "./weights.ts";
import { fieldWeights, inverseFrequency, LENGTH_OF_CODE, lengthCode, occurrenceWeights } from "./weights.ts";

/** Candidates that the postings yield, to be ranked again from their text. */
export const CANDIDATES = 100;

/** So many postings are read in a few milliseconds: then no word is left out. */
const MAX_POSTINGS = 200_000;

/** A word that more than this share of the chunks has is left out of the search when this many others are found. */
const COMMON_SHARE = 0.3;
const LEAST_TELLING = 2;

/** Other words for those asked for may cost so many postings, rarest first: in a large corpus few are worth theirs. */
const MAX_ALTERNATIVE_POSTINGS = 50_000;

/** What a corrected word counts beside one that was written right. */
const CORRECTED_WEIGHT = 0.8;

/** The engine behind Orama's components: block postings in SQLite, ranked by BM25F. */
export class PostingsEngine implements Engine {
  /** Looks at every posting; for comparison. */
  exhaustive = false;
  /** How many rows `rank` gives at most. */
  depth = CANDIDATES;
  /** Documents that `rank` may give; all, when it is undefined. */
  within: ReadonlySet<number> | undefined = undefined;
  #prepared: WeightedQuery | undefined;
  readonly #documents: DocumentTable;
  readonly #store: SegmentStore;
  readonly #weights: Weights;
  readonly #fields: Float64Array;
  #added: IndexedChunk[] = [];
  /** Ordinals that were removed in this transaction, by segment. */
  #removed = new Map<Segment, Set<number>>();

  constructor(store: SegmentStore, documents: DocumentTable, weights: Weights) {
    this.#documents = documents;
    this.#store = store;
    this.#weights = weights;
    this.#fields = fieldWeights(weights);
  }

  /** What was added in this transaction. */
  get added(): readonly IndexedChunk[] {
    return this.#added;
  }

  add(chunk: IndexedChunk): void {
    this.#added.push(chunk);
  }

  remove(row: number): boolean {
    const found = this.#find(row);
    if (found === undefined) return false;
    const removed = this.#removed.get(found.segment);
    if (removed === undefined) this.#removed.set(found.segment, new Set([found.ordinal]));
    else removed.add(found.ordinal);
    return true;
  }

  documentOf(row: number): number | undefined {
    const found = this.#find(row);
    return found?.segment.documents[found.ordinal];
  }

  count(): number {
    return this.#store.live.chunks;
  }

  /** Writes what was added and removed as a new segment, and merges. Call it in a writing transaction. */
  flush(): void {
    for (const [segment, ordinals] of this.#removed) {
      this.#store.setDeleted(segment, Uint32Array.from([...segment.deleted, ...ordinals]).sort());
    }
    const { chunks, length } = this.#liveAfter();
    const mean = Math.max(1, length / Math.max(1, chunks));
    const weights = { fields: this.#fields, occurrences: occurrenceWeights(this.#weights, mean) };
    if (this.#added.length > 0) {
      const data = buildSegment(this.#added);
      this.#store.add(data, { ...weights, lengthCodes: data.lengthCodes }, mean);
    }
    const added = this.#added.length;
    this.discard();
    this.#store.committed();
    for (let merged = segmentsToMerge(this.#store.segments, added); merged.length > 0;) {
      mergeSegments(this.#store, merged, weights, mean);
      this.#store.committed();
      merged = segmentsToMerge(this.#store.segments, added);
    }
  }

  /** Forgets what was added and removed and is not written. */
  discard(): void {
    this.#added = [];
    this.#removed = new Map();
  }

  /** Reads a query, and weighs its terms by how rare they are. Terms that stand nowhere weigh most. */
  prepare(text: string): WeightedQuery {
    const query = parseQuery(text, (term) => this.#frequency(term) > 0);
    const chunks = this.#store.live.chunks;
    const asked = new Set(query.terms.map(({ term }) => term));
    const terms: QueryTerm[] = [];
    const corrected = new Map<string, string>();
    const moved = query.terms.map((term) => terms.push(...this.#inCorpus(term, asked, corrected)) - 1);
    const pairs = query.pairs.map(([a, b]): [number, number] => [moved[a] ?? a, moved[b] ?? b]);
    const weights = terms.map(({ term, weight }) => weight * inverseFrequency(chunks, this.#frequency(term)));
    this.#prepared = { ...query, terms, pairs, weights, corrected };
    return this.#prepared;
  }

  /** A word that is nowhere is taken for the one that it clearly stands for, or for pairs of its characters. */
  #inCorpus(asked: QueryTerm, others: ReadonlySet<string>, corrected: Map<string, string>): readonly QueryTerm[] {
    const { term, weight } = asked;
    if (this.#frequency(term) > 0) return [asked];
    const pairs = pairsOf(term).filter((pair) => !others.has(pair));
    if (pairs.length > 0) return pairs.map((pair) => ({ ...asked, term: pair, weight: weight / pairs.length }));
    if (!mayBeMisspelt(term)) return [asked];
    const right = correctionOf(term, this.#like(term, allowedSlips(term)));
    if (right === undefined || others.has(right)) return [asked];
    corrected.set(term, right);
    return [{ ...asked, term: right, weight: weight * CORRECTED_WEIGHT }];
  }

  /** Terms that are written much like one that is nowhere, nearest first; a correction would be the first of them. */
  nearest(term: string): readonly string[] {
    return this.has(term) || !mayBeMisspelt(term) ? [] : nearestTerms(term, this.#like(term, MAX_SLIPS));
  }

  #like(term: string, slips: number): readonly KnownTerm[] {
    return beginnings(term).flatMap((each) => this.#store.termsLike(each, term.length - slips, term.length + slips));
  }

  /** Ranks by a query that was prepared: `text` is that of its words. */
  rank(text: string, allowed: ReadonlySet<number> | undefined): [number, number][] {
    const query = this.#prepared?.text === text ? this.#prepared : this.prepare(text);
    const { chunks, length } = this.#store.live;
    const ideal = query.weights.reduce((sum, weight) => sum + weight, 0);
    if (chunks === 0 || ideal === 0) return [];
    const terms = this.#telling(query).map((i) => ({
      term: query.terms[i]?.term ?? "",
      weight: query.weights[i] ?? 0,
    }));
    const mean = Math.max(1, length / chunks);
    const scoring = {
      fields: this.#fields,
      occurrences: occurrenceWeights(this.#weights, mean),
      k1: this.#weights.k1,
      mean,
      exhaustive: this.exhaustive,
    };
    const top = new TopHits(this.depth);
    const permitted = both(allowed, this.within);
    for (const segment of this.#store.segments) {
      const lists = terms.map(({ term }) => this.#store.postings(segment, term)?.postings);
      scoreSegment(segment, terms, lists, scoring, permitted, top);
    }
    return top.sorted().map(({ row, score }) => [row, fromUnits(score) / ideal]);
  }

  /** Where terms stand in chunks, by their places. */
  presence(terms: readonly string[], rows: readonly number[]): ReadonlyMap<number, Presence> {
    return presenceOf(this.#store, terms, rows);
  }

  /** Whether a term stands anywhere. */
  has(term: string): boolean {
    return this.#frequency(term) > 0;
  }

  /**
   * The terms to search by, as places in the query. Words that many chunks have cost most and tell least: they are left
   * out when there is too much to read and others remain. The texts of what is found are then ranked by all of them.
   */
  #telling({ terms }: WeightedQuery): readonly number[] {
    const chunks = this.#store.live.chunks;
    const places = [...terms.keys()];
    const frequencies = terms.map(({ term }) => this.#frequency(term));
    if (frequencies.reduce((sum, each) => sum + each, 0) <= MAX_POSTINGS) return places;
    const frequency = (place: number): number => frequencies[place] ?? 0;
    const words = places.filter(
      (place) => terms[place]?.role === "word" && frequency(place) > 0 && frequency(place) <= chunks * COMMON_SHARE,
    );
    const asked =
      words.length >= LEAST_TELLING ? words : places.filter((place) => terms[place]?.role !== "alternative");
    let postings = 0;
    const alternatives = places
      .filter((place) => terms[place]?.role === "alternative" && frequency(place) > 0)
      .sort((a, b) => frequency(a) - frequency(b) || a - b)
      .filter((place) => (postings += frequency(place)) <= MAX_ALTERNATIVE_POSTINGS);
    return [...asked, ...alternatives];
  }

  /** The documents that conditions and `within` leave; undefined for all. */
  allowed(conditions: DocumentConditions): ReadonlySet<number> | undefined {
    return both(this.#documents.select(conditions, this.#store.version), this.within);
  }

  /** All chunks that are there. */
  live(): readonly { readonly row: number; readonly document: number }[] {
    const chunks: { row: number; document: number }[] = [];
    for (const { rows, documents, deletedMask } of this.#store.segments)
      for (const [i, row] of rows.entries())
        if (deletedMask?.[i] !== 1) chunks.push({ row, document: documents[i] as number });
    return chunks;
  }

  select(conditions: DocumentConditions): ReadonlySet<number> {
    return this.#documents.select(conditions, this.#store.version) ?? new Set();
  }

  #frequency(term: string): number {
    return this.#store.segments.reduce((sum, segment) => sum + (this.#store.postings(segment, term)?.live ?? 0), 0);
  }

  #find(row: number): { readonly segment: Segment; readonly ordinal: number } | undefined {
    for (const segment of this.#store.segments) {
      const ordinal = ordinalOf(segment, row);
      if (ordinal >= 0 && this.#removed.get(segment)?.has(ordinal) !== true) return { segment, ordinal };
    }
    return undefined;
  }

  #liveAfter(): { readonly chunks: number; readonly length: number } {
    let { chunks, length } = this.#store.live;
    for (const chunk of this.#added) {
      chunks++;
      length += LENGTH_OF_CODE[lengthCode(chunk.bodyTerms.length)] ?? 0;
    }
    for (const [segment, ordinals] of this.#removed) {
      for (const ordinal of ordinals) {
        chunks--;
        length -= LENGTH_OF_CODE[segment.lengthCodes[ordinal] ?? 0] ?? 0;
      }
    }
    return { chunks, length };
  }
}

/** The documents that are in two sets; undefined is the set of all. */
function both(a: ReadonlySet<number> | undefined, b: ReadonlySet<number> | undefined): ReadonlySet<number> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a].filter((document) => b.has(document)));
}
