import { BLOCK_SIZE, Postings } from "../postings.ts";
import type { Segment } from "../segment.ts";
import type { TermStream } from "../term-pages.ts";
import { IN_HEADINGS, IN_TITLE } from "../weights.ts";
import type { Sample, SampledTerm } from "./term-space.ts";

/** A segment, and all its terms, as often as they are asked for. */
export interface ReadableSegment {
  readonly segment: Segment;
  terms(): TermStream;
}

/** A chunk of a sample. */
export interface SampledChunk {
  readonly segment: Segment;
  readonly ordinal: number;
  /** Its headings and its title are not read, so that they can be asked for. */
  readonly heldOut: boolean;
}

const ordinals = new Uint32Array(BLOCK_SIZE);
const entries = new Uint8Array(BLOCK_SIZE);

/** How often a term counts in a chunk, by the entry of its posting: each time in the body, once for headings, once for the title. */
export function countOf(entry: number): number {
  return bodyCountOf(entry) + ((entry & IN_HEADINGS) === 0 ? 0 : 1) + ((entry & IN_TITLE) === 0 ? 0 : 1);
}

export function bodyCountOf(entry: number): number {
  return entry >> 3;
}

/**
 * Calls `use` for each posting of a list; `from` and `end` are ordinals.
 * @param wanted by ordinal, the next that is wanted, itself or after it: blocks that have none are left out.
 */
export function eachPosting(
  list: Uint8Array,
  from: number,
  end: number,
  use: (ordinal: number, entry: number) => void,
  wanted?: Uint32Array,
): void {
  const postings = new Postings(list);
  let before = -1;
  for (let block = postings.seek(0, from); block < postings.blocks; block++) {
    if (wanted !== undefined) {
      const next = wanted[before + 1] ?? end;
      const last = postings.last(block);
      if (next >= end) return;
      if (next > last) {
        before = last;
        continue;
      }
      before = last;
    }
    const size = postings.decode(block, ordinals, entries);
    for (let i = 0; i < size; i++) {
      const ordinal = ordinals[i] as number;
      if (ordinal >= end) return;
      if (ordinal >= from) use(ordinal, entries[i] as number);
    }
  }
}

export function termOf({ term, length }: TermStream): string {
  return Buffer.from(term.buffer, term.byteOffset, length).toString();
}

/** Chunks that are there, spread evenly over the index, at most so many. */
export function spreadEvenly(segments: readonly Segment[], most: number): readonly Omit<SampledChunk, "heldOut">[] {
  const live = segments.reduce((sum, { rows, deleted }) => sum + rows.length - deleted.length, 0);
  const step = Math.max(1, live / most);
  const found: Omit<SampledChunk, "heldOut">[] = [];
  let seen = 0;
  for (const segment of segments) {
    for (let ordinal = 0; ordinal < segment.rows.length; ordinal++) {
      if (segment.deletedMask?.[ordinal] === 1) continue;
      if (seen++ >= Math.round(found.length * step)) found.push({ segment, ordinal });
    }
  }
  return found.slice(0, most);
}

/** Reads the terms of chunks out of the postings: of all terms, in one pass. */
export function readSample(segments: readonly ReadableSegment[], chunks: readonly SampledChunk[]): Sample {
  const lists = new Map<string, { readonly chunks: number[]; readonly counts: number[] }>();
  for (const { segment, terms } of segments) {
    const places = new Int32Array(segment.rows.length).fill(-1);
    const heldOut = new Uint8Array(segment.rows.length);
    for (const [place, chunk] of chunks.entries()) {
      if (chunk.segment !== segment) continue;
      places[chunk.ordinal] = place;
      heldOut[chunk.ordinal] = chunk.heldOut ? 1 : 0;
    }
    const wanted = nextWanted(places);
    for (const stream = terms(); stream.next();) {
      let own: { readonly chunks: number[]; readonly counts: number[] } | undefined;
      const take = (ordinal: number, entry: number): void => {
        const place = places[ordinal] as number;
        if (place < 0) return;
        const count = heldOut[ordinal] === 1 ? bodyCountOf(entry) : countOf(entry);
        if (count === 0) return;
        own ??= { chunks: [], counts: [] };
        own.chunks.push(place);
        own.counts.push(count);
      };
      eachPosting(stream.list(), 0, segment.rows.length, take, wanted);
      if (own === undefined) continue;
      const term = termOf(stream);
      const known = lists.get(term);
      if (known === undefined) lists.set(term, own);
      else {
        for (const [i, chunk] of own.chunks.entries()) {
          known.chunks.push(chunk);
          known.counts.push(own.counts[i] as number);
        }
      }
    }
  }
  return {
    chunks: chunks.length,
    terms: [...lists].map(([term, own]): SampledTerm => ({
      term,
      chunks: Uint32Array.from(own.chunks),
      counts: Uint8Array.from(own.counts),
    })),
  };
}

/** By ordinal, the next that has a place, itself or after it. */
function nextWanted(places: Int32Array): Uint32Array {
  const next = new Uint32Array(places.length);
  let last = places.length;
  for (let ordinal = places.length - 1; ordinal >= 0; ordinal--) {
    if ((places[ordinal] as number) >= 0) last = ordinal;
    next[ordinal] = last;
  }
  return next;
}
