import type { Passage } from "../../domain/chunk.ts";
import { NAME_PREFIX } from "../../domain/document-name.ts";
import type { DocumentInfo } from "../../domain/document.ts";
import type { Answer, Queries } from "../../flow/queries.ts";
import type { View } from "./schemas.ts";
import { VIEWS } from "./schemas.ts";

/** How the fields of a document are written. */
export interface Writing {
  /** Enums as numbers rather than names. */
  readonly numericEnums: boolean;
  /** Gives fields of passages beyond the contract's. */
  readonly verbose?: boolean;
}

/** A document as a message of the contract; without `content` in the view BASIC. */
export function documentMessage(
  info: DocumentInfo,
  content: string | undefined,
  view: View,
  { numericEnums }: Writing,
): object {
  const { name, uri, description, title, updateTime, contentLengthBytes } = info;
  return {
    name,
    uri,
    ...(content !== undefined && view !== "DOCUMENT_VIEW_BASIC" && { content }),
    description,
    dataSource: name.slice(NAME_PREFIX.length).split("/", 1)[0],
    title,
    updateTime,
    view: numericEnums ? VIEWS[view] : view,
    contentLengthBytes,
  };
}

/** Passages as messages, each with its document in the view BASIC, unless that went away meanwhile. */
export function chunkMessages(queries: Queries, passages: readonly Passage[], writing: Writing): readonly object[] {
  const documents = new Map<string, object | undefined>();
  return passages.map(({ parent, id, content, score, uri, headings }) => {
    if (!documents.has(parent)) {
      const info = queries.documentInfo(parent);
      documents.set(parent, info && documentMessage(info, undefined, "DOCUMENT_VIEW_BASIC", writing));
    }
    const relevanceScore = Math.min(1, Math.max(0, score));
    const place = writing.verbose === true && { uri, headings };
    return { parent, id, content, document: documents.get(parent), relevanceScore, ...place };
  });
}

export function answerMessage(queries: Queries, answer: Answer, writing: Writing): object {
  const chunks = chunkMessages(queries, answer.references, writing);
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
