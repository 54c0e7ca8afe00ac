import type { ChunkText } from "../domain/chunk.ts";
import { analyse } from "./analyser.ts";
import { isUnspaced } from "./characters.ts";
import type { OramaHit } from "./orama.ts";
import type { Presence } from "./presence.ts";
import { isInText } from "./presence.ts";
import { plainText } from "./plain-text.ts";

/** What a passage must and must not say, in its text, its headings or its title. */
export interface TextConditions {
  /** Words that stand one after the other, with their endings as they are; case, accents and punctuation are free. */
  readonly phrases: readonly string[];
  /** Words that it must not have, in any of their forms. */
  readonly excluded: readonly string[];
}

/** Tells where terms stand in chunks. */
interface TermLookup {
  presence(terms: readonly string[], rows: readonly number[]): ReadonlyMap<number, Presence>;
}

/** A test of passages for phrases; undefined when there are none. */
export function phraseTest(phrases: readonly string[]): ((chunk: ChunkText) => boolean) | undefined {
  if (phrases.length === 0) return undefined;
  const wanted = phrases.map((phrase) => plainWords(phrase));
  return (chunk) => {
    const texts = [chunk.content, ...chunk.headings, chunk.title].map((part) => plainWords(part));
    return wanted.every((phrase) => texts.some((text) => hasPhrase(text, phrase)));
  };
}

/** Terms that a passage with the phrases has in any case: only such a passage need be read for them. */
export function termsOfPhrases(phrases: readonly string[]): readonly string[] {
  const words = phrases.flatMap((phrase) => plainWords(phrase).trim().split(" "));
  // The s of a possessive is no term, and what is written together may be cut otherwise in a longer text.
  return [...new Set(words.filter((word) => word.length > 1 && !isUnspaced(word)).flatMap((word) => analyse(word)))];
}

/** Those that have none of the words. */
export function withoutWords(
  engine: TermLookup,
  found: readonly OramaHit[],
  words: readonly string[],
): readonly OramaHit[] {
  if (words.length === 0) return found;
  const unwanted = termsOfWords(words);
  const terms = unwanted.flat();
  const presence = engine.presence(
    terms,
    found.map(({ row }) => row),
  );
  return found.filter(({ row }) => {
    const present = new Set(terms.filter((_, place) => isInText(presence.get(row)?.[place])));
    return !unwanted.some((word) => word.every((term) => present.has(term)));
  });
}

/** Those that may have the phrases, by their terms. */
export function withPhrases(
  engine: TermLookup,
  found: readonly OramaHit[],
  phrases: readonly string[],
): readonly OramaHit[] {
  const terms = termsOfPhrases(phrases);
  if (terms.length === 0) return found;
  const presence = engine.presence(
    terms,
    found.map(({ row }) => row),
  );
  return found.filter(({ row }) => presence.get(row)?.every((entry) => isInText(entry)) === true);
}

/** Whether a passage is there and passes. */
export function passes(test: (chunk: ChunkText) => boolean, chunk: ChunkText | undefined): boolean {
  return chunk !== undefined && test(chunk);
}

/** What a candidate without what is preferred is worth. */
const NOT_PREFERRED = 0.8;

/** Candidates without the phrases are worth less. */
export function prefer(
  engine: TermLookup,
  candidates: readonly OramaHit[],
  phrases: readonly string[],
  texts: ReadonlyMap<number, ChunkText>,
): readonly OramaHit[] {
  const test = phraseTest(phrases);
  if (test === undefined) return candidates;
  const possible = new Set(withPhrases(engine, candidates, phrases));
  return candidates.map((each) =>
    possible.has(each) && passes(test, texts.get(each.row)) ? each : { ...each, score: each.score * NOT_PREFERRED },
  );
}

/** The terms of each word: a passage with all of one has the word. */
function termsOfWords(words: readonly string[]): readonly (readonly string[])[] {
  return words.map((word) => [...new Set(analyse(word))]);
}

/** The words of a text in lower case and without accents, with one space before and after each. */
function plainWords(text: string): string {
  const words = plainText(text)
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Script=Latin}\p{M}+/gu, (letter) => letter.charAt(0))
    .normalize("NFC")
    .match(/[\p{L}\p{M}\p{N}_]+/gu);
  return ` ${(words ?? []).join(" ")} `;
}

/** Scripts without spaces have no words to keep apart: there a phrase may begin and end anywhere. */
function hasPhrase(text: string, phrase: string): boolean {
  return text.includes(isUnspaced(phrase) ? phrase.trim() : phrase);
}
