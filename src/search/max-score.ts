import type { Postings } from "./postings.ts";
import { BLOCK_SIZE } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { find } from "./segment.ts";
import type { TopHits } from "./top-hits.ts";

/**
 * What a term adds to a score is rounded to a multiple of one in this many, and added as an integer: so a sum is the
 * same in whatever order it is made, and the ranking does not depend on how the index came about.
 */
const SCORE_UNITS = 1_000_000;

/** Ordinals that are looked at together. Smaller windows have tighter bounds and cost more to set up. */
const WINDOW = 2048;

/** One term of a query, the same for all segments. */
export interface ScoredTerm {
  /** Inverse document frequency times the term's weight in the query. */
  readonly weight: number;
}

/** What scores a posting; constant for a query. */
export interface Scoring {
  readonly fields: Float64Array;
  readonly occurrences: Float64Array;
  readonly k1: number;
  /** The mean length that `occurrences` was made with. */
  readonly mean: number;
  /** Looks at every posting, for comparison. */
  readonly exhaustive: boolean;
}

/** Sums of the chunks of a window, by ordinal minus the window's first; all 0 between windows. */
const sums = new Float64Array(WINDOW);
/** The places of chunks in the window that have a sum. */
const touched = new Uint16Array(WINDOW);

/** With more candidates than this in a window a term's postings are read through; with fewer, each is looked up. */
const MOST_LOOKED_UP = 24;

/**
 * Offers the best chunks of a segment to `top`: BM25F over `terms`, of which `lists` are the postings, undefined where a
 * term does not occur. Terms whose bounds together cannot lift a chunk into the top are only looked up for chunks that
 * other terms have found, and blocks that cannot matter are not read; the outcome is that of looking at everything.
 * Source: MaxScore of Turtle and Flood (1995), with block bounds as in Ding and Suel (2011).
 */
export function scoreSegment(
  segment: Segment,
  terms: readonly ScoredTerm[],
  lists: readonly (Postings | undefined)[],
  scoring: Scoring,
  allowed: ReadonlySet<number> | undefined,
  top: TopHits,
): void {
  const cursors = lists.flatMap((postings, i) =>
    postings === undefined ? [] : [new Cursor(postings, terms[i]?.weight ?? 0, segment, scoring)],
  );
  if (cursors.length === 0) return;
  for (let start = 0; start < segment.rows.length; start += WINDOW) {
    scoreWindow(cursors, start, Math.min(start + WINDOW, segment.rows.length), segment, scoring, allowed, top);
  }
}

function scoreWindow(
  cursors: readonly Cursor[],
  start: number,
  end: number,
  segment: Segment,
  scoring: Scoring,
  allowed: ReadonlySet<number> | undefined,
  top: TopHits,
): void {
  const present: Cursor[] = [];
  let total = 0;
  for (const cursor of cursors) {
    total += cursor.enter(start, end);
    if (cursor.bound > 0) present.push(cursor);
  }
  const threshold = scoring.exhaustive ? 0 : top.threshold;
  if (total < threshold) return;
  present.sort((a, b) => a.bound - b.bound);
  let rest = 0;
  let optional = 0;
  while (optional < present.length && rest + (present[optional]?.bound ?? 0) < threshold) {
    rest += present[optional]?.bound ?? 0;
    optional++;
  }

  let found = 0;
  for (let i = optional; i < present.length; i++) {
    const cursor = present[i] as Cursor;
    found = cursor.add(start, end, threshold - (total - cursor.bound), found);
  }
  found = keepAllowed(found, start, segment, allowed);
  found = keepAtLeast(found, threshold - rest);
  for (let i = optional - 1; i >= 0 && found > 0; i--) {
    const cursor = present[i] as Cursor;
    rest -= cursor.bound;
    if (found > MOST_LOOKED_UP) cursor.addToFound(start, end);
    else for (let j = 0; j < found; j++) cursor.lookUp(start, touched[j] as number);
    found = keepAtLeast(found, threshold - rest);
  }
  for (let i = 0; i < found; i++) {
    const offset = touched[i] as number;
    const ordinal = start + offset;
    top.offer(sums[offset] as number, segment.rows[ordinal] as number, segment.documents[ordinal] as number);
    sums[offset] = 0;
  }
}

/** Drops candidates that are gone or must not be found; gives how many remain. */
function keepAllowed(
  found: number,
  start: number,
  { deletedMask, documents }: Segment,
  allowed: ReadonlySet<number> | undefined,
): number {
  if (deletedMask === undefined && allowed === undefined) return found;
  let kept = 0;
  for (let i = 0; i < found; i++) {
    const offset = touched[i] as number;
    if (deletedMask?.[start + offset] !== 1 && allowed?.has(documents[start + offset] as number) !== false) {
      touched[kept++] = offset;
    } else {
      sums[offset] = 0;
    }
  }
  return kept;
}

/** Drops candidates whose sum is below `least`; gives how many remain. */
function keepAtLeast(found: number, least: number): number {
  let kept = 0;
  for (let i = 0; i < found; i++) {
    const offset = touched[i] as number;
    if ((sums[offset] as number) >= least) touched[kept++] = offset;
    else sums[offset] = 0;
  }
  return kept;
}

/** What was summed in units, as a number of the size of the weights. */
export function fromUnits(sum: number): number {
  return sum / SCORE_UNITS;
}

/** A term's postings in the segment, and how far they have been read. */
class Cursor {
  /** Greatest score in the present window. */
  bound = 0;
  readonly #postings: Postings;
  readonly #weight: number;
  readonly #segment: Segment;
  readonly #scoring: Scoring;
  /** Bounds were made with another mean length; a longer one makes occurrences count more, at most in proportion. */
  readonly #slack: number;
  readonly #ordinals = new Uint32Array(BLOCK_SIZE);
  readonly #entries = new Uint8Array(BLOCK_SIZE);
  /** The first block that reaches into the window. */
  #block = 0;
  #decoded = -1;
  #size = 0;

  constructor(postings: Postings, weight: number, segment: Segment, scoring: Scoring) {
    this.#postings = postings;
    this.#weight = weight * SCORE_UNITS;
    this.#segment = segment;
    this.#scoring = scoring;
    this.#slack = Math.max(1, scoring.mean / segment.boundMean);
  }

  /** Goes to a window that is not before the last one; sets and gives its bound, 0 where the term does not occur. */
  enter(start: number, end: number): number {
    const postings = this.#postings;
    this.#block = postings.seek(this.#block, start);
    let greatest = 0;
    for (let block = this.#block; block < postings.blocks; block++) {
      greatest = Math.max(greatest, postings.bound(block));
      if (postings.last(block) >= end - 1) break;
    }
    this.bound = this.#boundScore(greatest);
    return this.bound;
  }

  /** Adds the window's postings to the sums, but for blocks below `least`; gives how many chunks have a sum then. */
  add(start: number, end: number, least: number, foundBefore: number): number {
    let found = foundBefore;
    for (let block = this.#block; block < this.#postings.blocks; block++) {
      if (this.#scoring.exhaustive || this.#boundScore(this.#postings.bound(block)) >= least) {
        found = this.#addBlock(block, start, end, found);
      }
      if (this.#postings.last(block) >= end - 1) break;
    }
    return found;
  }

  /** Adds the window's postings to the sums of chunks that have one. */
  addToFound(start: number, end: number): void {
    for (let block = this.#block; block < this.#postings.blocks; block++) {
      this.#addBlock(block, start, end, -1);
      if (this.#postings.last(block) >= end - 1) break;
    }
  }

  /** Adds to the sum of one chunk of the window, if the term is in it. */
  lookUp(start: number, offset: number): void {
    const block = this.#postings.seek(this.#block, start + offset);
    if (block >= this.#postings.blocks) return;
    this.#decode(block);
    const at = find(this.#ordinals, this.#size, start + offset);
    if (at >= 0) sums[offset] = (sums[offset] as number) + this.#score(start + offset, this.#entries[at] as number);
  }

  /** `found` below 0: only to chunks that have a sum. */
  #addBlock(block: number, start: number, end: number, found: number): number {
    this.#decode(block);
    const ordinals = this.#ordinals;
    const entries = this.#entries;
    const lengthCodes = this.#segment.lengthCodes;
    const { fields, occurrences, k1 } = this.#scoring;
    const weight = this.#weight;
    let count = found;
    for (let i = 0; i < this.#size; i++) {
      const ordinal = ordinals[i] as number;
      if (ordinal < start) continue;
      if (ordinal >= end) break;
      const offset = ordinal - start;
      const before = sums[offset] as number;
      if (before === 0) {
        if (count < 0) continue;
        touched[count++] = offset;
      }
      const entry = entries[i] as number;
      const sum =
        (entry >> 3) * (occurrences[lengthCodes[ordinal] as number] as number) + (fields[entry & 7] as number);
      sums[offset] = before + Math.max(1, Math.round((weight * sum) / (sum + k1)));
    }
    return count;
  }

  #score(ordinal: number, entry: number): number {
    const { fields, occurrences, k1 } = this.#scoring;
    const sum =
      (entry >> 3) * (occurrences[this.#segment.lengthCodes[ordinal] as number] as number) +
      (fields[entry & 7] as number);
    return Math.max(1, Math.round((this.#weight * sum) / (sum + k1)));
  }

  #decode(block: number): void {
    if (this.#decoded === block) return;
    this.#size = this.#postings.decode(block, this.#ordinals, this.#entries);
    this.#decoded = block;
  }

  /** An upper bound in units: rounded up, so that it is never below the score that it bounds. */
  #boundScore(occurrences: number): number {
    const most = occurrences * this.#slack;
    return Math.ceil(this.#weight * (most / (most + this.#scoring.k1)) * (1 + 1e-9));
  }
}
