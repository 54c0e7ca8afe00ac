import type { QueryReading } from "../domain/chunk.ts";
import { jsonLength } from "./excerpt.ts";

/** Room for the words around what a surface says of how a query was taken. */
const READING_NOTE_CHARS = 400;

export const AS_WRITTEN: QueryReading = { corrected: [], relaxed: [], nearest: [] };

/** Room for what a surface says of how a query was taken, in a note and in fields, in characters as JSON. */
export function readingChars(reading: QueryReading): number {
  return isAsWritten(reading) ? 0 : READING_NOTE_CHARS + 2 * jsonLength(JSON.stringify(reading));
}

/** Whether there is nothing to say of how a query was taken. */
export function isAsWritten({ corrected, relaxed, nearest, without = [] }: QueryReading): boolean {
  return corrected.length + relaxed.length + nearest.length + without.length === 0;
}

/** What a search was done without, as a sentence; "" when it was done with all. */
export function withoutText({ without = [] }: QueryReading): string {
  const parts = without.map((use) => (use === "embeddings" ? "searching by meaning" : "reranking"));
  return parts.length === 0
    ? ""
    : `This was found without ${parts.join(" and ")}: the model's server did not answer in time.`;
}

/** A query with its words as they were taken. */
export function asTaken(query: string, { corrected }: QueryReading): string {
  const taken = new Map(corrected.map((each) => [each.written, each.taken]));
  return query.replace(/[\p{L}\p{M}\p{N}_]+/gu, (word) => taken.get(word) ?? word);
}
