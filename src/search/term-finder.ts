import { isUnspaced } from "./characters.ts";
import { plainText } from "./plain-text.ts";
import type { ScanSink } from "./scanner.ts";
import { scan } from "./scanner.ts";
import { wordTerms } from "./words.ts";

/**
 * Finds where a few terms stand in texts: what `analyse` would give, but without making the terms of all other words,
 * which is what takes time. Terms of unspaced scripts are looked for in the text itself.
 */
export class TermFinder implements ScanSink {
  readonly #terms: ReadonlyMap<string, number>;
  readonly #unspaced: readonly (readonly [place: number, term: string])[];
  /** By the first two letters of a plain word: whether its stem may be one of the terms. */
  readonly #beginnings = new Uint8Array(26 * 27);
  readonly #hasWholes: boolean;
  #positions: number[][] = [];
  #position = 0;

  constructor(terms: readonly string[]) {
    this.#terms = new Map(terms.map((term, i) => [term, i]));
    this.#unspaced = terms.flatMap((term, i): [number, string][] => (isUnspaced(term) ? [[i, term]] : []));
    this.#hasWholes = terms.some((term) => !/^[\p{L}\p{N}_]+$/u.test(term));
    for (const term of terms) {
      const at = beginning(term, 0, term.length);
      if (at >= 0) this.#beginnings[at] = 1;
    }
  }

  /** For each term, its positions in a Markdown text, counted in terms and ascending. */
  find(markdown: string): readonly (readonly number[])[] {
    const text = plainText(markdown);
    this.#positions = Array.from({ length: this.#terms.size }, () => []);
    this.#position = 0;
    scan(text, this);
    for (const [place, term] of this.#unspaced) this.#positions[place] = positionsIn(text, term);
    return this.#positions;
  }

  word(text: string, from: number, end: number): void {
    const at = beginning(text, from, end);
    if (at >= 0 && this.#beginnings[at] === 0) {
      this.#position++;
      return;
    }
    for (const term of wordTerms(text.slice(from, end))) this.#take(term);
  }

  unspaced(_text: string, from: number, end: number): void {
    this.#position += (end - from) >> 1;
  }

  whole(text: string, from: number, end: number): void {
    if (this.#hasWholes) this.#take(text.slice(from, end).toLowerCase());
    else this.#position++;
  }

  contraction(term: string): void {
    this.#take(term);
  }

  #take(term: string): void {
    const place = this.#terms.get(term);
    if (place !== undefined) this.#positions[place]?.push(this.#position);
    this.#position++;
  }
}

/**
 * What the first two letters of a plain word stand for, which its stem begins with too, but that y and i are one
 * (`dying`: `die`); -1 for a word that is more than a plain one, and gives more terms than its stem.
 */
function beginning(text: string, from: number, end: number): number {
  const first = (text.charCodeAt(from) | 32) - 97;
  if (first < 0 || first > 25) return -1;
  let capitals = 0;
  for (let i = from; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 65 && code <= 90) capitals += i === from ? 0 : 1;
    else if (code < 97 || code > 122) return -1;
  }
  if (capitals > 0 && (capitals < end - from - 1 || text.charCodeAt(from) > 90)) return -1;
  const second = end - from > 1 ? (text.charCodeAt(from + 1) | 32) - 97 : 26;
  return first * 27 + (second === 24 ? 8 : second);
}

/** Where a term of an unspaced script stands, counted in words of two characters. */
function positionsIn(text: string, term: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) positions.push(at >> 1);
  return positions;
}
