import { NAME_PREFIX } from "../../domain/document-name.ts";
import type { Document } from "../../domain/document.ts";
import { CarrelError } from "../../domain/errors.ts";
import { DEFAULT_PAGE_SIZE, MAX_NAMES, MAX_PAGE_SIZE, MAX_QUERY_CHARS } from "../../flow/queries.ts";
import type { Queries } from "../../flow/queries.ts";
import { answerMessage, chunkMessages, documentMessage } from "./messages.ts";
import type { Writing } from "./messages.ts";
import {
  decoded,
  flagParameter,
  integerParameter,
  listParameter,
  refuseUnknown,
  textParameter,
  unknownParameters,
  viewParameter,
} from "./parameters.ts";
import type { RawParameters } from "./parameters.ts";
import { ref } from "./schemas.ts";
import type { Schema, SchemaName, View } from "./schemas.ts";

/** What a call is given. */
export interface Call extends Writing {
  /** The path below the version, as sent: `documents/docs.example.com/guide`. */
  readonly path: string;
  readonly parameters: RawParameters;
  /** The parsed body of a POST. */
  readonly body: unknown;
}

/** One call of the REST API. */
export interface Operation {
  readonly id: "searchDocumentChunks" | "batchGet" | "get" | "answerQuery";
  readonly method: "GET" | "POST";
  /** What follows the version in the path. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body?: SchemaName;
  readonly reply: SchemaName;
  answer(queries: Queries, call: Call): Promise<unknown>;
}

interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

const VIEW: Parameter = {
  name: "view",
  in: "query",
  required: false,
  description: "Which fields of a document are given; by default DOCUMENT_VIEW_CONTENT.",
  schema: ref("DocumentView"),
};
const DEFAULT_VIEW = "DOCUMENT_VIEW_CONTENT";

const FILTER_DESCRIPTION =
  "Only documents for which this holds: data_source, uri, update_time, content_length_bytes, language, version and kind, joined by AND, OR, NOT and parentheses; OR binds tighter than AND.";

function query(name: string, description: string, schema: Schema, required = false): Parameter {
  return { name, in: "query", required, description, schema };
}

function namesOf(parameters: readonly Parameter[]): readonly string[] {
  return parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
}

const SEARCH_PARAMETERS: readonly Parameter[] = [
  query("query", "What to look for.", { type: "string", maxLength: MAX_QUERY_CHARS }, true),
  query(
    "pageSize",
    `How many passages; ${DEFAULT_PAGE_SIZE} when absent, more than ${MAX_PAGE_SIZE} is taken as that.`,
    {
      type: "integer",
      minimum: 0,
    },
  ),
  query("pageToken", "The nextPageToken of the page before.", { type: "string" }),
  query("filter", FILTER_DESCRIPTION, { type: "string", maxLength: 500 }),
  query("verbose", "Gives uri and headings of each passage as well.", { type: "boolean" }),
];
const BATCH_PARAMETERS: readonly Parameter[] = [
  query(
    "names",
    `Document names; repeat the parameter, at most ${MAX_NAMES} times.`,
    { type: "array", items: { type: "string", maxLength: 500 }, minItems: 1, maxItems: MAX_NAMES },
    true,
  ),
  VIEW,
];
const GET_PARAMETERS: readonly Parameter[] = [
  {
    name: "name",
    in: "path",
    required: true,
    description: "A document name, documents/{URL without scheme}; its slashes may stand as they are.",
    schema: { type: "string", maxLength: 500 },
  },
  VIEW,
];

/** The calls; those with a verb come before the one that takes any name. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: "searchDocumentChunks",
    method: "GET",
    path: "documents:searchDocumentChunks",
    summary: "Finds passages, best first.",
    parameters: SEARCH_PARAMETERS,
    reply: "SearchDocumentChunksResponse",
    async answer(queries, { parameters, numericEnums }) {
      refuseUnknown(parameters, namesOf(SEARCH_PARAMETERS));
      const pageSize = integerParameter(parameters, "pageSize");
      const { passages, nextPageToken } = await queries.searchDocuments({
        query: textParameter(parameters, "query") ?? "",
        pageToken: textParameter(parameters, "pageToken") ?? "",
        filter: textParameter(parameters, "filter") ?? "",
        merge: false,
        maxChars: Number.POSITIVE_INFINITY,
        ...(pageSize !== undefined && { pageSize }),
      });
      const verbose = flagParameter(parameters, "verbose");
      const results = chunkMessages(queries, passages, { numericEnums, verbose });
      return { results, ...(nextPageToken !== undefined && { nextPageToken }) };
    },
  },
  {
    id: "batchGet",
    method: "GET",
    path: "documents:batchGet",
    summary: "Gives documents in the order asked; none, when one of them is missing.",
    parameters: BATCH_PARAMETERS,
    reply: "BatchGetDocumentsResponse",
    async answer(queries, { parameters, numericEnums }) {
      refuseUnknown(parameters, namesOf(BATCH_PARAMETERS));
      const view = viewParameter(parameters) ?? DEFAULT_VIEW;
      const documents = await readAll(queries, listParameter(parameters, "names"));
      return { documents: documents.map((document) => wholeMessage(document, view, { numericEnums })) };
    },
  },
  {
    id: "get",
    method: "GET",
    path: "{name}",
    summary: "Gives one document.",
    parameters: GET_PARAMETERS,
    reply: "Document",
    async answer(queries, { path, parameters, numericEnums }) {
      const view = viewParameter(parameters) ?? DEFAULT_VIEW;
      // Clients that take `documents/host/view?page=7` for a path leave its question mark as it is.
      const own = new Set(unknownParameters(parameters, namesOf(GET_PARAMETERS)));
      const rest = parameters.filter(({ name }) => own.has(name)).map(({ name, value }) => `${name}=${value}`);
      const [document] = await readAll(queries, [rest.length === 0 ? path : `${path}?${rest.join("&")}`]);
      if (document === undefined) throw new CarrelError("internal", "A document was read and is not there.");
      return wholeMessage(document, view, { numericEnums });
    },
  },
  {
    id: "answerQuery",
    method: "POST",
    path: ":answerQuery",
    summary: "Answers a question from the documents, with what each part of the answer rests on.",
    parameters: [],
    body: "AnswerQueryRequest",
    reply: "AnswerQueryResponse",
    async answer(queries, { parameters, body, numericEnums }) {
      refuseUnknown(parameters, []);
      const { query, filter } = answerRequest(body);
      const answer = await queries.answerQuery({ query, filter, maxChars: Number.POSITIVE_INFINITY });
      return answerMessage(queries, answer, { numericEnums });
    },
  },
];

function wholeMessage(document: Document, view: View, writing: Writing): object {
  const info = { ...document, contentLengthBytes: Buffer.byteLength(document.content) };
  return documentMessage(info, document.content, view, writing);
}

/**
 * Reads documents by their names as sent: percent-encoded, or as they are.
 * @throws the first error that there is: all are given or none.
 */
async function readAll(queries: Queries, names: readonly string[]): Promise<readonly Document[]> {
  const plain = names.map((name) => decoded(name, "plus"));
  for (const [i, name] of plain.entries()) {
    if (!name.startsWith(NAME_PREFIX)) {
      throw new CarrelError(
        "invalid",
        `Name ${i + 1}, ${JSON.stringify(name.slice(0, 120))}, does not begin with ${NAME_PREFIX}, as document names do.`,
      );
    }
  }
  const request = { maxChars: Number.POSITIVE_INFINITY };
  const { documents, failures } = await queries.getDocuments({ ...request, names: plain });
  const [failure] = failures;
  if (failure === undefined) return documents;
  // A name that holds percent-encoding itself, sent by a client that leaves names as they are.
  if (failure.error.code === "not-found" && plain.some((name, i) => name !== names[i])) {
    const asSent = await queries.getDocuments({ ...request, names });
    if (asSent.failures.length === 0) return asSent.documents;
  }
  if (failure.nearest.length === 0) throw failure.error;
  throw new CarrelError(failure.error.code, `${failure.error.message} Nearest: ${failure.nearest.join(", ")}.`);
}

function answerRequest(body: unknown): { readonly query: string; readonly filter: string } {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new CarrelError("invalid", 'The body must be a JSON object, such as {"query": "How do I open a file?"}.');
  }
  const { query = "", filter = "", ...others } = body as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 60));
    throw new CarrelError("invalid", `The body has a field ${shown}; its fields are query and filter.`);
  }
  if (typeof query !== "string" || typeof filter !== "string") {
    throw new CarrelError("invalid", "The fields query and filter of the body must be texts.");
  }
  return { query, filter };
}
