import { plainText } from "./plain-text.ts";
import type { ScanSink } from "./scanner.ts";
import { scan } from "./scanner.ts";
import { addPairs, clip, wordTerms } from "./words.ts";

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
  scan(plainText(text), new TermCollector(terms));
  return terms;
}

class TermCollector implements ScanSink {
  readonly #terms: string[];

  constructor(terms: string[]) {
    this.#terms = terms;
  }

  word(text: string, from: number, end: number): void {
    for (const term of wordTerms(text.slice(from, end))) this.#terms.push(term);
  }

  unspaced(text: string, from: number, end: number): void {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(from, end))) {
      if (isWordLike !== true) continue;
      const terms = new Set([clip(segment)]);
      if (segment.length > 2 && HAN_OR_KANA.test(segment)) addPairs(terms, segment);
      for (const term of terms) this.#terms.push(term);
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
