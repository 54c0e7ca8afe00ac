import { analyse, analyseQuery } from "./analyser.ts";
import type { DocumentConditions } from "./document-table.ts";
import { alternatives } from "./synonyms.ts";
import type { TextConditions } from "./text-conditions.ts";

/** A word of a query and how much it counts, from 0 to 1. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** `glue` only holds a question together; `alternative` is another word for one that was asked for. */
  readonly role: "word" | "glue" | "alternative";
}

export interface Query {
  /** The query without what restricts it: words are ranked by. */
  readonly text: string;
  /** Each once, in their order. */
  readonly terms: readonly QueryTerm[];
  /** Terms that stand next to each other, as places in `terms`; words that only hold a question together are left out. */
  readonly pairs: readonly (readonly [number, number])[];
  /** What a passage must and must not say. */
  readonly passage: TextConditions;
  /** What it had better say: phrases in a question, whose quotation marks may be those of a title. */
  readonly preferred: readonly string[];
  /** Where it must be. */
  readonly page: DocumentConditions;
}

/** More terms than these add nothing but time: what is longer is a pasted text. */
const MAX_QUERY_TERMS = 64;

/** What a word counts that only holds a question together, beside others. */
const GLUE_WEIGHT = 0.15;

/** What another word for one of the query's counts. */
const ALTERNATIVE_WEIGHT = 0.25;

/** With more telling words than this besides, a query is a question that quotes something. */
const MOST_WORDS_BESIDE_A_PHRASE = 3;

const GLUE = new Set(
  analyse(
    "a an and any are as at be been being but by can could did do does doing for from get gets had has have having how i if in into is it its me my need of on or our should so some than that the their them then there these they this those to us use used using want was way ways we were what when where which who why will with would you your",
  ),
);

/**
 * Reads a query: words, and
 * - `"exact words"`: passages that have them, one after the other, whatever stands between them but words; beside many
 *   other words, passages that have them are only preferred;
 * - `-word`: passages that do not have it, unless it is a flag that the documentation names (`isTerm("-word")`);
 * - `source:id` and `site:host/path`: pages of that source, or whose address begins so. Several are alternatives.
 */
export function parseQuery(text: string, isTerm: (term: string) => boolean): Query {
  const sources: string[] = [];
  const sites: string[] = [];
  const excluded: string[] = [];
  const phrases: string[] = [];
  const unquoted = text.replace(PHRASE, (_quoted, phrase: string) => {
    if (analyse(phrase).length > 0) phrases.push(phrase);
    return ` ${phrase} `;
  });
  const words = (phrases.length > 0 ? text.replace(PHRASE, " ") : unquoted).split(/\s+/).filter((word) => {
    const restriction = /^(source|site):(.+)$/i.exec(word);
    if (restriction !== null) {
      (restriction[1]?.toLowerCase() === "source" ? sources : sites).push(restriction[2] ?? "");
      return false;
    }
    if (!EXCLUSION.test(word) || isTerm(word.toLowerCase())) return true;
    excluded.push(word.slice(1));
    return false;
  });
  // Nothing but exclusions asks for nothing: then they are words.
  const asked = [...words, ...phrases].join(" ").trim() === "" && excluded.length > 0 ? excluded.splice(0) : words;
  const ranked = [...phrases, ...asked].join(" ").trim();
  const isQuestion =
    analyseQuery(asked.join(" ")).filter((term) => !GLUE.has(term)).length > MOST_WORDS_BESIDE_A_PHRASE;
  return {
    text: ranked,
    ...termsOf(ranked),
    passage: { phrases: isQuestion ? [] : phrases, excluded },
    preferred: isQuestion ? phrases : [],
    page: { sources, sites },
  };
}

const PHRASE = /["“]([^"“”]+)["”]/g;
const EXCLUSION = /^-[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u;

function termsOf(text: string): Pick<Query, "terms" | "pairs"> {
  const sequence = analyseQuery(text);
  const unique = [...new Set(sequence)].slice(0, MAX_QUERY_TERMS);
  const telling = unique.some((term) => !GLUE.has(term));
  const terms = unique.map((term): QueryTerm =>
    telling && GLUE.has(term) ? { term, weight: GLUE_WEIGHT, role: "glue" } : { term, weight: 1, role: "word" },
  );
  const known = new Set(unique);
  for (const term of unique.flatMap(alternatives)) {
    if (!known.has(term)) terms.push({ term, weight: ALTERNATIVE_WEIGHT, role: "alternative" });
    known.add(term);
  }
  const places = new Map(unique.map((term, i) => [term, i]));
  const pairs: [number, number][] = [];
  const paired = new Set<string>();
  let before = -1;
  for (const term of sequence) {
    const place = places.get(term);
    if (place === undefined || (telling && GLUE.has(term))) continue;
    const key = `${before} ${place}`;
    if (before >= 0 && before !== place && !paired.has(key)) {
      paired.add(key);
      pairs.push([before, place]);
    }
    before = place;
  }
  return { terms, pairs };
}
