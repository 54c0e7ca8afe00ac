import type { Bounding, Postings } from "./postings.ts";
import { BLOCK_SIZE } from "./postings.ts";
import type { TermPageWriter } from "./term-pages.ts";
import { LENGTH_OF_CODE } from "./weights.ts";

/**
 * Chunks that were indexed together, and their postings, which are never changed: a later write adds a segment, and
 * marks here which chunks are gone. Chunks have ordinals, by ascending row id.
 */
export interface Segment {
  readonly id: number;
  /** By ordinal: the chunk's row id in the corpus, ascending. */
  readonly rows: Uint32Array;
  /** By ordinal: the row id of the chunk's document. */
  readonly documents: Uint32Array;
  readonly lengthCodes: Uint8Array;
  /** The sum of the lengths of all its chunks, those that are gone too. */
  readonly length: number;
  /** The mean length that the bounds of the postings were made with. */
  readonly boundMean: number;
  /** Ordinals of chunks that are gone, ascending. */
  readonly deleted: Uint32Array;
  /** By ordinal, 1 for a chunk that is gone. Undefined when none is. */
  readonly deletedMask: Uint8Array | undefined;
}

/** Chunks that are there, and the sum of their lengths in terms as their codes stand for them. */
export interface LiveCounts {
  readonly chunks: number;
  readonly length: number;
}

export function liveCounts(segment: Segment): LiveCounts {
  let { length } = segment;
  for (const ordinal of segment.deleted) length -= LENGTH_OF_CODE[segment.lengthCodes[ordinal] ?? 0] ?? 0;
  return { chunks: segment.rows.length - segment.deleted.length, length };
}

export function lengthOf(lengthCodes: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < lengthCodes.length; i++) length += LENGTH_OF_CODE[lengthCodes[i] as number] as number;
  return length;
}

export function withDeleted(segment: Omit<Segment, "deleted" | "deletedMask">, deleted: Uint32Array): Segment {
  if (deleted.length === 0) return { ...segment, deleted, deletedMask: undefined };
  const deletedMask = new Uint8Array(segment.rows.length);
  for (const ordinal of deleted) deletedMask[ordinal] = 1;
  return { ...segment, deleted, deletedMask };
}

/** Where a row id stands in a segment; -1 when it does not, or is gone. */
export function ordinalOf(segment: Segment, row: number): number {
  let low = 0;
  let high = segment.rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = segment.rows[middle] ?? 0;
    if (found === row) return segment.deletedMask?.[middle] === 1 ? -1 : middle;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const scratchOrdinals = new Uint32Array(BLOCK_SIZE);
const scratchEntries = new Uint8Array(BLOCK_SIZE);

/**
 * How many postings of a term are of chunks that are there. Exact, so that what was deleted leaves no trace in the
 * ranking; it costs one block for each deleted chunk at most.
 */
export function livePostings(segment: Segment, postings: Postings): number {
  let gone = 0;
  let block = 0;
  let decoded = -1;
  let size = 0;
  for (const ordinal of segment.deleted) {
    block = postings.seek(block, ordinal);
    if (block >= postings.blocks) break;
    if (block !== decoded) {
      size = postings.decode(block, scratchOrdinals, scratchEntries);
      decoded = block;
    }
    if (find(scratchOrdinals, size, ordinal) >= 0) gone++;
  }
  return postings.count - gone;
}

/** The place of a value among the first `size` ascending values; -1 when it is not there. */
export function find(values: Uint32Array, size: number, value: number): number {
  let low = 0;
  let high = size - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = values[middle] ?? 0;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** One chunk's terms and where they stand, as they are gathered field by field. */
export interface IndexedChunk {
  readonly row: number;
  readonly document: number;
  readonly bodyTerms: readonly string[];
  readonly headingTerms: readonly string[];
  readonly titleTerms: readonly string[];
  readonly pathTerms: readonly string[];
}

/** What a new segment is made of. */
export interface SegmentData {
  readonly rows: Uint32Array;
  readonly documents: Uint32Array;
  readonly lengthCodes: Uint8Array;
  /** Writes its terms, in their order. */
  write(writer: TermPageWriter, bounding: Bounding): void;
}
