import { plainText } from "./plain-text.ts";
import type { ScanSink } from "./scanner.ts";
import { scan } from "./scanner.ts";
import { addPairs, clip, termOfPlainWord, termsOfWord } from "./words.ts";

/** Raised when a text gives other terms than it did: indexes of an older analyser are made again. */
export const ANALYSER_VERSION = 1;

/**
 * The terms of a text in their order, with repetitions: what is indexed and what is asked for, so that both meet. Words
 * give their stems; identifiers, dotted names, paths, versions and flags are terms as a whole and in their parts
 * (`std::vector`, `--no-address`, `C++`, `.NET`, `v1.2.3`); operators that stand alone are terms too. Chinese, Japanese,
 * Thai, Lao, Khmer and Burmese are cut into words by the dictionary of `Intl.Segmenter`.
 */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  scan(plainText(text), new TermCollector(terms, true));
  return terms;
}

/**
 * The terms of a query: those of `analyse`, but of a Chinese or Japanese word not the pairs of its characters. They are for
 * words that the dictionary cuts otherwise here than there, and would count such a word more than once.
 */
export function analyseQuery(text: string): string[] {
  const terms: string[] = [];
  scan(plainText(text), new TermCollector(terms, false));
  return terms;
}

/** The pairs of characters by which a Chinese or Japanese word is found that is nowhere as a whole; of others none. */
export function pairsOf(term: string): readonly string[] {
  const pairs = new Set<string>();
  if (term.length > 2 && HAN_OR_KANA.test(term)) addPairs(pairs, term);
  return [...pairs];
}

class TermCollector implements ScanSink {
  readonly #terms: string[];
  readonly #withPairs: boolean;

  constructor(terms: string[], withPairs: boolean) {
    this.#terms = terms;
    this.#withPairs = withPairs;
  }

  plain(text: string, from: number, end: number): void {
    this.#terms.push(termOfPlainWord(text, from, end));
  }

  word(text: string, from: number, end: number): void {
    for (const term of termsOfWord(text, from, end)) this.#terms.push(term);
  }

  unspaced(text: string, from: number, end: number): void {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(from, end))) {
      if (isWordLike !== true) continue;
      this.#terms.push(clip(segment));
      if (this.#withPairs) for (const pair of pairsOf(segment)) this.#terms.push(pair);
    }
  }

  whole(text: string, from: number, end: number): void {
    this.#terms.push(text.slice(from, end).toLowerCase());
  }

  contraction(term: string): void {
    this.#terms.push(clip(term));
  }
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
