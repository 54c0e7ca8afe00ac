import type { DocumentPart, DocumentsAnswer, FoundPassage, SearchAnswer } from "../flow/queries.ts";

/** The names that a note lists; the others are counted. */
const MAX_NOTE_NAMES_CHARS = 600;

/** What `search_documents` answers. `note` says what was not given, and is absent when nothing was left out. */
export interface SearchReply {
  readonly results: readonly { readonly parent: string; readonly id: string; readonly content: string }[];
  readonly note?: string;
}

interface DocumentReply {
  readonly name: string;
  readonly uri: string;
  readonly content: string;
  readonly description: string;
  readonly title: string;
  /** Where to read on; absent when the content goes to the end. */
  readonly nextStart?: number;
}

/** What `get_documents` answers. */
export interface DocumentsReply {
  readonly documents: readonly DocumentReply[];
  readonly errors?: readonly { readonly name: string; readonly message: string; readonly nearest: readonly string[] }[];
  readonly note?: string;
}

export function searchReply({ passages, leftOut }: SearchAnswer): SearchReply {
  const results = passages.map((passage) => ({
    parent: passage.parent,
    id: passage.id,
    content: withCutNote(passage),
  }));
  if (passages.length === 0) {
    return {
      results,
      note: "Nothing was found. Try fewer or other words, or the exact name of a function, flag or setting.",
    };
  }
  if (leftOut.length === 0) return { results };
  const names = [...new Set(leftOut.map((passage) => passage.parent))];
  return {
    results,
    note: `${count(leftOut.length, "more passage")} did not fit into this reply, from ${listed(names)}. To read them, give these names to get_documents, or ask for less.`,
  };
}

export function documentsReply({ documents, failures }: DocumentsAnswer): DocumentsReply {
  return {
    documents: documents.map(documentReply),
    ...(failures.length > 0 && {
      errors: failures.map(({ name, error, nearest }) => ({ name: shortened(name), message: error.message, nearest })),
    }),
  };
}

/** A document whole, or a part of it with a note at both its ends, for agents drop the middle or the end of long replies. */
function documentReply(part: DocumentPart): DocumentReply {
  const { name, uri, description, title, start, end, length } = part;
  if (start === 0 && end === length) return { name, uri, content: part.content, description, title };
  const range = `Characters ${start} to ${end} of the ${length} of this document.`;
  const reading = end < length ? `To read on, call get_documents with this name and start ${end}.` : "This is its end.";
  const note = `[${range} ${reading}]`;
  return {
    name,
    uri,
    content: `${note}\n\n${part.content.trimEnd()}\n\n${note}`,
    description,
    title,
    ...(end < length && { nextStart: end }),
  };
}

/** What a failed call says of names that were not found. */
export function failuresText({ errors = [] }: DocumentsReply): string {
  return errors
    .map(({ message, nearest }) => (nearest.length === 0 ? message : `${message} Nearest: ${nearest.join(", ")}.`))
    .join("\n");
}

function withCutNote({ content, omittedChars }: FoundPassage): string {
  if (omittedChars === 0) return content;
  return `${content.trimEnd()}\n\n[${count(omittedChars, "more character")} of this passage; get_documents gives its document.]`;
}

function listed(names: readonly string[]): string {
  let text = names[0] ?? "";
  for (const [i, name] of names.entries()) {
    if (i === 0) continue;
    if (text.length + name.length > MAX_NOTE_NAMES_CHARS)
      return `${text} and ${count(names.length - i, "more document")}`;
    text += `, ${name}`;
  }
  return text;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A name is echoed so that it can be told which one failed; a whole page pasted for a name is not. */
function shortened(name: string): string {
  return name.length > 500 ? `${name.slice(0, 497)}...` : name;
}
