import { isUnspaced } from "./characters.ts";
import { plainText } from "./plain-text.ts";
import type { ScanSink } from "./scanner.ts";
import { scan } from "./scanner.ts";
import { termOfPlainWord, termsOfWord } from "./words.ts";

/**
 * Finds where a few terms stand in texts: what `analyse` would give, but without making the terms of all other words,
 * which is what takes time. Terms of unspaced scripts are looked for in the text itself.
 */
export class TermFinder implements ScanSink {
  readonly #terms: ReadonlyMap<string, number>;
  readonly #unspaced: readonly (readonly [place: number, term: string])[];
  /** By the first letters of a plain word: whether its stem may be one of the terms. */
  readonly #beginnings = new Uint8Array(LETTERS ** 3);
  readonly #hasWholes: boolean;
  #positions: number[][] = [];
  #position = 0;

  constructor(terms: readonly string[]) {
    this.#terms = new Map(terms.map((term, i) => [term, i]));
    this.#unspaced = terms.flatMap((term, i): [number, string][] => (isUnspaced(term) ? [[i, term]] : []));
    this.#hasWholes = terms.some((term) => !/^[\p{L}\p{N}_]+$/u.test(term));
    for (const term of terms) this.#mark(term);
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

  plain(text: string, from: number, end: number): void {
    if (this.#beginnings[beginning(text, from, end)] === 0) this.#position++;
    else this.#take(termOfPlainWord(text, from, end));
  }

  word(text: string, from: number, end: number): void {
    for (const term of termsOfWord(text, from, end)) this.#take(term);
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

  /** Marks how plain words may begin of which the term is the stem. */
  #mark(term: string): void {
    if (!/^[a-z]+$/.test(term)) return;
    const at = beginning(term, 0, term.length);
    if (term.length >= LEAST_SURE_STEM) this.#beginnings[at] = 1;
    else this.#beginnings.fill(1, at - (at % LETTERS), at - (at % LETTERS) + LETTERS);
  }

  #take(term: string): void {
    const place = this.#terms.get(term);
    if (place !== undefined) this.#positions[place]?.push(this.#position);
    this.#position++;
  }
}

/** The letters a to z, and what stands for no letter. */
const LETTERS = 27;
const NO_LETTER = 26;

/** A shorter stem may have another third letter than its word, an e where the word goes on: `use` of `using`. */
const LEAST_SURE_STEM = 4;

/** What the first three letters of a plain word stand for. A stem may have i for the y of its word: they are one. */
function beginning(text: string, from: number, end: number): number {
  const first = (text.charCodeAt(from) | 0x20) - 0x61;
  const second = end - from > 1 ? letter(text.charCodeAt(from + 1)) : NO_LETTER;
  const third = end - from > 2 ? letter(text.charCodeAt(from + 2)) : NO_LETTER;
  return (first * LETTERS + second) * LETTERS + third;
}

/** Of a small letter. */
function letter(code: number): number {
  return code === 0x79 ? 8 : code - 0x61;
}

/** Where a term of an unspaced script stands, counted in words of two characters. */
function positionsIn(text: string, term: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) positions.push(at >> 1);
  return positions;
}
