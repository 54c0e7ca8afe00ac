/** A JSON Schema as OpenAPI 3.1 takes it, as far as the replies here need one. */
export interface Schema {
  readonly $ref?: `#/components/schemas/${SchemaName}`;
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type SchemaName =
  | "Document"
  | "DocumentChunk"
  | "DocumentView"
  | "SearchDocumentChunksResponse"
  | "BatchGetDocumentsResponse"
  | "AnswerQueryRequest"
  | "AnswerQueryResponse"
  | "Answer"
  | "Citation"
  | "Reference"
  | "Error";

/** The numbers are those of the enum in Protocol Buffers. Source: the Developer Knowledge contract, section 3. */
export const VIEWS = {
  DOCUMENT_VIEW_UNSPECIFIED: 0,
  DOCUMENT_VIEW_BASIC: 1,
  DOCUMENT_VIEW_FULL: 2,
  DOCUMENT_VIEW_CONTENT: 3,
} as const;

export type View = keyof typeof VIEWS;

const TEXT: Schema = { type: "string" };
const INTEGER: Schema = { type: "integer" };

export function ref(name: SchemaName): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function listOf(items: Schema, description?: string): Schema {
  return { type: "array", items, ...(description !== undefined && { description }) };
}

export const SCHEMAS: Readonly<Record<SchemaName, Schema>> = {
  Document: {
    type: "object",
    properties: {
      name: { type: "string", description: "documents/{URL without scheme}." },
      uri: { type: "string", description: "The page's URL." },
      content: { type: "string", description: "The page in Markdown; not in the view BASIC." },
      description: TEXT,
      dataSource: { type: "string", description: "The host that the page is from." },
      title: TEXT,
      updateTime: { type: "string", format: "date-time", description: "When the page last changed here." },
      view: ref("DocumentView"),
      contentLengthBytes: { type: "integer", description: "Of the content, in UTF-8." },
    },
    required: ["name", "uri", "description", "dataSource", "title", "updateTime", "view", "contentLengthBytes"],
  },
  DocumentChunk: {
    type: "object",
    properties: {
      parent: { type: "string", description: "The name of the document." },
      id: { type: "string", description: "The passage within its document." },
      content: { type: "string", description: "The passage in Markdown." },
      document: ref("Document"),
      relevanceScore: { type: "number", minimum: 0, maximum: 1 },
      uri: { type: "string", description: "The URL of the passage, with the #fragment of its section; with verbose." },
      headings: listOf(TEXT, "The headings above the passage, outermost first; with verbose."),
    },
    required: ["parent", "content"],
  },
  DocumentView: {
    description: "The name of a view, or its number when enums are asked for as numbers.",
    oneOf: [{ type: "string", enum: Object.keys(VIEWS) }, { type: "integer" }],
  },
  SearchDocumentChunksResponse: {
    type: "object",
    properties: {
      results: listOf(ref("DocumentChunk"), "Best first."),
      nextPageToken: { type: "string", description: "For the next page; absent on the last." },
    },
    required: ["results"],
  },
  BatchGetDocumentsResponse: {
    type: "object",
    properties: { documents: listOf(ref("Document"), "In the order asked.") },
    required: ["documents"],
  },
  AnswerQueryRequest: {
    type: "object",
    properties: {
      query: { type: "string", maxLength: 500, description: "The question." },
      filter: { type: "string", maxLength: 500, description: "As of a search." },
    },
    required: ["query"],
  },
  AnswerQueryResponse: { type: "object", properties: { answer: ref("Answer") }, required: ["answer"] },
  Answer: {
    type: "object",
    properties: {
      answerText: { type: "string", description: "Markdown." },
      citations: listOf(ref("Citation")),
      references: listOf(ref("Reference")),
    },
    required: ["answerText", "citations", "references"],
  },
  Citation: {
    type: "object",
    properties: {
      startIndex: { type: "integer", description: "The first byte of what is cited, in UTF-8." },
      endIndex: { type: "integer", description: "The byte after the last." },
      sources: listOf({ type: "object", properties: { referenceIndex: INTEGER }, required: ["referenceIndex"] }),
    },
    required: ["startIndex", "endIndex", "sources"],
  },
  Reference: {
    type: "object",
    properties: {
      documentReference: {
        type: "object",
        properties: { documentChunk: ref("DocumentChunk") },
        required: ["documentChunk"],
      },
    },
    required: ["documentReference"],
  },
  Error: {
    type: "object",
    properties: {
      error: {
        type: "object",
        properties: { code: INTEGER, message: TEXT, status: TEXT },
        required: ["code", "message", "status"],
      },
    },
    required: ["error"],
  },
};

/** What a schema refers to, or itself. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.slice("#/components/schemas/".length);
  return name === undefined ? schema : SCHEMAS[name as SchemaName];
}
