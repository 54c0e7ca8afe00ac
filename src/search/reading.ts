import type { ChunkText, QueryReading } from "../domain/chunk.ts";
import { analyseQuery } from "./analyser.ts";
import { editDistance, MAX_SLIPS } from "./spelling.ts";
import { wordTerms } from "./words.ts";

/** More are not told: a reader wants to see what became of the query, not all of it again. */
const MAX_TOLD = 5;

/** Longer words and phrases are clipped when they are told. */
const MAX_TOLD_CHARS = 60;

/** What was made of a query that was taken as it is written. */
export const AS_WRITTEN: QueryReading = { corrected: [], relaxed: [], nearest: [] };

/** A correction as terms, in the words of the query and of the texts. Terms that no text shows are not told. */
export function correctionsInWords(
  corrected: ReadonlyMap<string, string>,
  query: string,
  texts: readonly ChunkText[],
): QueryReading["corrected"] {
  const words = wordsOf(query);
  return [...corrected].slice(0, MAX_TOLD).flatMap(([term, right]) => {
    const written = words.find((word) => analyseQuery(word).includes(term));
    const taken = wordOf(right, texts, written);
    return written === undefined || taken === undefined ? [] : [{ written: clipped(written), taken: clipped(taken) }];
  });
}

/**
 * The word that texts have for a term; undefined when they have none.
 * @param like of the word's forms, that is given which is written most like this, of several the most frequent.
 */
export function wordOf(term: string, texts: readonly ChunkText[], like = term): string | undefined {
  const forms = new Map<string, number>();
  for (const { title, headings, content } of texts) {
    for (const word of wordsOf([title, ...headings, content].join("\n"))) {
      if (word.charAt(0).toLowerCase() !== term.charAt(0) || !wordTerms(word).includes(term)) continue;
      const lower = word.toLowerCase();
      // An identifier has the term for a part of it, and is another word.
      if (wordTerms(word).length === 1) forms.set(lower, (forms.get(lower) ?? 0) + 1);
    }
  }
  const slips = (form: string): number => Math.min(MAX_SLIPS + 1, editDistance(like.toLowerCase(), form, MAX_SLIPS));
  return [...forms].sort(([a, timesOfA], [b, timesOfB]) => slips(a) - slips(b) || timesOfB - timesOfA)[0]?.[0];
}

/** As they are told to a reader. */
export function told(phrases: readonly string[]): readonly string[] {
  return [...new Set(phrases)].slice(0, MAX_TOLD).map(clipped);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
}

function clipped(text: string): string {
  return [...text].slice(0, MAX_TOLD_CHARS).join("");
}
