import { classAt, OPERATOR, SPACE, UNSPACED, WORD, wordEnd } from "./characters.ts";
import { MAX_TERM_LENGTH } from "./words.ts";

/** Takes what a scanner finds, in the order of the text but that a whole comes after its parts. */
export interface ScanSink {
  /** A word of the letters a to z, of which the first may be a capital, that stands alone: most words are such. */
  plain(text: string, from: number, end: number): void;
  /** A word: letters, marks, digits and underscores, from `from` to before `end`. */
  word(text: string, from: number, end: number): void;
  /** A run of a script that is written without spaces. */
  unspaced(text: string, from: number, end: number): void;
  /** A compound, a word with a sign, or an operator; short enough for a term. */
  whole(text: string, from: number, end: number): void;
  /** A contraction without its apostrophe: `dont`. */
  contraction(term: string): void;
}

/** A compound of more words, such as a long path, is found by its words alone. */
const MAX_COMPOUND_WORDS = 8;

/** Finds the words of a text, and what they form together. */
export function scan(text: string, sink: ScanSink): void {
  new Scanner(text, sink).scan();
}

class Scanner {
  readonly #text: string;
  readonly #sink: ScanSink;

  constructor(text: string, sink: ScanSink) {
    this.#text = text;
    this.#sink = sink;
  }

  scan(): void {
    let i = 0;
    while (i < this.#text.length) {
      switch (classAt(this.#text, i)) {
        case WORD: {
          const end = plainEnd(this.#text, i);
          if (end > 0) this.#sink.plain(this.#text, i, end);
          i = end > 0 ? end : this.#compound(i);
          break;
        }
        case UNSPACED:
          i = this.#unspaced(i);
          break;
        case OPERATOR:
          i = this.#operator(i);
          break;
        default:
          i++;
      }
    }
  }

  #class(i: number): number {
    return i < 0 || i >= this.#text.length ? SPACE : classAt(this.#text, i);
  }

  /** Words that are joined by `.`, `::`, `-`, `/` and the like, and what belongs to them before and after. */
  #compound(start: number): number {
    const text = this.#text;
    let end = start;
    let words = 0;
    for (;;) {
      const from = end;
      end = wordEnd(text, end);
      this.#sink.word(text, from, end);
      words++;
      const next = this.#joined(end);
      if (next === 0) break;
      end = next;
    }
    if (APOSTROPHES.has(text.charCodeAt(end)) && this.#class(end + 1) === WORD) end = this.#apostrophe(start, end);
    if (words > 1 && words <= MAX_COMPOUND_WORDS) this.#whole(start, end);
    this.#prefixed(start, end);
    return this.#suffixed(start, end);
  }

  /** Where the next word of the compound begins, or 0 when none does. */
  #joined(end: number): number {
    switch (this.#text.charCodeAt(end)) {
      case 0x2e: // .
      case 0x2f: // /
      case 0x40: // @
      case 0x5c: // \
        return this.#class(end + 1) === WORD ? end + 1 : 0;
      case 0x3a: // : and ::
        if (this.#class(end + 1) === WORD) return end + 1;
        return this.#text.charCodeAt(end + 1) === 0x3a && this.#class(end + 2) === WORD ? end + 2 : 0;
      case 0x2d: // - and ->
        if (this.#class(end + 1) === WORD) return end + 1;
        return this.#text.charCodeAt(end + 1) === 0x3e && this.#class(end + 2) === WORD ? end + 2 : 0;
      default:
        return 0;
    }
  }

  /** `page's` is `page`; `don't` is also `dont`; `l'article` is two words. Gives where scanning goes on. */
  #apostrophe(start: number, end: number): number {
    let after = end + 1;
    while (this.#class(after) === WORD) after++;
    const suffix = this.#text.slice(end + 1, after).toLowerCase();
    if (suffix === "s") return after;
    if (!/^(?:t|re|ve|ll|d|m)$/.test(suffix)) return end;
    this.#sink.contraction(this.#text.slice(start, end).toLowerCase() + suffix);
    return after;
  }

  /** `--no-address`, `-v`, `.NET`, `@property`, `$HOME`, `%Y`, `#include`: a sign before the word, after a space. */
  #prefixed(start: number, end: number): void {
    const text = this.#text;
    if (start === 0 || !PREFIXES.has(text.charCodeAt(start - 1))) return;
    const from = text.charAt(start - 2) === "-" && text.charAt(start - 1) === "-" ? start - 2 : start - 1;
    if (this.#class(from - 1) !== SPACE) return;
    this.#whole(from, end);
  }

  /** `C++`, `g++`, `C#`, `F#`: a sign after the word that is part of the name. */
  #suffixed(start: number, end: number): number {
    const text = this.#text;
    if (end - start > MAX_SIGNED_NAME) return end;
    const sign = text.startsWith("++", end) ? "++" : text.charAt(end) === "#" ? "#" : "";
    if (sign === "" || this.#class(end + sign.length) === OPERATOR) return end;
    this.#whole(start, end + sign.length);
    return end + sign.length;
  }

  #operator(start: number): number {
    let end = start;
    while (this.#class(end) === OPERATOR) end++;
    if (end - start > MAX_OPERATOR_LENGTH || this.#class(start - 1) !== SPACE || this.#class(end) !== SPACE) return end;
    const run = this.#text.slice(start, end);
    const quoted = this.#text.charAt(start - 1) === "`" && this.#text.charAt(end) === "`";
    if (quoted || !MARKUP.test(run)) this.#whole(start, end);
    return end;
  }

  #unspaced(start: number): number {
    let end = start;
    while (this.#class(end) === UNSPACED) end++;
    this.#sink.unspaced(this.#text, start, end);
    return end;
  }

  #whole(from: number, end: number): void {
    if (end - from <= MAX_TERM_LENGTH) this.#sink.whole(this.#text, from, end);
  }
}

/**
 * Where a word ends that begins at `start`, when it is of the letters a to z but for a capital first, and no sign beside it can
 * belong to it; 0 otherwise. What is asked of most words is asked at once here, for texts are scanned for every search.
 */
function plainEnd(text: string, start: number): number {
  const first = text.charCodeAt(start) | 0x20;
  if (first < 0x61 || first > 0x7a) return 0;
  if (start > 0 && MAY_PRECEDE[text.charCodeAt(start - 1)] === 1) return 0;
  let end = start + 1;
  let code = text.charCodeAt(end);
  while (code >= 0x61 && code <= 0x7a) code = text.charCodeAt(++end);
  if (end === text.length) return end;
  if (MAY_FOLLOW[code] === 1) {
    // A full stop or a colon joins two words, and more often ends a sentence.
    const next = text.charCodeAt(end + 1);
    return (code === 0x2e || code === 0x3a) && (next === 0x20 || next === 0x0a) ? end : 0;
  }
  return classAt(text, end) === WORD ? 0 : end;
}

const APOSTROPHES: ReadonlySet<number> = new Set([0x27, 0x2019]);
/** The signs that may stand before a word as part of its name: - . @ $ % # & */
const PREFIXES: ReadonlySet<number> = new Set([..."-.@$%#&"].map((sign) => sign.charCodeAt(0)));
/** By code unit, 1 for a sign after which, or before which, a word may be more than a plain one. */
const MAY_PRECEDE = new Uint8Array(0x10000);
for (const code of PREFIXES) MAY_PRECEDE[code] = 1;
const MAY_FOLLOW = new Uint8Array(0x10000);
for (const sign of "./@\\:-+#'’") MAY_FOLLOW[sign.charCodeAt(0)] = 1;
const MAX_SIGNED_NAME = 3;
const MAX_OPERATOR_LENGTH = 3;
/** What Markdown and prose write for other reasons than to name an operator. */
const MARKUP = /^(?:[-+*>|#:./?!&=]|-{2,}|#{2,}|={3,}|\*{3,}|[?!.]{2,})$/;
