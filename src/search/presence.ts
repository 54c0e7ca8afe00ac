import { BLOCK_SIZE } from "./postings.ts";
import type { SegmentStore } from "./segment-store.ts";
import { find, ordinalOf } from "./segment.ts";
import { IN_PATH } from "./weights.ts";

/** Where the terms of a query stand in a chunk, by their places in the query: the entries of their postings, 0 for none. */
export type Presence = Uint8Array;

/** Whether a term stands in the text of the chunk, its headings or its title, by the entry of its posting. */
export function isInText(entry: number | undefined): boolean {
  return entry !== undefined && (entry & ~IN_PATH) !== 0;
}

const ordinals = new Uint32Array(BLOCK_SIZE);
const entries = new Uint8Array(BLOCK_SIZE);

/** Looks terms up in chunks by their postings, which is far less work than to read the texts. */
export function presenceOf(
  store: SegmentStore,
  terms: readonly string[],
  rows: readonly number[],
): ReadonlyMap<number, Presence> {
  const all = new Map<number, Presence>();
  for (const segment of store.segments) {
    const here = rows
      .map((row) => ({ ordinal: ordinalOf(segment, row), presence: new Uint8Array(terms.length), row }))
      .filter(({ ordinal }) => ordinal >= 0)
      .sort((a, b) => a.ordinal - b.ordinal);
    if (here.length === 0) continue;
    for (const { row, presence } of here) all.set(row, presence);
    for (const [place, term] of terms.entries()) {
      const postings = store.postings(segment, term)?.postings;
      if (postings === undefined) continue;
      let block = 0;
      let decoded = -1;
      let size = 0;
      for (const { ordinal, presence } of here) {
        block = postings.seek(block, ordinal);
        if (block >= postings.blocks) break;
        if (block !== decoded) {
          size = postings.decode(block, ordinals, entries);
          decoded = block;
        }
        const at = find(ordinals, size, ordinal);
        if (at >= 0) presence[place] = entries[at] ?? 0;
      }
    }
  }
  return all;
}
