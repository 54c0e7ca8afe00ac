import { encodePostings, Postings, BLOCK_SIZE } from "./postings.ts";
import type { Bounding } from "./postings.ts";
import type { Segment, SegmentData } from "./segment.ts";
import type { SegmentStore } from "./segment-store.ts";
import type { TermPageWriter, TermStream } from "./term-pages.ts";
import { compareBytes } from "./term-pages.ts";

/** Segments of like size that are made one: a chunk is then written again about once for each eightfold of the index. */
const MERGED_AT_ONCE = 8;

/** A query looks into each segment, so that with more than this a merge is due whatever it costs. */
const MAX_SEGMENTS = 32;

/** A segment of which more than one in this many chunks is gone is written again. */
const MOST_DELETED = 4;

/** A write may merge this many chunks for each one that it adds, and some more: so a small write stays quick. */
const MERGED_PER_ADDED = 100;
const MERGED_ANYWAY = 1000;

/** Which segments to make one now, after a write that added so many chunks; none when all is well. */
export function segmentsToMerge(segments: readonly Segment[], added: number): readonly Segment[] {
  const affordable = MERGED_ANYWAY + MERGED_PER_ADDED * added;
  const bySize = segments.toSorted((a, b) => liveSize(a) - liveSize(b) || a.id - b.id);
  for (const segment of bySize) {
    const tier = bySize.filter((other) => tierOf(other) === tierOf(segment)).slice(0, MERGED_AT_ONCE);
    if (tier.length === MERGED_AT_ONCE && tier.reduce((sum, each) => sum + liveSize(each), 0) <= affordable)
      return tier;
  }
  if (segments.length > MAX_SEGMENTS) return bySize.slice(0, MERGED_AT_ONCE);
  return bySize.filter((segment) => isMostlyGone(segment) && liveSize(segment) <= affordable).slice(0, 1);
}

function tierOf(segment: Segment): number {
  return Math.floor(Math.log(Math.max(1, liveSize(segment))) / Math.log(MERGED_AT_ONCE));
}

function isMostlyGone(segment: Segment): boolean {
  return segment.deleted.length * MOST_DELETED > segment.rows.length;
}

function liveSize(segment: Segment): number {
  return segment.rows.length - segment.deleted.length;
}

/** Makes one segment of several, without the chunks that are gone. Call it in a writing transaction. */
export function mergeSegments(
  store: SegmentStore,
  merged: readonly Segment[],
  weights: Pick<Bounding, "fields" | "occurrences">,
  mean: number,
): void {
  const plan = planOrdinals(merged);
  if (plan.rows.length > 0) {
    const data: SegmentData = {
      ...plan,
      write: (writer, bounding) => mergePostings(store, merged, plan, writer, bounding),
    };
    store.add(data, { ...weights, lengthCodes: plan.lengthCodes }, mean);
  }
  for (const segment of merged) store.drop(segment);
}

interface Plan {
  readonly rows: Uint32Array;
  readonly documents: Uint32Array;
  readonly lengthCodes: Uint8Array;
  /** By merged segment and old ordinal: the new ordinal; -1 for a chunk that is gone. */
  readonly ordinals: readonly Int32Array[];
}

function planOrdinals(merged: readonly Segment[]): Plan {
  const size = merged.reduce((sum, segment) => sum + liveSize(segment), 0);
  const plan = {
    rows: new Uint32Array(size),
    documents: new Uint32Array(size),
    lengthCodes: new Uint8Array(size),
    ordinals: merged.map((segment) => new Int32Array(segment.rows.length).fill(-1)),
  };
  const at = merged.map(() => 0);
  for (let next = 0; next < size; next++) {
    let least = -1;
    for (const [s, segment] of merged.entries()) {
      while (segment.deletedMask?.[at[s] ?? 0] === 1) at[s] = (at[s] ?? 0) + 1;
      const row = segment.rows[at[s] ?? 0];
      if (row === undefined) continue;
      if (least < 0 || row < (merged[least]?.rows[at[least] ?? 0] ?? 0)) least = s;
    }
    const from = merged[least] as Segment;
    const ordinal = at[least] ?? 0;
    plan.rows[next] = from.rows[ordinal] ?? 0;
    plan.documents[next] = from.documents[ordinal] ?? 0;
    plan.lengthCodes[next] = from.lengthCodes[ordinal] ?? 0;
    (plan.ordinals[least] as Int32Array)[ordinal] = next;
    at[least] = ordinal + 1;
  }
  return plan;
}

function mergePostings(
  store: SegmentStore,
  merged: readonly Segment[],
  plan: Plan,
  writer: TermPageWriter,
  bounding: Bounding,
): void {
  const sources = merged.map((segment, s) => ({ terms: store.takeTerms(segment), to: plan.ordinals[s] as Int32Array }));
  let waiting = sources.filter(({ terms }) => terms.next());
  const ordinals = new Uint32Array(plan.rows.length);
  const entries = new Uint8Array(plan.rows.length);
  while (waiting.length > 0) {
    let least = (waiting[0] as Waiting).terms;
    for (const { terms } of waiting) if (compareTerms(terms, least) < 0) least = terms;
    const from = waiting.filter(({ terms }) => compareTerms(terms, least) === 0);
    let count = 0;
    let ascending = true;
    for (const { terms, to } of from) {
      const before = count;
      count = remap(new Postings(terms.list()), to, ordinals, entries, count);
      if (before > 0 && count > before && (ordinals[before] ?? 0) < (ordinals[before - 1] ?? 0)) ascending = false;
    }
    if (!ascending) sortByOrdinal(ordinals, entries, count);
    if (count > 0) writer.add(least.term, least.length, encodePostings(ordinals, entries, count, bounding));
    let ended = false;
    for (const { terms } of from) if (!terms.next()) ended = true;
    if (ended) waiting = waiting.filter(({ terms }) => !terms.isAtEnd);
  }
}

interface Waiting {
  readonly terms: TermStream;
  readonly to: Int32Array;
}

function compareTerms(a: TermStream, b: TermStream): number {
  return a === b ? 0 : compareBytes(a.term, a.length, b.term, b.length);
}

const blockOrdinals = new Uint32Array(BLOCK_SIZE);
const blockEntries = new Uint8Array(BLOCK_SIZE);

function remap(postings: Postings, to: Int32Array, ordinals: Uint32Array, entries: Uint8Array, from: number): number {
  let count = from;
  for (let block = 0; block < postings.blocks; block++) {
    const size = postings.decode(block, blockOrdinals, blockEntries);
    for (let i = 0; i < size; i++) {
      const ordinal = to[blockOrdinals[i] ?? 0] ?? -1;
      if (ordinal < 0) continue;
      ordinals[count] = ordinal;
      entries[count++] = blockEntries[i] ?? 0;
    }
  }
  return count;
}

function sortByOrdinal(ordinals: Uint32Array, entries: Uint8Array, count: number): void {
  // An ordinal and its entry as one number: ordinals stay below 2^32, so this is exact.
  const joined = Float64Array.from({ length: count }, (_, i) => (ordinals[i] ?? 0) * 256 + (entries[i] ?? 0)).sort();
  for (const [i, value] of joined.entries()) {
    ordinals[i] = Math.floor(value / 256);
    entries[i] = value % 256;
  }
}
