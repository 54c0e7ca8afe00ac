import { normaliseArabic, stemHindi } from "./light-stemmers.ts";
import { stemEnglish } from "./stemmer.ts";

/** Longer terms are clipped, in the index and in queries alike, so that a blob of base64 is one short term. */
export const MAX_TERM_LENGTH = 64;

/** A power of two: words whose terms are kept ready, each in the one place that it can have. */
const CACHED_WORDS = 2 ** 17;

const cachedWords = Array.from({ length: CACHED_WORDS }, () => "");
const NO_TERMS: readonly string[] = [];
const cachedTerms = Array.from({ length: CACHED_WORDS }, () => NO_TERMS);

/**
 * The terms of one word: letters, marks, digits and underscores, with its case, in Unicode form NFKC. A plain word gives
 * its stem; an identifier gives itself in lower case and its parts (`setOnClickListener`: also set, on, click, listener);
 * a word with accents gives itself and the same without them. Each term once.
 */
export function wordTerms(word: string): readonly string[] {
  return termsOfWord(word, 0, word.length);
}

/** The terms of the word that stands in a text from `from` to before `end`; a word that is kept ready is not even cut out. */
export function termsOfWord(text: string, from: number, end: number): readonly string[] {
  let hash = 0x811c9dc5;
  for (let i = from; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  const place = (hash ^ (hash >>> 15)) & (CACHED_WORDS - 1);
  if (isThere(cachedWords[place] as string, text, from, end)) return cachedTerms[place] as readonly string[];
  const word = text.slice(from, end);
  const terms = makeTerms(word);
  cachedWords[place] = word;
  cachedTerms[place] = terms;
  return terms;
}

/** Letters of the plain words that are kept ready, and one byte for how many there are. */
const PLAIN_WORD_BYTES = 16;

/** The words themselves, side by side: most of them are not in the processor's cache, and each look elsewhere takes long. */
const plainWords = new Uint8Array(CACHED_WORDS * PLAIN_WORD_BYTES);
const plainTerms = Array.from({ length: CACHED_WORDS }, () => "");

/** The term of a word of the letters a to z, of which the first may be a capital. */
export function termOfPlainWord(text: string, from: number, end: number): string {
  const length = end - from;
  if (length >= PLAIN_WORD_BYTES) return plainTerm(text.slice(from, end).toLowerCase());
  let hash = 0x811c9dc5;
  for (let i = from; i < end; i++) hash = Math.imul(hash ^ (text.charCodeAt(i) | 0x20), 0x01000193);
  const place = (hash ^ (hash >>> 15)) & (CACHED_WORDS - 1);
  const at = place * PLAIN_WORD_BYTES;
  if (plainWords[at] === length) {
    let i = 0;
    while (i < length && plainWords[at + 1 + i] === (text.charCodeAt(from + i) | 0x20)) i++;
    if (i === length) return plainTerms[place] as string;
  }
  const term = plainTerm(text.slice(from, end).toLowerCase());
  plainWords[at] = length;
  for (let i = 0; i < length; i++) plainWords[at + 1 + i] = text.charCodeAt(from + i) | 0x20;
  plainTerms[place] = term;
  return term;
}

function isThere(word: string, text: string, from: number, end: number): boolean {
  if (word.length !== end - from) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(from + i)) return false;
  return true;
}

function makeTerms(word: string): readonly string[] {
  if (/^[A-Za-z][a-z]*$|^[A-Z]+$/.test(word)) return [plainTerm(word.toLowerCase())];
  if (/^_{3,}$/.test(word)) return [];
  if (/^\w+$/.test(word)) return identifierTerms(word);
  return otherTerms(word.toLowerCase());
}

function identifierTerms(word: string): readonly string[] {
  const terms = new Set([plainTerm(word.toLowerCase())]);
  for (const part of word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []) {
    if (part.length === 1 && !/[0-9]/.test(part)) continue;
    terms.add(plainTerm(part.toLowerCase()));
  }
  return [...terms];
}

function plainTerm(lower: string): string {
  return clip(/^[a-z]+$/.test(lower) ? stemEnglish(lower) : lower);
}

/** A word of which at least one character is not ASCII. */
function otherTerms(lower: string): readonly string[] {
  const terms = new Set<string>();
  if (/\p{Script=Hangul}/u.test(lower)) {
    terms.add(clip(lower));
    addPairs(terms, lower);
  } else if (/\p{Script=Arabic}/u.test(lower)) {
    terms.add(clip(normaliseArabic(lower)));
  } else if (/\p{Script=Devanagari}/u.test(lower)) {
    terms.add(clip(stemHindi(lower)));
  } else if (/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}]/u.test(lower)) {
    terms.add(clip(lower));
    terms.add(plainTerm(fold(lower)));
    for (const part of lower.split(/[_0-9]+/)) if (part.length > 1) terms.add(plainTerm(fold(part)));
  } else {
    terms.add(clip(lower));
  }
  return [...terms];
}

/** Two neighbouring characters each: how a language is found whose words are written together. */
export function addPairs(terms: Set<string>, word: string): void {
  const characters = [...word];
  for (let i = 0; i + 1 < characters.length; i++) terms.add((characters[i] ?? "") + (characters[i + 1] ?? ""));
}

const LETTERS_THAT_DO_NOT_DECOMPOSE: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ı", "i"],
  ["ς", "σ"],
]);

/** Without accents: `naïve` → `naive`, `Straße` → `strasse`, `ёлка` → `елка`. */
function fold(lower: string): string {
  return lower
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS_THAT_DO_NOT_DECOMPOSE.get(letter) ?? letter);
}

export function clip(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  // Half of a surrogate pair has no UTF-8 of its own.
  return term.slice(0, MAX_TERM_LENGTH - (isHighSurrogate(term.charCodeAt(MAX_TERM_LENGTH - 1)) ? 1 : 0));
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
