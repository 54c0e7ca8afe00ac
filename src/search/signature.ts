/** Bytes of a signature. */
const BINS = 64;

/** Words that are taken together. */
const SHINGLE_WORDS = 3;

/** With fewer bins filled in both, a text is too short to tell a version of it from another text. */
const LEAST_BINS = 40;

/** Where a bin is empty. */
const EMPTY = 0;

/**
 * A sketch of what pages say, by which those that differ by a few lines are found: of every three words that follow one
 * another a hash, of the hashes that fall into one bin the least, and of that one byte. Takes time linear in the texts.
 * Source: one permutation hashing (Li, Owen and Zhang, 2012) with b-bit minima (Li and König, 2010).
 */
export function signatureOf(texts: readonly string[]): Uint8Array {
  const least = new Float64Array(BINS).fill(Infinity);
  let words = 0;
  let before = 0;
  let twoBefore = 0;
  const take = (word: number): void => {
    const last = mixed(word);
    const hash = Math.imul(Math.imul(twoBefore, 0x9e3779b1) ^ before, 0x85ebca6b) ^ last;
    twoBefore = before;
    before = last;
    if (++words < SHINGLE_WORDS) return;
    const bin = hash & (BINS - 1);
    const value = hash >>> 6;
    if (value < (least[bin] as number)) least[bin] = value;
  };
  for (const text of texts) {
    let word = 0;
    for (let i = 0; i <= text.length; i++) {
      const code = i < text.length ? text.charCodeAt(i) : SPACE;
      if (isOfWord(code)) word = (Math.imul(word, 0x01000193) ^ code) | 1;
      else if (word !== 0) {
        take(word);
        word = 0;
      }
    }
  }
  return Uint8Array.from(least, (value) => (value === Infinity ? EMPTY : 1 + ((mixed(value) >>> 0) % 255)));
}

/** The share of what two pages say that both say, from 0 to 1, about; 0 when one is too short to tell. */
export function likeness(a: Uint8Array, b: Uint8Array): number {
  let filled = 0;
  let same = 0;
  for (let i = 0; i < BINS; i++) {
    if (a[i] === EMPTY && b[i] === EMPTY) continue;
    filled++;
    if (a[i] === b[i]) same++;
  }
  return filled < LEAST_BINS ? 0 : same / filled;
}

const SPACE = 0x20;

/** Digits, letters and all that is beyond ASCII. */
function isOfWord(code: number): boolean {
  return code > 127 || (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

/** Source: the finaliser of MurmurHash3, public domain, by Austin Appleby. */
function mixed(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
