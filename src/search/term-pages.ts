/**
 * The terms of a segment with their postings, as one stream of bytes that is cut into pages. By ascending bytes of UTF-8:
 *
 *     bytes shared with the term before, a byte · bytes that follow, a byte · those bytes · length of the list, varint · list
 *
 * The first term that begins in a page shares nothing, so that a page can be read on its own. What stands before a list is
 * never cut, and neither are the first bytes of the list, which hold its count. A long list goes on in the pages after.
 * A row for each term would cost a large corpus more than its postings do: most terms stand in one passage only.
 */

/** With so many bytes a row fills one page of the file, of 8 KiB. */
const TERM_PAGE_BYTES = 8150;

/** Terms are of at most 64 UTF-16 code units, each of at most three bytes. */
export const MAX_TERM_BYTES = 192;

/** So many bytes of a list stand in the page where its term does. */
const UNCUT_LIST_BYTES = 5;

/** Where pages go to. */
export interface TermPageSink {
  /** Takes the next page, whose bytes are of use until it returns. */
  page(bytes: Uint8Array): void;
  /** Takes the first term that begins in a page, before the page, and where in it. */
  first(term: Uint8Array, at: number): void;
}

export class TermPageWriter {
  readonly #sink: TermPageSink;
  readonly #page = new Uint8Array(TERM_PAGE_BYTES);
  readonly #last = new Uint8Array(MAX_TERM_BYTES);
  #lastLength = 0;
  #at = 0;
  #hasTerm = false;

  constructor(sink: TermPageSink) {
    this.#sink = sink;
  }

  /** Adds a term that comes after the last one. */
  add(term: Uint8Array, length: number, list: Uint8Array): void {
    let shared = this.#hasTerm ? sharedBytes(this.#last, this.#lastLength, term, length) : 0;
    const uncut = varintBytes(list.length) + Math.min(list.length, UNCUT_LIST_BYTES);
    if (this.#at + 2 + length - shared + uncut > TERM_PAGE_BYTES) {
      this.#endPage();
      shared = 0;
    }
    if (!this.#hasTerm) this.#sink.first(term.subarray(0, length), this.#at);
    this.#hasTerm = true;
    const page = this.#page;
    let at = this.#at;
    page[at++] = shared;
    page[at++] = length - shared;
    for (let i = shared; i < length; i++) page[at++] = term[i] as number;
    at = writeVarint(page, at, list.length);
    for (let i = 0; i < length; i++) this.#last[i] = term[i] as number;
    this.#lastLength = length;
    this.#at = at;
    this.#addList(list);
  }

  /** Hands over the page that is begun. */
  end(): void {
    if (this.#at > 0) this.#endPage();
  }

  #addList(list: Uint8Array): void {
    let from = 0;
    while (list.length - from > TERM_PAGE_BYTES - this.#at) {
      const size = TERM_PAGE_BYTES - this.#at;
      this.#page.set(list.subarray(from, from + size), this.#at);
      this.#at += size;
      from += size;
      this.#endPage();
    }
    const page = this.#page;
    for (let i = from, at = this.#at; i < list.length; i++) page[at++] = list[i] as number;
    this.#at += list.length - from;
  }

  #endPage(): void {
    this.#sink.page(this.#page.subarray(0, this.#at));
    this.#at = 0;
    this.#hasTerm = false;
  }
}

/** Reads terms in their order, from pages in theirs. */
export class TermStream {
  /** The bytes of the present term, the first `length` of them. */
  readonly term = new Uint8Array(MAX_TERM_BYTES);
  length = 0;
  /** Whether there was no next term. */
  isAtEnd = false;
  readonly #nextPage: () => Uint8Array | undefined;
  #page: Uint8Array = NO_BYTES;
  #at = 0;
  #listLength = 0;

  /** @param at where in the first page to begin: at a term that shares nothing. */
  constructor(nextPage: () => Uint8Array | undefined, at = 0) {
    this.#nextPage = nextPage;
    this.#page = nextPage() ?? NO_BYTES;
    this.#at = at;
  }

  /** Goes to the next term; false when there is none. */
  next(): boolean {
    this.#skipList();
    while (this.#at >= this.#page.length) {
      const page = this.#nextPage();
      if (page === undefined) return !(this.isAtEnd = true);
      this.#at -= this.#page.length;
      this.#page = page;
    }
    const page = this.#page;
    let at = this.#at;
    const shared = page[at++] as number;
    this.length = shared + (page[at++] as number);
    for (let i = shared; i < this.length; i++) this.term[i] = page[at++] as number;
    this.#listLength = readVarint(page, at);
    this.#at = at + varintBytes(this.#listLength);
    return true;
  }

  /** The first bytes of the present term's list, which begins with its count. Call it before `list`. */
  head(): Uint8Array {
    return this.#page.subarray(this.#at, this.#at + Math.min(UNCUT_LIST_BYTES, this.#listLength));
  }

  /** The present term's list, once; of use until the next page is read. */
  list(): Uint8Array {
    const size = this.#listLength;
    this.#listLength = 0;
    const end = this.#at + size;
    const here = this.#page.subarray(this.#at, end);
    this.#at = end;
    if (here.length === size) return here;
    const whole = new Uint8Array(size);
    whole.set(here);
    for (let from = here.length; from < size;) {
      const page = this.#nextPage();
      if (page === undefined) throw new Error("a list of postings ends before its end");
      this.#at -= this.#page.length;
      this.#page = page;
      const part = page.subarray(0, this.#at);
      whole.set(part, from);
      from += part.length;
    }
    return whole;
  }

  #skipList(): void {
    this.#at += this.#listLength;
    this.#listLength = 0;
  }
}

/** Where the list of a term begins in a page, and how long it is; undefined when the term is not there. */
export function findTerm(
  page: Uint8Array,
  firstAt: number,
  term: Uint8Array,
): { readonly at: number; readonly length: number } | undefined {
  /** Bytes that the term before has in common with the one that is looked for, which comes after it. */
  let matched = 0;
  for (let at = firstAt; at < page.length;) {
    const shared = page[at] as number;
    const end = at + 2 + (page[at + 1] as number);
    const length = readVarint(page, end);
    const listAt = end + varintBytes(length);
    if (shared < matched) return undefined;
    if (shared === matched) {
      let i = at + 2;
      while (i < end && matched < term.length && page[i] === term[matched]) {
        i++;
        matched++;
      }
      if (i === end && matched === term.length) return { at: listAt, length };
      if (matched === term.length || (i < end && (page[i] as number) > (term[matched] as number))) return undefined;
    }
    at = listAt + length;
  }
  return undefined;
}

/** Below 0 when the first comes before the second, 0 when they are the same. */
export function compareBytes(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const length = Math.min(aLength, bLength);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

function sharedBytes(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const most = Math.min(aLength, bLength);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

function readVarint(bytes: Uint8Array, from: number): number {
  let at = from;
  let byte = bytes[at++] as number;
  let value = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[at++] ?? 0;
    value |= (byte & 127) << shift;
  }
  return value;
}

export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest >>>= 7) bytes++;
  return bytes;
}

export function writeVarint(out: Uint8Array, at: number, value: number): number {
  let end = at;
  let rest = value;
  while (rest > 127) {
    out[end++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  out[end++] = rest;
  return end;
}

const NO_BYTES = new Uint8Array(0);
