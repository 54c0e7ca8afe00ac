import { NAME_PREFIX, parseDocumentName } from "../domain/document.ts";
import type { Document } from "../domain/document.ts";
import { CarrelError } from "../domain/errors.ts";
import { documentSpellings } from "./document-spellings.ts";
import { excerpt, jsonLength } from "./excerpt.ts";
import { fairShares } from "./fair-shares.ts";
import { DOCUMENTS_REPLY_CHARS, MAX_QUERY_CHARS } from "./queries.ts";
import type { DocumentFailure, DocumentPart, QueryPorts } from "./queries.ts";

/** Longest document name, in characters. Source: the Developer Knowledge contract, section 3. */
const MAX_NAME_CHARS = 500;
/** Room for what a surface says about a part, at both its ends. */
const PART_NOTES_CHARS = 400;
/** Titles and descriptions are cut to this when they would take the room of the contents. */
const SHORT_LINE_CHARS = 200;
const NEAREST = 3;
/** Hits among which the nearest names are looked for: several are passages of one document. */
const NEAREST_HITS = 20;

/**
 * The document that somebody means by a name or URL.
 * @throws CarrelError `invalid` when it is neither or ends before `start`, `not-found` when no such document is kept.
 */
export function findDocument(corpus: QueryPorts["corpus"], asked: string, start: number): Document {
  if (asked.length > MAX_NAME_CHARS) {
    throw new CarrelError(
      "invalid",
      `The name has ${asked.length} characters, and at most ${MAX_NAME_CHARS} are read.`,
    );
  }
  for (const name of documentSpellings(parseDocumentName(asked))) {
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

/** Names of documents that the words of an unknown name lead to, those of its host first. */
export async function nearestNames({ corpus, index }: QueryPorts, asked: string): Promise<readonly string[]> {
  const [host = "", ...path] = parseDocumentName(asked).slice(NAME_PREFIX.length).split("/");
  const words = path
    .slice(-2)
    .join(" ")
    .replace(/\.(?:html?|md)\b/g, "")
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
  if (words === "") return [];
  const passages = corpus.passages(await index.search(words.slice(0, MAX_QUERY_CHARS), NEAREST_HITS));
  const names = [...new Set(passages.map((passage) => passage.parent))];
  const ofHost = (name: string) => name.slice(NAME_PREFIX.length).split("/")[0] === host;
  return [...names.filter(ofHost), ...names.filter((name) => !ofHost(name))].slice(0, NEAREST);
}

/**
 * Shares the room for contents among the documents: short ones are given whole, long ones in part. Without `maxChars` the
 * room is what the rest of the reply leaves of its budget.
 */
export function fitDocuments(
  found: readonly Document[],
  failures: readonly DocumentFailure[],
  start: number,
  maxChars: number | undefined,
): readonly DocumentPart[] {
  const sizes = found.map(({ content }) => jsonLength(content.slice(start)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const budget = DOCUMENTS_REPLY_CHARS - failureChars(failures);
  const documents = maxChars === undefined && frameChars(found) > budget / 4 ? found.map(withShortLines) : found;
  const room = maxChars ?? budget - frameChars(documents);
  const parts = start > 0 || total > room;
  const notes = parts && maxChars === undefined ? PART_NOTES_CHARS * documents.length : 0;
  const shares = fairShares(sizes, room - notes);
  return documents.map((document, i) => {
    const piece = excerpt(document.content, start, Math.max(shares[i] ?? 0, 1));
    return { ...document, content: piece.text, start: piece.start, end: piece.end, length: document.content.length };
  });
}

function withShortLines(document: Document): Document {
  return { ...document, title: shortLine(document.title), description: shortLine(document.description) };
}

function shortLine(line: string): string {
  const piece = excerpt(line, 0, SHORT_LINE_CHARS);
  return piece.end === line.length ? line : `${piece.text.trimEnd()}…`;
}

/** What documents take in the reply besides their contents. */
function frameChars(documents: readonly Document[]): number {
  const frames = documents.map(({ name, uri, title, description }) =>
    JSON.stringify({ name, uri, content: "", description, title, nextStart: 1_000_000 }),
  );
  return frames.join(",").length + '{"documents":[]}'.length;
}

function failureChars(failures: readonly DocumentFailure[]): number {
  const shown = failures.map(({ name, error, nearest }) => ({ name, message: error.message, nearest }));
  return failures.length === 0 ? 0 : JSON.stringify({ errors: shown }).length;
}
