import type { Bounding } from "./postings.ts";
import { encodePostings, MAX_OCCURRENCES } from "./postings.ts";
import type { IndexedChunk, SegmentData } from "./segment.ts";
import { IN_HEADINGS, IN_PATH, IN_TITLE, lengthCode } from "./weights.ts";

/** Inverts chunks in memory: from the terms of each chunk to the chunks of each term. */
export function buildSegment(chunks: readonly IndexedChunk[]): SegmentData {
  const sorted = chunks.toSorted((a, b) => a.row - b.row);
  const rows = new Uint32Array(sorted.length);
  const documents = new Uint32Array(sorted.length);
  const lengthCodes = new Uint8Array(sorted.length);
  /** By term: ordinal and entry of each posting, one after the other. */
  const inverted = new Map<string, number[]>();
  for (const [ordinal, chunk] of sorted.entries()) {
    rows[ordinal] = chunk.row;
    documents[ordinal] = chunk.document;
    lengthCodes[ordinal] = lengthCode(chunk.bodyTerms.length);
    for (const term of chunk.bodyTerms) {
      const list = listOf(inverted, term, ordinal);
      const entry = list[list.length - 1] ?? 0;
      if (entry < MAX_OCCURRENCES << 3) list[list.length - 1] = entry + (1 << 3);
    }
    mark(inverted, ordinal, chunk.headingTerms, IN_HEADINGS);
    mark(inverted, ordinal, chunk.titleTerms, IN_TITLE);
    mark(inverted, ordinal, chunk.pathTerms, IN_PATH);
  }
  return { rows, documents, lengthCodes, postings: (bounding) => encodeAll(inverted, bounding) };
}

function mark(inverted: Map<string, number[]>, ordinal: number, terms: readonly string[], bit: number): void {
  for (const term of terms) {
    const list = listOf(inverted, term, ordinal);
    list[list.length - 1] = (list[list.length - 1] ?? 0) | bit;
  }
}

/** The list of a term, whose last posting is that of the chunk. */
function listOf(inverted: Map<string, number[]>, term: string, ordinal: number): number[] {
  const known = inverted.get(term);
  if (known === undefined) {
    const list = [ordinal, 0];
    inverted.set(term, list);
    return list;
  }
  if (known[known.length - 2] !== ordinal) known.push(ordinal, 0);
  return known;
}

function* encodeAll(inverted: ReadonlyMap<string, readonly number[]>, bounding: Bounding): Iterable<[string, Buffer]> {
  let ordinals = new Uint32Array(1024);
  let entries = new Uint8Array(1024);
  for (const term of [...inverted.keys()].sort()) {
    const list = inverted.get(term) ?? [];
    const count = list.length / 2;
    if (count > ordinals.length) {
      ordinals = new Uint32Array(count * 2);
      entries = new Uint8Array(count * 2);
    }
    for (let i = 0; i < count; i++) {
      ordinals[i] = list[i * 2] ?? 0;
      entries[i] = list[i * 2 + 1] ?? 0;
    }
    yield [term, encodePostings(ordinals, entries, count, bounding)];
  }
}
