import { CarrelError } from "../domain/errors.ts";
import type { Queries } from "../flow/queries.ts";
import { namesArgument, numberArgument, textArgument, unknownArguments } from "./arguments.ts";
import type { Arguments } from "./arguments.ts";
import { documentsReply, failuresText, searchReply } from "./replies.ts";
import type { DocumentsReply } from "./replies.ts";
import { DOCUMENTS_INPUT, SEARCH_INPUT } from "./tool-listing.ts";

/** What a tool call gives: a JSON object, which becomes both the structured content and the text of the result. */
type Run = (queries: Queries, args: Arguments) => Promise<object>;

const SEARCH: Run = async (queries, args) => {
  const query = textArgument(args, "query", "how to read a file line by line");
  const pageSize = numberArgument(args, "page_size");
  const answer = await queries.searchDocuments({ query, ...(pageSize !== undefined && { pageSize }) });
  return withNote(searchReply(answer), args, SEARCH_INPUT);
};

const GET_DOCUMENTS: Run = async (queries, args) => {
  const reply = await readDocuments(queries, args, namesArgument(args));
  return withNote(reply, args, DOCUMENTS_INPUT);
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
  ["get_documents", GET_DOCUMENTS],
  ["search_document_chunks", SEARCH],
  ["batch_get_documents", GET_DOCUMENTS],
  ["get_document", GET_DOCUMENT],
]);

/** The tool of a name; undefined when there is none. */
export function findTool(name: string): Run | undefined {
  return RUNS.get(name);
}

async function readDocuments(queries: Queries, args: Arguments, names: readonly string[]): Promise<DocumentsReply> {
  const start = numberArgument(args, "start");
  const maxChars = numberArgument(args, "max_chars");
  const answer = await queries.getDocuments({
    names,
    ...(start !== undefined && { start }),
    ...(maxChars !== undefined && { maxChars }),
  });
  const reply = documentsReply(answer);
  if (answer.documents.length === 0) throw new CarrelError("not-found", failuresText(reply));
  return reply;
}

function withNote<Reply extends { readonly note?: string }>(
  reply: Reply,
  args: Arguments,
  input: typeof SEARCH_INPUT,
): Reply {
  const unknown = unknownArguments(args, [...Object.keys(input.properties), "name"]);
  if (unknown.length === 0) return reply;
  const known = Object.keys(input.properties).join(", ");
  const shown = JSON.stringify(unknown.join(", ").slice(0, 200));
  const note = `Not known here, and without effect: ${shown}. The arguments are ${known}.`;
  return { ...reply, note: reply.note === undefined ? note : `${reply.note} ${note}` };
}
