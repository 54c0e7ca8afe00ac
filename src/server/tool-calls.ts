import { CarrelError } from "../domain/errors.ts";
import { SEARCH_REPLY_CHARS } from "../flow/queries.ts";
import type { Queries } from "../flow/queries.ts";
import {
  flagArgument,
  namesArgument,
  numberArgument,
  optionalTextArgument,
  textArgument,
  unknownArguments,
} from "./arguments.ts";
import type { Arguments } from "./arguments.ts";
import { answerReply, documentsReply, failuresText, searchReply } from "./replies.ts";
import type { DocumentsReply } from "./replies.ts";
import { ANSWER_INPUT, DOCUMENTS_INPUT, FILTER_EXAMPLE, SEARCH_INPUT } from "./tool-listing.ts";

/** What a tool call gives: a JSON object, which becomes both the structured content and the text of the result. */
type Run = (queries: Queries, args: Arguments) => Promise<object>;

/** A call that gave nothing of what was asked for, and what is to be said of that beside its message. */
export class FailedReply extends CarrelError {
  readonly reply: object;

  constructor(message: string, reply: object) {
    super("not-found", message);
    this.reply = reply;
  }
}

const SEARCH: Run = async (queries, args) => {
  const query = textArgument(args, "query", "how to read a file line by line");
  const pageSize = numberArgument(args, "page_size");
  const pageToken = optionalTextArgument(args, "page_token", "the nextPageToken of the reply before");
  const filter = optionalTextArgument(args, "filter", FILTER_EXAMPLE);
  const source = optionalTextArgument(args, "source", "python");
  const verbose = flagArgument(args, "verbose");
  const note = unknownNote(args, SEARCH_INPUT);
  const answer = await queries.searchDocuments({
    query,
    verbose,
    maxChars: SEARCH_REPLY_CHARS - note.length,
    ...(pageSize !== undefined && { pageSize }),
    ...(pageToken !== undefined && { pageToken }),
    ...(filter !== undefined && { filter }),
    ...(source !== undefined && { source }),
  });
  const paged = pageSize !== undefined || pageToken !== undefined;
  return withNote(searchReply(answer, { verbose, paged }), note);
};

const ANSWER: Run = async (queries, args) => {
  const query = textArgument(args, "query", "how do I read a file line by line?");
  return withNote(answerReply(await queries.answerQuery({ query })), unknownNote(args, ANSWER_INPUT));
};

const GET_DOCUMENTS: Run = async (queries, args) => {
  const reply = await readDocuments(queries, args, namesArgument(args));
  return withNote(reply, unknownNote(args, DOCUMENTS_INPUT));
};

/** A retired tool that clients in the field still call: one name in, one document out. */
const GET_DOCUMENT: Run = async (queries, args) => {
  const reply = await readDocuments(queries, args, namesArgument(args));
  const [only] = reply.documents;
  return only !== undefined && reply.documents.length === 1 ? only : reply;
};

/** What each name runs: the tools that are listed, and those that are retired and still accepted. */
const RUNS: ReadonlyMap<string, Run> = new Map([
  ["search_documents", SEARCH],
  ["answer_query", ANSWER],
  ["get_documents", GET_DOCUMENTS],
  ["search_document_chunks", SEARCH],
  ["batch_get_documents", GET_DOCUMENTS],
  ["get_document", GET_DOCUMENT],
]);

/** What a tool answers that can do nothing: an object of its own form, for some clients show a model nothing else. */
export function emptyReply(name: string, note: string): object {
  const run = RUNS.get(name);
  if (run === SEARCH) return { results: [], note };
  return run === ANSWER ? { answerText: "", references: [], note } : { documents: [], note };
}

/** The tool of a name; undefined when there is none. */
export function findTool(name: string): Run | undefined {
  return RUNS.get(name);
}

async function readDocuments(queries: Queries, args: Arguments, names: readonly string[]): Promise<DocumentsReply> {
  const start = numberArgument(args, "start");
  const maxChars = numberArgument(args, "max_chars");
  const section = optionalTextArgument(args, "section", "Parameters");
  const verbose = flagArgument(args, "verbose");
  const answer = await queries.getDocuments({
    // One that is given twice would take its room twice.
    names: [...new Set(names)],
    ...(start !== undefined && { start }),
    ...(maxChars !== undefined && { maxChars }),
    ...(section !== undefined && { section }),
    verbose,
  });
  const reply = documentsReply(answer, verbose);
  if (answer.documents.length === 0) throw new FailedReply(failuresText(reply), reply);
  return reply;
}

/** What is said of arguments that nobody knows; "" when there are none. */
function unknownNote(args: Arguments, input: typeof SEARCH_INPUT): string {
  const unknown = unknownArguments(args, [...Object.keys(input.properties), "name"]);
  if (unknown.length === 0) return "";
  const known = Object.keys(input.properties).join(", ");
  const shown = JSON.stringify(unknown.join(", ").slice(0, 200));
  return `Not known here, and without effect: ${shown}. The arguments are ${known}.`;
}

function withNote(reply: { readonly note?: string }, note: string): object {
  if (note === "") return reply;
  return { ...reply, note: reply.note === undefined ? note : `${reply.note} ${note}` };
}
