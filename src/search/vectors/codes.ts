/**
 * Vectors as whole numbers and as signs. Signs are compared many times faster and need a thirtieth of the memory; they choose
 * the few whose whole numbers are then compared.
 */

/** More signs cost time with each query and choose hardly better. */
const MAX_SIGNS = 256;

/** The words of 32 signs that a vector of so many numbers has. */
export function signWords(dimensions: number): number {
  return Math.ceil(Math.min(dimensions, MAX_SIGNS) / 32);
}

/** The direction of a vector in whole numbers from -127 to 127; its length is lost, which a cosine does not need. */
export function wholeNumbers(vector: Float32Array): Int8Array {
  const greatest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Int8Array.from(vector, (value) => Math.round((value * 127) / greatest));
}

/** Writes the signs of a vector. */
export function writeSigns(vector: ArrayLike<number>, to: Uint32Array, from: number): void {
  const words = signWords(vector.length);
  for (let word = 0; word < words; word++) {
    let signs = 0;
    for (let bit = 0; bit < 32; bit++) if ((vector[word * 32 + bit] ?? 0) > 0) signs |= 1 << bit;
    to[from + word] = signs >>> 0;
  }
}

/** How many signs of a vector, that begins at a place, are other than those of another. */
export function differingSigns(signs: Uint32Array, from: number, other: Uint32Array): number {
  // Counts of each byte, of at most 8 words: they stay below 256, so that they are added up once.
  let counts = 0;
  for (let word = 0; word < other.length; word++) {
    let bits = (signs[from + word] as number) ^ (other[word] as number);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    counts += (bits + (bits >>> 4)) & 0x0f0f0f0f;
  }
  const pairs = (counts & 0x00ff00ff) + ((counts >>> 8) & 0x00ff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
}

/** The cosine of two vectors; 0 when they are not of one length. */
export function cosine(a: Int8Array, b: Int8Array): number {
  if (a.length !== b.length) return 0;
  let [dot, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    dot += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return dot / (Math.sqrt(squareA * squareB) || 1);
}
