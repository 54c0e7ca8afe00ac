import { CarrelError } from "../domain/errors.ts";
import type { Filter } from "../domain/filter.ts";
import type { CorpusStats } from "../domain/ports.ts";
import { answerQuestion } from "./answer.ts";
import { doubtOf } from "./answerable.ts";
import { describeSources } from "./coverage.ts";
import { fitPassages, fits, frameChars, furtherChars, roomLeft, DOUBT_NOTE_CHARS } from "./find-passages.ts";
import { furtherSections } from "./further-sections.ts";
import { pageToken, rankOf } from "./page-token.ts";
import type { Searched } from "./page-token.ts";
import {
  ANSWER_CHARS,
  DEFAULT_PAGE_SIZE,
  MAX_NAMES,
  MAX_PAGE_SIZE,
  MAX_QUERY_CHARS,
  SEARCH_REPLY_CHARS,
} from "./queries.ts";
import type { DocumentFailure, Doubt, FurtherSections, Queries, QueryPorts } from "./queries.ts";
import { pageOf, passagesOf, rankedPassages } from "./ranked-passages.ts";
import { findRange, fitDocuments, nearestNames } from "./read-documents.ts";
import type { FoundDocument } from "./read-documents.ts";
import { AS_WRITTEN, asTaken, readingChars } from "./reading.ts";
import { selection } from "./selection.ts";
import { completeSections } from "./whole-sections.ts";

export type { Queries } from "./queries.ts";

/** How many names that were not found are answered with the nearest ones; each costs a search. */
const MAX_SUGGESTIONS = 5;

/** Sets of documents that are kept; each takes some megabytes in a corpus of 100,000. */
const MAX_CACHED_SETS = 4;

export function createQueries(ports: QueryPorts): Queries {
  const { corpus, index } = ports;
  let counted: CorpusStats | undefined;

  // Counting reads every document's row, and the counts change with the revision only.
  function stats(): CorpusStats {
    if (counted === undefined || counted.revision !== corpus.revision()) counted = corpus.stats();
    return counted;
  }

  // A filter is asked for again with each page of a search, and looks at every document.
  const sets = new Map<string, ReadonlySet<number>>();
  let setsRevision = -1;
  function matching(chosen: Filter): ReadonlySet<number> {
    const revision = corpus.revision();
    if (revision !== setsRevision || sets.size >= MAX_CACHED_SETS) sets.clear();
    setsRevision = revision;
    const key = JSON.stringify(chosen);
    const documents = sets.get(key) ?? corpus.matching(chosen);
    sets.set(key, documents);
    return documents;
  }

  /** Ids of the documents to look in; undefined for all. */
  function within(filter: string, source: string): ReadonlySet<number> | undefined {
    if (filter === "" && source === "") return undefined;
    const chosen = selection(filter, source, stats().sources, corpus.titles());
    return chosen === undefined ? undefined : matching(chosen);
  }

  return {
    answers: ports.writer === undefined ? "quoted" : "written",

    async searchDocuments({
      query,
      pageSize = DEFAULT_PAGE_SIZE,
      pageToken: token = "",
      filter = "",
      source = "",
      merge = true,
      verbose = false,
      maxChars = SEARCH_REPLY_CHARS,
    }) {
      const [words, size] = [checkedQuery(query), checkedPageSize(pageSize)];
      const documents = within(filter, source);
      const revision = `${corpus.revision()}-${index.stats().revision}`;
      const searched: Searched = { query: words, filter, source, revision, secret: corpus.id() };
      const from = token === "" ? 0 : rankOf(token, searched);
      const ranked = await rankedPassages(ports, words, from + size, documents);
      const frame = frameChars(verbose);
      let { page, next } = pageOf(ranked, from, size, merge);
      // What is cut of a passage is its end, and of two that are made one the better may be the second.
      if (!fits(passagesOf(page), maxChars, frame)) ({ page, next } = pageOf(ranked, from, size, false));
      let further: readonly FurtherSections[] = [];
      let doubt: Doubt | undefined;
      // One who pages on was told.
      const reading =
        from === 0 && documents?.size !== 0 ? await index.reading(words, ranked.hits, documents) : AS_WRITTEN;
      let chars = maxChars - readingChars(reading);
      // One who pages on meets what is left of a section, or of a document, in its own place.
      if (from === 0 && merge && maxChars !== Number.POSITIVE_INFINITY) {
        doubt = doubtOf(asTaken(words, reading), ranked, page, corpus.titles().values());
        if (doubt !== undefined) chars -= DOUBT_NOTE_CHARS;
        const room = roomLeft(passagesOf(page), chars, frame);
        const named = furtherSections(ports, ranked, page);
        further = furtherChars(named) <= room ? named : [];
        page = completeSections(corpus, page, room - furtherChars(further));
      }
      const found = passagesOf(page);
      const passages = fitPassages(found, chars, frame);
      const goesOnAt = page[passages.length]?.rank ?? next;
      return {
        passages,
        leftOut: found.slice(passages.length),
        further,
        doubt,
        ...(documents?.size === 0 && { hosts: [...new Set(stats().sources.flatMap(({ hosts }) => hosts))] }),
        reading,
        nextPageToken: goesOnAt === undefined ? undefined : pageToken(searched, goesOnAt),
      };
    },

    async answerQuery({ query, filter = "", maxChars = ANSWER_CHARS }) {
      return answerQuestion(ports, checkedQuery(query), within(filter, ""), maxChars);
    },

    async getDocuments({ names, start = 0, section, maxChars, verbose = false }) {
      checkDocumentsRequest(names, start, maxChars);
      const found: FoundDocument[] = [];
      const failures: DocumentFailure[] = [];
      for (const name of names) {
        try {
          found.push(findRange(corpus, name, start, section));
        } catch (thrown) {
          if (!(thrown instanceof CarrelError)) throw thrown;
          const suggest = thrown.code === "not-found" && failures.length < MAX_SUGGESTIONS;
          failures.push({ name, error: thrown, nearest: suggest ? await nearestNames(ports, name) : [] });
        }
      }
      return { documents: fitDocuments(found, failures, maxChars, verbose), failures };
    },

    documentInfo: (name) => corpus.documentInfo(name),
    describeCorpus: () => describeSources(stats().sources, corpus.titles()),
    status() {
      const { documents, revision, sources } = stats();
      return { documents, revision, sources, indexRevision: index.stats().revision };
    },
  };
}

function checkedQuery(query: string): string {
  const trimmed = query.trim();
  if (trimmed === "") throw new CarrelError("invalid", "The query is empty; say what you are looking for.");
  const length = [...query].length;
  if (length > MAX_QUERY_CHARS) {
    throw new CarrelError(
      "invalid",
      `The query has ${length} characters, and at most ${MAX_QUERY_CHARS} are read; keep the words that matter.`,
    );
  }
  return trimmed;
}

/** 0 is how Protocol Buffers clients say nothing. */
function checkedPageSize(pageSize: number): number {
  if (!Number.isSafeInteger(pageSize) || pageSize < 0) {
    throw new CarrelError("invalid", `The page size is ${pageSize}; give a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  }
  return pageSize === 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
}

function checkDocumentsRequest(names: readonly string[], start: number, maxChars: number | undefined): void {
  if (names.length === 0 || names.length > MAX_NAMES) {
    throw new CarrelError("invalid", `${names.length} names were given; give 1 to ${MAX_NAMES} at a time.`);
  }
  if (!Number.isSafeInteger(start) || start < 0) {
    throw new CarrelError("invalid", `The start is ${start}; give the number of the first character to read, from 0.`);
  }
  if (start > 0 && names.length > 1) {
    throw new CarrelError(
      "invalid",
      `A start goes with one name, and ${names.length} were given; read on in one at a time.`,
    );
  }
  if (maxChars !== undefined && !(maxChars >= 1)) {
    throw new CarrelError("invalid", `At most ${maxChars} characters were asked for; ask for at least 1.`);
  }
}
