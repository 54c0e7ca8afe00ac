import type { Bounding } from "./postings.ts";
import { encodePostings, MAX_OCCURRENCES } from "./postings.ts";
import type { IndexedChunk, SegmentData } from "./segment.ts";
import type { TermPageWriter } from "./term-pages.ts";
import { MAX_TERM_BYTES } from "./term-pages.ts";
import { IN_HEADINGS, IN_PATH, IN_TITLE, lengthCode } from "./weights.ts";

/** Inverts chunks in memory: from the terms of each chunk to the chunks of each term. */
export function buildSegment(chunks: readonly IndexedChunk[]): SegmentData {
  const sorted = chunks.toSorted((a, b) => a.row - b.row);
  const rows = new Uint32Array(sorted.length);
  const documents = new Uint32Array(sorted.length);
  const lengthCodes = new Uint8Array(sorted.length);
  const inversion = new Inversion();
  for (const [ordinal, chunk] of sorted.entries()) {
    rows[ordinal] = chunk.row;
    documents[ordinal] = chunk.document;
    lengthCodes[ordinal] = lengthCode(chunk.bodyTerms.length);
    for (const term of chunk.bodyTerms) inversion.count(term, ordinal);
    inversion.mark(chunk.headingTerms, IN_HEADINGS, ordinal);
    inversion.mark(chunk.titleTerms, IN_TITLE, ordinal);
    inversion.mark(chunk.pathTerms, IN_PATH, ordinal);
  }
  return { rows, documents, lengthCodes, write: (writer, bounding) => inversion.write(writer, bounding) };
}

/** Postings as they come, chunk by chunk, in arrays of numbers: an object for each term would cost more than its postings. */
class Inversion {
  readonly #terms = new Map<string, number>();
  /** By term: its last posting, and how many it has. */
  #lasts = new Uint32Array(1 << 12);
  #counts = new Uint32Array(1 << 12);
  /** By posting. */
  #termOf = new Uint32Array(1 << 14);
  #ordinals = new Uint32Array(1 << 14);
  #entries = new Uint8Array(1 << 14);
  #size = 0;

  /** Counts a term of a body. */
  count(term: string, ordinal: number): void {
    const at = this.#posting(term, ordinal);
    const entry = this.#entries[at] as number;
    if (entry < MAX_OCCURRENCES << 3) this.#entries[at] = entry + (1 << 3);
  }

  /** Says that terms stand somewhere else than in the body. */
  mark(terms: readonly string[], bit: number, ordinal: number): void {
    for (const term of terms) {
      const at = this.#posting(term, ordinal);
      this.#entries[at] = (this.#entries[at] as number) | bit;
    }
  }

  write(writer: TermPageWriter, bounding: Bounding): void {
    const begins = new Uint32Array(this.#terms.size + 1);
    for (let id = 0; id < this.#terms.size; id++)
      begins[id + 1] = (begins[id] as number) + (this.#counts[id] as number);
    const ordinals = new Uint32Array(this.#size);
    const entries = new Uint8Array(this.#size);
    const next = begins.slice();
    for (let i = 0; i < this.#size; i++) {
      const id = this.#termOf[i] as number;
      const at = next[id] as number;
      next[id] = at + 1;
      ordinals[at] = this.#ordinals[i] as number;
      entries[at] = this.#entries[i] as number;
    }
    const bytes = Buffer.alloc(MAX_TERM_BYTES);
    for (const term of inOrder([...this.#terms.keys()])) {
      const id = this.#terms.get(term) as number;
      const [from, end] = [begins[id] as number, begins[id + 1] as number];
      const list = encodePostings(ordinals.subarray(from, end), entries.subarray(from, end), end - from, bounding);
      writer.add(bytes, bytes.write(term), list);
    }
  }

  #posting(term: string, ordinal: number): number {
    let id = this.#terms.get(term);
    if (id === undefined) {
      id = this.#terms.size;
      this.#terms.set(term, id);
      if (id === this.#counts.length) {
        this.#lasts = grown(this.#lasts);
        this.#counts = grown(this.#counts);
      }
    } else {
      const last = this.#lasts[id] as number;
      if (this.#ordinals[last] === ordinal) return last;
    }
    const at = this.#size++;
    if (at === this.#ordinals.length) {
      this.#termOf = grown(this.#termOf);
      this.#ordinals = grown(this.#ordinals);
      const entries = new Uint8Array(this.#entries.length * 2);
      entries.set(this.#entries);
      this.#entries = entries;
    }
    this.#termOf[at] = id;
    this.#ordinals[at] = ordinal;
    this.#lasts[id] = at;
    this.#counts[id] = (this.#counts[id] as number) + 1;
    return at;
  }
}

function grown(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** By ascending bytes of UTF-8, which is the order of code points; that of JavaScript is of UTF-16 code units. */
function inOrder(terms: string[]): readonly string[] {
  terms.sort();
  return terms.some((term) => SURROGATE.test(term)) ? terms.sort(compareCodePoints) : terms;
}

const SURROGATE = /[\ud800-\udfff]/;

function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? codePointRank(x) - codePointRank(y) : x - y;
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, so they go behind U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
