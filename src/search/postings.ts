import { varintBytes, writeVarint } from "./term-pages.ts";

/**
 * One term's postings in one segment, as a list of bytes. A posting is the ordinal of a chunk in its segment and one byte:
 * how often the term stands in the body (5 bits, at most 31) and whether it stands in headings, title and path (3 bits).
 *
 *     count varint · bound of each block, a byte · [last ordinal of each block, end of each block: 4 bytes each] · postings
 *
 * Postings come in blocks of 128: twice the difference of ordinals, in a varint, and one more where the byte follows; most
 * terms stand once in the body and nowhere else, and then it is left out. The bracket is left out when there is one block.
 * A block's bound says how great the sum of weighted occurrences gets in it, so that blocks that cannot matter are
 * never read.
 */
export const BLOCK_SIZE = 128;

/** The byte that is left out: once in the body, and nowhere else. */
const USUAL_ENTRY = 1 << 3;

/** More occurrences than this count as this many. */
export const MAX_OCCURRENCES = 31;

/** Greatest sum of weighted occurrences that a bound can stand for. */
const MAX_WEIGHT = MAX_OCCURRENCES * 100 + 100;

/** What a bound's code stands for; the steps are relative, so small sums are bounded as tightly as great ones. */
const WEIGHT_OF_BOUND: Float64Array = Float64Array.from(
  { length: 256 },
  (_, code) => (1 + MAX_WEIGHT) ** (code / 255) - 1,
);

/** The least code that stands for at least `weight`. */
function boundCode(weight: number): number {
  let code = Math.max(0, Math.floor((Math.log1p(weight) / Math.log1p(MAX_WEIGHT)) * 255) - 1);
  while (code < 255 && (WEIGHT_OF_BOUND[code] ?? 0) < weight) code++;
  return code;
}

/** What is needed to bound a block: the weights of fields and lengths, and the length codes of the segment's chunks. */
export interface Bounding {
  readonly fields: Float64Array;
  readonly occurrences: Float64Array;
  readonly lengthCodes: Uint8Array;
}

/** The weighted occurrences of one posting: what BM25F saturates. */
export function postingWeight(bounding: Bounding, ordinal: number, entry: number): number {
  return (
    (entry >> 3) * (bounding.occurrences[bounding.lengthCodes[ordinal] ?? 0] ?? 0) + (bounding.fields[entry & 7] ?? 0)
  );
}

/** What was written last; written over by the next. */
let written = new Uint8Array(4096);

/** Writes `count` postings, given by ascending ordinals. The bytes are of use until others are written. */
export function encodePostings(
  ordinals: ArrayLike<number>,
  entries: ArrayLike<number>,
  count: number,
  bounding: Bounding,
): Uint8Array {
  const blocks = Math.ceil(count / BLOCK_SIZE);
  const headBytes = varintBytes(count) + blocks + (blocks > 1 ? blocks * 8 : 0);
  const most = headBytes + count * MAX_POSTING_BYTES;
  if (written.length < most) written = new Uint8Array(most * 2);
  const out = written;
  const { fields, occurrences, lengthCodes } = bounding;
  const boundsAt = writeVarint(out, 0, count);
  const lastsAt = boundsAt + blocks;
  const endsAt = lastsAt + blocks * 4;
  let at = headBytes;
  let previous = -1;
  for (let block = 0; block < blocks; block++) {
    let greatest = 0;
    const end = Math.min(count, (block + 1) * BLOCK_SIZE);
    for (let i = block * BLOCK_SIZE; i < end; i++) {
      const ordinal = ordinals[i] as number;
      const entry = entries[i] as number;
      const weight =
        (entry >> 3) * (occurrences[lengthCodes[ordinal] as number] as number) + (fields[entry & 7] as number);
      if (weight > greatest) greatest = weight;
      const difference = ordinal - previous;
      previous = ordinal;
      // The first byte has six bits of the difference, for its last bit says whether the entry follows.
      const isUsual = entry === USUAL_ENTRY;
      const first = ((difference & 63) << 1) | (isUsual ? 0 : 1);
      if (difference < 64) out[at++] = first;
      else {
        out[at++] = first | 128;
        at = writeVarint(out, at, difference >>> 6);
      }
      if (!isUsual) out[at++] = entry;
    }
    out[boundsAt + block] = boundCode(greatest);
    if (blocks > 1) {
      writeUint32(out, lastsAt + block * 4, previous);
      writeUint32(out, endsAt + block * 4, at - headBytes);
    }
  }
  return out.subarray(0, at);
}

/** Five of an ordinal and one more. */
const MAX_POSTING_BYTES = 6;

/** Reads a list of postings block by block. */
export class Postings {
  readonly count: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly #list: Uint8Array;
  readonly #boundsAt: number;
  readonly #dataAt: number;

  constructor(list: Uint8Array) {
    this.#list = list;
    this.bytes = list.byteLength;
    this.count = postingsCount(list);
    this.blocks = Math.ceil(this.count / BLOCK_SIZE);
    this.#boundsAt = varintBytes(this.count);
    this.#dataAt = this.#boundsAt + this.blocks + (this.blocks > 1 ? this.blocks * 8 : 0);
  }

  /** The greatest sum of weighted occurrences in a block, or a little more. */
  bound(block: number): number {
    return WEIGHT_OF_BOUND[this.#list[this.#boundsAt + block] ?? 255] ?? MAX_WEIGHT;
  }

  /** The last ordinal of a block; for a list of one block, which keeps none, greater than every ordinal. */
  last(block: number): number {
    return this.blocks > 1 ? readUint32(this.#list, this.#boundsAt + this.blocks + block * 4) : 0xffffffff;
  }

  /** The first block, from `block` on, that reaches as far as `ordinal`; `blocks` when none does. */
  seek(block: number, ordinal: number): number {
    if (block >= this.blocks || this.last(block) >= ordinal) return block;
    let low = block;
    let step = 1;
    while (low + step < this.blocks && this.last(low + step) < ordinal) {
      low += step;
      step *= 2;
    }
    let high = Math.min(this.blocks, low + step);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.last(middle) < ordinal) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Reads a block into `ordinals` and `entries`, of BLOCK_SIZE places each; gives how many postings it has. */
  decode(block: number, ordinals: Uint32Array, entries: Uint8Array): number {
    const list = this.#list;
    const size = Math.min(BLOCK_SIZE, this.count - block * BLOCK_SIZE);
    let at = this.#dataAt;
    let previous = -1;
    if (block > 0) {
      at += readUint32(list, this.#boundsAt + this.blocks * 5 + (block - 1) * 4);
      previous = this.last(block - 1);
    }
    for (let i = 0; i < size; i++) {
      const first = list[at++] as number;
      let difference = (first & 127) >> 1;
      let byte = first;
      for (let shift = 6; byte > 127; shift += 7) {
        byte = list[at++] as number;
        difference |= (byte & 127) << shift;
      }
      previous += difference;
      ordinals[i] = previous;
      entries[i] = (first & 1) === 0 ? USUAL_ENTRY : (list[at++] as number);
    }
    return size;
  }
}

/** How many postings a list has, of which the first five bytes will do. */
export function postingsCount(list: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < 5; i++) {
    const byte = list[i] ?? 0;
    count += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) break;
  }
  return count;
}

function writeUint32(out: Uint8Array, at: number, value: number): void {
  out[at] = value;
  out[at + 1] = value >>> 8;
  out[at + 2] = value >>> 16;
  out[at + 3] = value >>> 24;
}

function readUint32(list: Uint8Array, at: number): number {
  return (
    ((list[at] as number) |
      ((list[at + 1] as number) << 8) |
      ((list[at + 2] as number) << 16) |
      ((list[at + 3] as number) << 24)) >>>
    0
  );
}
