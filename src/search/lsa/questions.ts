import type { ChunkText } from "../../domain/chunk.ts";
import { analyseQuery } from "../analyser.ts";
import type { FitRequest } from "./fit.ts";

/** A heading of fewer words could stand over anything. */
const LEAST_TERMS = 2;

/**
 * The corpus' own headings as questions for their sections; the title where there is none. What stands over several of them,
 * such as "See also", asks for none.
 */
export function headingQuestions(texts: readonly ChunkText[]): FitRequest["questions"] {
  const found = texts.map(({ rowId, headings, title }) => ({
    row: rowId,
    terms: [...new Set(analyseQuery(headings.at(-1) ?? title))],
  }));
  const times = new Map<string, number>();
  for (const { terms } of found) times.set(terms.join(" "), (times.get(terms.join(" ")) ?? 0) + 1);
  return found.filter(({ terms }) => terms.length >= LEAST_TERMS && times.get(terms.join(" ")) === 1);
}
