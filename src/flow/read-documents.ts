import { NAME_PREFIX, parseDocumentName } from "../domain/document-name.ts";
import type { Document } from "../domain/document.ts";
import { CarrelError } from "../domain/errors.ts";
import { nearest } from "../domain/nearest.ts";
import { partNameOfFragment } from "../domain/page-part.ts";
import { documentSpellings } from "./document-spellings.ts";
import { excerpt, jsonLength } from "./excerpt.ts";
import { fairShares } from "./fair-shares.ts";
import { DOCUMENTS_REPLY_CHARS, MAX_QUERY_CHARS } from "./queries.ts";
import { findSection, nearestSections, sectionNames } from "./sections.ts";
import type { Section } from "./sections.ts";
import { statedFacts } from "./stated-facts.ts";
import type { DocumentFailure, DocumentPart, QueryPorts } from "./queries.ts";

/** Longest document name, in characters. Source: the Developer Knowledge contract, section 3. */
const MAX_NAME_CHARS = 500;
/** Room for what a surface says about a part, at both its ends. */
const PART_NOTES_CHARS = 400;
/** Titles and descriptions are cut to this when they would take the room of the contents. */
const SHORT_LINE_CHARS = 200;
/** Sections that are named in place of one that is not there. */
const MAX_LISTED_SECTIONS = 30;
const MAX_SECTION_NAME_CHARS = 80;
/** Most characters of a page, as JSON, that are given for a section that it does not have: nobody asked for all of it. */
const OPENING_CHARS = 4_000;
const NEAREST = 3;
/** Hits among which the nearest names are looked for: several are passages of one document. */
const NEAREST_HITS = 20;
/** Names beside an unknown one that are compared with it. */
const MAX_NEIGHBOURS = 2_000;

/** A document, and the range of it that is asked for, in UTF-16 code units. */
export interface FoundDocument {
  readonly document: Document;
  readonly start: number;
  readonly end: number;
  readonly section?: Section;
  readonly unknownFragment?: string;
  readonly sections?: readonly string[];
}

/**
 * What somebody means by a name or URL, from `start` on. `section` narrows it to one; else a fragment of the name does, if
 * it leads to one.
 * @throws CarrelError `invalid` when it is no name, ends before `start` or has no such section, `not-found` when no such
 * document is kept.
 */
export function findRange(
  corpus: QueryPorts["corpus"],
  asked: string,
  start: number,
  section: string | undefined,
): FoundDocument {
  const fragment = asked.slice(asked.indexOf("#")).slice(1).trim();
  const page = findDocument(corpus, asked, start);
  const part = asked.includes("#") ? corpus.document(partNameOfFragment(page.name, fragment) ?? "") : undefined;
  const document = part ?? page;
  const whole = { document, start, end: document.content.length };
  if (part !== undefined && section === undefined) return whole;
  const hasFragment = asked.includes("#") && fragment !== "" && start === 0;
  const wanted = section ?? (hasFragment ? fragment : undefined);
  if (wanted === undefined) return whole;
  const chunks = corpus.chunks(document.name);
  // Passages are told with the path of their headings, of which the last is the section's.
  const last = wanted.split(" › ").at(-1) ?? wanted;
  const found = findSection(document.content, chunks, wanted) ?? findSection(document.content, chunks, last);
  if (found !== undefined && start < found.end) {
    return { document, start: Math.max(start, found.start), end: found.end, section: found };
  }
  if (found !== undefined) {
    throw new CarrelError(
      "invalid",
      `The section ${JSON.stringify(found.name)} of ${document.name} ends at ${found.end}, before the start of ${start}.`,
    );
  }
  const sections = nearestSections(document.content, chunks, wanted, MAX_LISTED_SECTIONS).map((name) =>
    name.slice(0, MAX_SECTION_NAME_CHARS),
  );
  if (section === undefined) return { ...whole, unknownFragment: fragment, sections };
  throw new CarrelError(
    "invalid",
    `${document.name} has no section ${JSON.stringify(section.slice(0, 100))}; ${sectionsText(document, sections)}`,
  );
}

function sectionsText({ content }: Document, nearest: readonly string[]): string {
  if (nearest.length === 0) return "it has none at all.";
  const more = sectionNames(content).filter((name) => !nearest.includes(name.slice(0, MAX_SECTION_NAME_CHARS))).length;
  const listed = nearest.map((name) => JSON.stringify(name)).join(", ");
  return `its sections, nearest first, are ${listed}${more > 0 ? ` and ${more} more` : ""}.`;
}

function findDocument(corpus: QueryPorts["corpus"], asked: string, start: number): Document {
  if (asked.length > MAX_NAME_CHARS) {
    throw new CarrelError(
      "invalid",
      `The name has ${asked.length} characters, and at most ${MAX_NAME_CHARS} are read.`,
    );
  }
  for (const name of documentSpellings(asked)) {
    const document = corpus.document(name);
    if (document === undefined) continue;
    if (start === 0 || start < document.content.length) return document;
    throw new CarrelError(
      "invalid",
      `${document.name} has ${document.content.length} characters, and a start of ${start} is behind its end.`,
    );
  }
  throw new CarrelError(
    "not-found",
    `No document ${JSON.stringify(asked)} is kept here; search for it, or check the name.`,
  );
}

/**
 * Names of documents that an unknown name may mean: those beside it that are spelt nearly so, then those that its words lead
 * to, the likest first.
 */
export async function nearestNames({ corpus, index }: QueryPorts, asked: string): Promise<readonly string[]> {
  const name = parseDocumentName(asked);
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const beside = corpus.namesBelow(folder, MAX_NEIGHBOURS).map((neighbour) => neighbour.slice(folder.length));
  const spelt = nearest(name.slice(folder.length), beside, NEAREST).map((last) => folder + last);
  const told = spelt.length === NEAREST ? [] : await namesByWords({ corpus, index }, name);
  return [...new Set([...spelt, ...told])].slice(0, NEAREST);
}

async function namesByWords({ corpus, index }: QueryPorts, name: string): Promise<readonly string[]> {
  const [host = "", ...path] = name.slice(NAME_PREFIX.length).split("/");
  const words = path
    .slice(-2)
    .join(" ")
    .replace(/\.(?:html?|md)\b/g, "")
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
  if (words === "") return [];
  const passages = corpus.passages(await index.search(words.slice(0, MAX_QUERY_CHARS), NEAREST_HITS));
  // The same page of another version, then others of the host.
  const likeness = (found: string): number =>
    (found.endsWith(`/${path.at(-1)}`) ? 2 : 0) + (found.slice(NAME_PREFIX.length).split("/")[0] === host ? 1 : 0);
  return passages.map((passage) => passage.parent).sort((a, b) => likeness(b) - likeness(a));
}

/**
 * Shares the room for contents among the documents: short ones are given whole, long ones in part. Without `maxChars` the
 * room is what the rest of the reply leaves of its budget.
 */
export function fitDocuments(
  found: readonly FoundDocument[],
  failures: readonly DocumentFailure[],
  maxChars: number | undefined,
  verbose: boolean,
): readonly DocumentPart[] {
  if (maxChars === Number.POSITIVE_INFINITY) return found.map((range) => partOf(range, Number.POSITIVE_INFINITY));
  const ranges = found.map(({ document, start, end }) => document.content.slice(start, end));
  const sizes = ranges.map((range, i) => {
    const isUnasked = maxChars === undefined && found[i]?.unknownFragment !== undefined;
    return isUnasked ? Math.min(jsonLength(range), OPENING_CHARS) : jsonLength(range);
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const budget = DOCUMENTS_REPLY_CHARS - failureChars(failures) - sectionsChars(found);
  const whole = found.map(({ document }) => document);
  const documents =
    maxChars === undefined && frameChars(whole, verbose) > budget / 4 ? whole.map(withShortLines) : whole;
  const room = maxChars ?? budget - frameChars(documents, verbose);
  const areParts = total > room || found.some(isPart);
  const notes = areParts && maxChars === undefined ? PART_NOTES_CHARS * documents.length : 0;
  const shares = fairShares(sizes, room - notes);
  return found.map((range, i) => partOf({ ...range, document: documents[i] ?? range.document }, shares[i] ?? 0));
}

function partOf({ document, start, end, ...asked }: FoundDocument, maxChars: number): DocumentPart {
  const piece = excerpt(document.content.slice(0, end), start, Math.max(maxChars, 1));
  const { length } = document.content;
  return { ...document, content: piece.text, start: piece.start, end: piece.end, length, ...asked };
}

function isPart({ document, start, end, unknownFragment }: FoundDocument): boolean {
  return start > 0 || end < document.content.length || unknownFragment !== undefined;
}

function withShortLines(document: Document): Document {
  return { ...document, title: shortLine(document.title), description: shortLine(document.description) };
}

function shortLine(line: string): string {
  const piece = excerpt(line, 0, SHORT_LINE_CHARS);
  return piece.end === line.length ? line : `${piece.text.trimEnd()}…`;
}

/** What documents take in the reply besides their contents. */
function frameChars(documents: readonly Document[], verbose: boolean): number {
  const frames = documents.map((document) => {
    const { name, uri, title, description } = document;
    const facts = verbose ? statedFacts(document) : {};
    return JSON.stringify({ name, uri, content: "", description, title, ...facts, nextStart: 1_000_000 });
  });
  return frames.join(",").length + '{"documents":[]}'.length;
}

/** What the names of sections take that are given in place of one. */
function sectionsChars(found: readonly FoundDocument[]): number {
  const named = found.filter(({ sections }) => sections !== undefined);
  return named.reduce(
    (sum, { sections, unknownFragment }) => sum + JSON.stringify({ sections, unknownFragment }).length,
    0,
  );
}

function failureChars(failures: readonly DocumentFailure[]): number {
  const shown = failures.map(({ name, error, nearest }) => ({ name, message: error.message, nearest }));
  return failures.length === 0 ? 0 : JSON.stringify({ errors: shown }).length;
}
