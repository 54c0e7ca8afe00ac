/**
 * The greatest singular vectors of a sparse matrix, by the randomised range finder with power iterations (Halko, Martinsson
 * and Tropp, "Finding structure with randomness", 2011, algorithms 4.4 and 5.1). Own code: it is this file, and the libraries
 * that have it bring megabytes.
 */

/** Rows of a sparse matrix, one after the other. */
export interface SparseRows {
  readonly columns: number;
  /** Where each row begins; one more than there are rows. */
  readonly begins: Uint32Array;
  readonly places: Uint32Array;
  readonly values: Float32Array;
}

/** More directions than are asked for, so that the last of them are found well. */
const OVERSAMPLING = 8;

const POWER_ITERATIONS = 2;

/** Sweeps of Jacobi's method; a matrix of this size needs fewer. */
const MAX_SWEEPS = 30;

/**
 * The right singular vectors of a matrix, as `dimensions` numbers for each of its columns, the greatest first.
 * @param random from 0 to 1, the same each time for the same result.
 */
export function rightSingularVectors(matrix: SparseRows, dimensions: number, random: () => number): Float32Array {
  const width = Math.min(dimensions + OVERSAMPLING, matrix.columns, matrix.begins.length - 1);
  let basis: Float32Array = Float32Array.from({ length: matrix.columns * width }, () => gaussian(random));
  for (let i = 0; i < POWER_ITERATIONS; i++) {
    basis = timesTransposed(matrix, times(matrix, basis, width), width);
    orthonormalise(basis, width);
  }
  const { values, vectors } = eigenvectors(gram(times(matrix, basis, width), width), width);
  const order = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0)).slice(0, dimensions);
  const found = new Float32Array(matrix.columns * dimensions);
  for (let row = 0; row < matrix.columns; row++) {
    for (const [to, from] of order.entries()) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += at(basis, row * width + k) * at(vectors, k * width + from);
      found[row * dimensions + to] = sum;
    }
  }
  return found;
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (Mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(random() + Number.MIN_VALUE)) * Math.cos(2 * Math.PI * random());
}

function times({ begins, places, values }: SparseRows, dense: Float32Array, width: number): Float32Array {
  const rows = begins.length - 1;
  const product = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const to = row * width;
    for (let i = at(begins, row); i < at(begins, row + 1); i++) {
      const [from, value] = [at(places, i) * width, at(values, i)];
      for (let k = 0; k < width; k++) product[to + k] = at(product, to + k) + value * at(dense, from + k);
    }
  }
  return product;
}

function timesTransposed(matrix: SparseRows, dense: Float32Array, width: number): Float32Array {
  const { begins, places, values, columns } = matrix;
  const product = new Float32Array(columns * width);
  for (let row = 0; row + 1 < begins.length; row++) {
    const from = row * width;
    for (let i = at(begins, row); i < at(begins, row + 1); i++) {
      const [to, value] = [at(places, i) * width, at(values, i)];
      for (let k = 0; k < width; k++) product[to + k] = at(product, to + k) + value * at(dense, from + k);
    }
  }
  return product;
}

/** The transposed of a tall matrix times itself. */
function gram(tall: Float32Array, width: number): Float64Array {
  const product = new Float64Array(width * width);
  for (let row = 0; row < tall.length; row += width) {
    for (let a = 0; a < width; a++) {
      const value = at(tall, row + a);
      for (let b = 0; b <= a; b++) product[a * width + b] = at(product, a * width + b) + value * at(tall, row + b);
    }
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) product[b * width + a] = at(product, a * width + b);
  return product;
}

/** Makes the columns of a tall matrix orthonormal, by Cholesky's factor of its Gram matrix; twice, for the precision. */
function orthonormalise(tall: Float32Array, width: number): void {
  for (let time = 0; time < 2; time++) {
    const factor = cholesky(gram(tall, width), width);
    for (let row = 0; row < tall.length; row += width) {
      for (let a = 0; a < width; a++) {
        let sum = at(tall, row + a);
        for (let b = 0; b < a; b++) sum -= at(factor, a * width + b) * at(tall, row + b);
        tall[row + a] = sum / at(factor, a * width + a);
      }
    }
  }
}

function cholesky(matrix: Float64Array, width: number): Float64Array {
  const factor = new Float64Array(width * width);
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = at(matrix, a * width + b);
      for (let k = 0; k < b; k++) sum -= at(factor, a * width + k) * at(factor, b * width + k);
      // A direction that the matrix does not have is kept at next to nothing, for it cannot be divided by.
      const least = 1e-7 * Math.max(at(matrix, a * width + a), 1e-20);
      factor[a * width + b] = a === b ? Math.sqrt(Math.max(sum, least)) : sum / at(factor, b * width + b);
    }
  }
  return factor;
}

/** Of a symmetric matrix, by Jacobi's rotations; the vectors are columns. */
function eigenvectors(
  matrix: Float64Array,
  width: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const vectors = new Float64Array(width * width);
  for (let i = 0; i < width; i++) vectors[i * width + i] = 1;
  const scale = matrix.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rest = 0;
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        const off = at(matrix, p * width + q);
        if (Math.abs(off) <= 1e-13 * scale) continue;
        rest++;
        const theta = (at(matrix, q * width + q) - at(matrix, p * width + p)) / (2 * off);
        const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cosine = 1 / Math.sqrt(tangent * tangent + 1);
        rotate(matrix, vectors, width, p, q, cosine, tangent * cosine);
      }
    }
    if (rest === 0) break;
  }
  return { values: Float64Array.from({ length: width }, (_, i) => at(matrix, i * width + i)), vectors };
}

function rotate(
  matrix: Float64Array,
  vectors: Float64Array,
  width: number,
  p: number,
  q: number,
  cosine: number,
  sine: number,
): void {
  const turn = (numbers: Float64Array, first: number, second: number): void => {
    const [a, b] = [at(numbers, first), at(numbers, second)];
    numbers[first] = cosine * a - sine * b;
    numbers[second] = sine * a + cosine * b;
  };
  for (let k = 0; k < width; k++) turn(matrix, k * width + p, k * width + q);
  for (let k = 0; k < width; k++) turn(matrix, p * width + k, q * width + k);
  for (let k = 0; k < width; k++) turn(vectors, k * width + p, k * width + q);
}

/** A number that is there: the loops above stay within their arrays. */
function at(numbers: Float32Array | Float64Array | Uint32Array, index: number): number {
  return numbers[index] as number;
}
