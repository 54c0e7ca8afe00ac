import type { ChunkText } from "../domain/chunk.ts";
import { analyse } from "./analyser.ts";
import { isUnspaced } from "./characters.ts";
import { plainText } from "./plain-text.ts";

/** What a passage must and must not say, in its text, its headings or its title. */
export interface TextConditions {
  /** Words that stand one after the other, with their endings as they are; case, accents and punctuation are free. */
  readonly phrases: readonly string[];
  /** Words that it must not have, in any of their forms. */
  readonly excluded: readonly string[];
}

/** A test of passages; undefined when there is nothing to test. */
export function textTest({ phrases, excluded }: TextConditions): ((chunk: ChunkText) => boolean) | undefined {
  if (phrases.length === 0 && excluded.length === 0) return undefined;
  const wanted = phrases.map((phrase) => plainWords(phrase));
  const unwanted = excluded.map((word) => [...new Set(analyse(word))]);
  return (chunk) => {
    const parts = [chunk.content, ...chunk.headings, chunk.title];
    if (wanted.length > 0) {
      const texts = parts.map((part) => plainWords(part));
      if (!wanted.every((phrase) => texts.some((text) => hasPhrase(text, phrase)))) return false;
    }
    if (unwanted.length === 0) return true;
    const terms = new Set(parts.flatMap((part) => analyse(part)));
    return !unwanted.some((word) => word.every((term) => terms.has(term)));
  };
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
