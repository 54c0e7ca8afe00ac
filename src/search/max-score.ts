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

/** A term's postings in the segment, and how far they have been read. */
class Cursor {
  readonly postings: Postings;
  readonly weight: number;
  readonly ordinals = new Uint32Array(BLOCK_SIZE);
  readonly entries = new Uint8Array(BLOCK_SIZE);
  block = 0;
  size = 0;
  /** Greatest score in the present window. */
  bound = 0;
  #decoded = -1;

  constructor(postings: Postings, weight: number) {
    this.postings = postings;
    this.weight = weight;
  }

  load(): void {
    if (this.#decoded === this.block) return;
    this.size = this.postings.decode(this.block, this.ordinals, this.entries);
    this.#decoded = this.block;
  }
}

/** Sums of the chunks of a window, by ordinal minus the window's first. */
const sums = new Float64Array(WINDOW);
const touched = new Uint16Array(WINDOW);

/**
 * Offers the best chunks of a segment to `top`: BM25F over `terms`, of which `postings` are the lists, undefined where a
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
  const cursors: Cursor[] = [];
  for (const [i, postings] of lists.entries()) {
    if (postings !== undefined) cursors.push(new Cursor(postings, terms[i]?.weight ?? 0));
  }
  // Bounds were made with another mean length; a longer mean makes every occurrence count for more, at most in proportion.
  const slack = Math.max(1, scoring.mean / segment.boundMean);

  for (let start = 0; start < segment.rows.length; start += WINDOW) {
    const end = Math.min(start + WINDOW, segment.rows.length);
    let live = 0;
    for (const cursor of cursors) live += boundIn(cursor, start, end, slack, scoring);
    if (live === 0) continue;
    const byBound = cursors.filter((cursor) => cursor.bound > 0).sort((a, b) => a.bound - b.bound);
    const threshold = scoring.exhaustive ? 0 : top.threshold;
    let optional = 0;
    let optionalBound = 0;
    while (optional < byBound.length && optionalBound + (byBound[optional]?.bound ?? 0) < threshold) {
      optionalBound += byBound[optional]?.bound ?? 0;
      optional++;
    }
    if (optional === byBound.length) continue;
    const total = byBound.reduce((sum, cursor) => sum + cursor.bound, 0);
    let found = 0;
    for (let i = optional; i < byBound.length; i++) {
      const cursor = byBound[i] as Cursor;
      found = addWindow(cursor, start, end, threshold - (total - cursor.bound), slack, segment, scoring, found);
    }
    for (let i = 0; i < found; i++) {
      const offset = touched[i] ?? 0;
      let score = sums[offset] ?? 0;
      sums[offset] = 0;
      const ordinal = start + offset;
      if (segment.deletedMask?.[ordinal] === 1) continue;
      const document = segment.documents[ordinal] ?? 0;
      if (allowed !== undefined && !allowed.has(document)) continue;
      const least = scoring.exhaustive ? 0 : top.threshold;
      let rest = optionalBound;
      for (let j = optional - 1; j >= 0 && score + rest >= least; j--) {
        const cursor = byBound[j] as Cursor;
        rest -= cursor.bound;
        score += scoreOf(cursor, ordinal, segment, scoring);
      }
      if (score + rest >= least) top.offer(score, segment.rows[ordinal] ?? 0, document);
    }
  }
}

/** The part of a score that is in [0, 1), from what was summed in units. */
export function fromUnits(sum: number): number {
  return sum / SCORE_UNITS;
}

/** Sets the cursor's bound for a window; 1 when the term occurs in it. */
function boundIn(cursor: Cursor, start: number, end: number, slack: number, scoring: Scoring): number {
  const { postings } = cursor;
  cursor.block = postings.seek(cursor.block, start);
  let greatest = 0;
  for (let block = cursor.block; block < postings.blocks; block++) {
    greatest = Math.max(greatest, postings.bound(block));
    if (postings.last(block) >= end - 1) break;
  }
  cursor.bound = boundScore(cursor.weight, greatest * slack, scoring.k1);
  return cursor.bound > 0 ? 1 : 0;
}

/** An upper bound in units: rounded up, so that it is never below the score that it bounds. */
function boundScore(weight: number, occurrences: number, k1: number): number {
  return Math.ceil(SCORE_UNITS * weight * (occurrences / (occurrences + k1)) * (1 + 1e-9));
}

function addWindow(
  cursor: Cursor,
  start: number,
  end: number,
  least: number,
  slack: number,
  segment: Segment,
  scoring: Scoring,
  foundBefore: number,
): number {
  const { postings, ordinals, entries, weight } = cursor;
  const { fields, occurrences, k1 } = scoring;
  const lengthCodes = segment.lengthCodes;
  const scale = SCORE_UNITS * weight;
  let found = foundBefore;
  for (let block = cursor.block; block < postings.blocks; block++) {
    const last = postings.last(block);
    if (scoring.exhaustive || boundScore(weight, postings.bound(block) * slack, k1) >= least) {
      cursor.block = block;
      cursor.load();
      for (let i = 0; i < cursor.size; i++) {
        const ordinal = ordinals[i] as number;
        if (ordinal < start) continue;
        if (ordinal >= end) break;
        const entry = entries[i] as number;
        const sum =
          (entry >> 3) * (occurrences[lengthCodes[ordinal] as number] as number) + (fields[entry & 7] as number);
        const offset = ordinal - start;
        if (sums[offset] === 0) touched[found++] = offset;
        sums[offset] = (sums[offset] as number) + Math.max(1, Math.round((scale * sum) / (sum + k1)));
      }
    }
    if (last >= end - 1) break;
  }
  return found;
}

/** What a term adds to the score of one chunk, which is not before any asked for earlier in another window. */
function scoreOf(cursor: Cursor, ordinal: number, segment: Segment, scoring: Scoring): number {
  const block = cursor.postings.seek(cursor.block, ordinal);
  if (block >= cursor.postings.blocks) return 0;
  const kept = cursor.block;
  cursor.block = block;
  cursor.load();
  cursor.block = kept;
  const at = find(cursor.ordinals, cursor.size, ordinal);
  if (at < 0) return 0;
  const entry = cursor.entries[at] ?? 0;
  const sum =
    (entry >> 3) * (scoring.occurrences[segment.lengthCodes[ordinal] ?? 0] ?? 0) + (scoring.fields[entry & 7] ?? 0);
  return Math.max(1, Math.round((SCORE_UNITS * cursor.weight * sum) / (sum + scoring.k1)));
}
