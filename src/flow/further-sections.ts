import { pathOf } from "./origin.ts";
import type { FurtherSections, QueryPorts } from "./queries.ts";
import type { Ranked, Ranking } from "./ranked-passages.ts";

/** Documents whose further passages are named: the best of what was found. */
const MAX_DOCUMENTS = 2;
/** One more passage is nothing to point at. */
const LEAST_PASSAGES = 2;
/** Sections that are named of one. */
const MAX_SECTIONS = 4;
/** A section is found by the beginning of its heading, and a page must not make a note of the server's long. */
const MAX_HEADING_CHARS = 80;

/**
 * The sections of the best documents in which more was found than is given: an answer may be in the third passage of a
 * page, of which two are given so that other pages have room.
 */
export function furtherSections(
  { corpus }: Pick<QueryPorts, "corpus">,
  { further }: Ranking,
  page: readonly Ranked[],
): readonly FurtherSections[] {
  const given = [...new Set(page.map(({ passage }) => passage.parent))].slice(0, MAX_DOCUMENTS);
  if (given.length === 0 || further.length === 0) return [];
  const passages = corpus.passages(further);
  return given.flatMap((name) => {
    const shown = page.filter(({ passage }) => passage.parent === name);
    const own = passages.filter(
      ({ parent, ordinal }) =>
        parent === name &&
        !shown.some(({ passage, chunks }) => ordinal >= passage.ordinal && ordinal < passage.ordinal + chunks),
    );
    if (own.length < LEAST_PASSAGES) return [];
    const known = new Set(shown.map(({ passage }) => passage.headings.at(-1) ?? ""));
    const sections = [...new Set(own.map(({ headings }) => headings.at(-1) ?? ""))].filter((name) => !known.has(name));
    const named = sections
      .slice(0, MAX_SECTIONS)
      .map((heading) => pathOf({ title: heading, headings: [] }).slice(0, MAX_HEADING_CHARS));
    return named.length === 0 ? [] : [{ name, sections: named }];
  });
}
