import { normaliseArabic, stemHindi } from "./light-stemmers.ts";
import { stemEnglish } from "./stemmer.ts";

/** Longer terms are clipped, in the index and in queries alike, so that a blob of base64 is one short term. */
export const MAX_TERM_LENGTH = 64;

/** Words whose terms are kept ready; enough for the words of a large site, and bounded. */
const MAX_CACHED_WORDS = 100_000;

const cached = new Map<string, readonly string[]>();

/**
 * The terms of one word: letters, marks, digits and underscores, with its case, in Unicode form NFKC. A plain word gives
 * its stem; an identifier gives itself in lower case and its parts (`setOnClickListener`: also set, on, click, listener);
 * a word with accents gives itself and the same without them. Each term once.
 */
export function wordTerms(word: string): readonly string[] {
  const known = cached.get(word);
  if (known !== undefined) return known;
  const terms = makeTerms(word);
  if (cached.size >= MAX_CACHED_WORDS) cached.clear();
  cached.set(word, terms);
  return terms;
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
  return term.length > MAX_TERM_LENGTH ? term.slice(0, MAX_TERM_LENGTH) : term;
}
