import type { Passage } from "../../domain/chunk.ts";
import { NAME_PREFIX } from "../../domain/document.ts";
import type { Document } from "../../domain/document.ts";
import type { Answer, Queries } from "../../flow/queries.ts";
import { MAX_NAMES } from "../../flow/queries.ts";
import type { View } from "./schemas.ts";
import { VIEWS } from "./schemas.ts";

/** How the fields of a document are written. */
export interface Writing {
  /** Enums as numbers rather than names. */
  readonly numericEnums: boolean;
}

/** A document as a message of the contract. */
export function documentMessage(document: Document, view: View, { numericEnums }: Writing): object {
  const { name, uri, content, description, title, updateTime } = document;
  return {
    name,
    uri,
    ...(view !== "DOCUMENT_VIEW_BASIC" && { content }),
    description,
    dataSource: name.slice(NAME_PREFIX.length).split("/", 1)[0],
    title,
    updateTime,
    view: numericEnums ? VIEWS[view] : view,
    contentLengthBytes: Buffer.byteLength(content),
  };
}

/** Passages as messages, each with its document in the view BASIC. */
export async function chunkMessages(
  queries: Queries,
  passages: readonly Passage[],
  writing: Writing,
): Promise<readonly object[]> {
  const documents = await documentsOf(queries, passages);
  return passages.map(({ parent, id, content, score }) => {
    const document = documents.get(parent);
    return {
      parent,
      id,
      content,
      ...(document !== undefined && { document: documentMessage(document, "DOCUMENT_VIEW_BASIC", writing) }),
      relevanceScore: Math.min(1, Math.max(0, score)),
    };
  });
}

export async function answerMessage(queries: Queries, answer: Answer, writing: Writing): Promise<object> {
  const chunks = await chunkMessages(queries, answer.references, writing);
  return {
    answer: {
      answerText: answer.text,
      citations: answer.citations.map(({ startByte, endByte, references }) => ({
        startIndex: startByte,
        endIndex: endByte,
        sources: references.map((referenceIndex) => ({ referenceIndex })),
      })),
      // Without an id: what is cited can be several chunks.
      references: chunks.map((chunk) => ({ documentReference: { documentChunk: { ...chunk, id: undefined } } })),
    },
  };
}

/** The documents of passages by their names; one that went away meanwhile is missing. */
async function documentsOf(queries: Queries, passages: readonly Passage[]): Promise<ReadonlyMap<string, Document>> {
  const names = [...new Set(passages.map(({ parent }) => parent))];
  const found = new Map<string, Document>();
  for (let at = 0; at < names.length; at += MAX_NAMES) {
    const request = { names: names.slice(at, at + MAX_NAMES), maxChars: Number.POSITIVE_INFINITY };
    const { documents } = await queries.getDocuments(request);
    for (const document of documents) found.set(document.name, document);
  }
  return found;
}
