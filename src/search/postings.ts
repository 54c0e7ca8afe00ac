/**
 * One term's postings in one segment, as a blob. A posting is the ordinal of a chunk in its segment and one byte: how
 * often the term stands in the body (5 bits, at most 31) and whether it stands in headings, title and path (3 bits).
 *
 *     count varint · bound of each block, a byte · [last ordinal of each block, end of each block: 4 bytes each] · postings
 *
 * Postings come in blocks of 128, ordinals as differences in varints. The bracket is left out when there is one block.
 * A block's bound says how great the sum of weighted occurrences gets in it, so that blocks that cannot matter are
 * never read.
 */
export const BLOCK_SIZE = 128;

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

/** Writes `count` postings, given by ascending ordinals. */
export function encodePostings(
  ordinals: ArrayLike<number>,
  entries: ArrayLike<number>,
  count: number,
  bounding: Bounding,
): Buffer {
  const blocks = Math.ceil(count / BLOCK_SIZE);
  const headBytes = varintBytes(count) + blocks + (blocks > 1 ? blocks * 8 : 0);
  const out = Buffer.allocUnsafe(headBytes + count * 6);
  const boundsAt = writeVarint(out, 0, count);
  const lastsAt = boundsAt + blocks;
  const endsAt = lastsAt + blocks * 4;
  let at = headBytes;
  let previous = -1;
  for (let block = 0; block < blocks; block++) {
    let greatest = 0;
    const end = Math.min(count, (block + 1) * BLOCK_SIZE);
    for (let i = block * BLOCK_SIZE; i < end; i++) {
      const ordinal = ordinals[i] ?? 0;
      const entry = entries[i] ?? 0;
      greatest = Math.max(greatest, postingWeight(bounding, ordinal, entry));
      at = writeVarint(out, at, ordinal - previous);
      out[at++] = entry;
      previous = ordinal;
    }
    out[boundsAt + block] = boundCode(greatest);
    if (blocks > 1) {
      out.writeUInt32LE(previous, lastsAt + block * 4);
      out.writeUInt32LE(at - headBytes, endsAt + block * 4);
    }
  }
  return out.subarray(0, at);
}

/** Reads a blob of postings block by block. */
export class Postings {
  readonly count: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly #blob: Uint8Array;
  readonly #view: DataView;
  readonly #boundsAt: number;
  readonly #dataAt: number;

  constructor(blob: Uint8Array) {
    this.#blob = blob;
    this.#view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    this.bytes = blob.byteLength;
    this.count = postingsCount(blob);
    this.blocks = Math.ceil(this.count / BLOCK_SIZE);
    this.#boundsAt = varintBytes(this.count);
    this.#dataAt = this.#boundsAt + this.blocks + (this.blocks > 1 ? this.blocks * 8 : 0);
  }

  /** The greatest sum of weighted occurrences in a block, or a little more. */
  bound(block: number): number {
    return WEIGHT_OF_BOUND[this.#blob[this.#boundsAt + block] ?? 255] ?? MAX_WEIGHT;
  }

  /** The last ordinal of a block; for a list of one block, which keeps none, greater than every ordinal. */
  last(block: number): number {
    return this.blocks > 1 ? this.#view.getUint32(this.#boundsAt + this.blocks + block * 4, true) : 0xffffffff;
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
    const blob = this.#blob;
    const size = Math.min(BLOCK_SIZE, this.count - block * BLOCK_SIZE);
    let at = this.#dataAt;
    let previous = -1;
    if (block > 0) {
      at += this.#view.getUint32(this.#boundsAt + this.blocks * 5 + (block - 1) * 4, true);
      previous = this.last(block - 1);
    }
    for (let i = 0; i < size; i++) {
      let byte = blob[at++] ?? 0;
      let difference = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = blob[at++] ?? 0;
        difference |= (byte & 127) << shift;
      }
      previous += difference;
      ordinals[i] = previous;
      entries[i] = blob[at++] ?? 0;
    }
    return size;
  }
}

/** How many postings a blob has, of which the first five bytes will do. */
export function postingsCount(blob: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < 5; i++) {
    const byte = blob[i] ?? 0;
    count += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) break;
  }
  return count;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest > 127; rest >>>= 7) bytes++;
  return bytes;
}

function writeVarint(out: Uint8Array, at: number, value: number): number {
  let rest = value;
  while (rest > 127) {
    out[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  out[at++] = rest;
  return at;
}
