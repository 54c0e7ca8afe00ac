import type { ChunkText, DocumentChange, Hit, Passage, StoredChunk } from "../domain/chunk.ts";
import { pageKindOf } from "../domain/page-kind.ts";
import type { CollectionDocument } from "./evaluation.ts";

/** The documents of a collection in memory, as a corpus that can be indexed and read. */
export interface CollectionCorpus {
  readonly changes: readonly DocumentChange[];
  texts(chunkRowIds: readonly number[]): readonly ChunkText[];
  passages(hits: readonly Hit[]): readonly Passage[];
  /** Something, when there is a document of that name. */
  documentInfo(name: string): undefined | { readonly name: string };
}

/** A passage has about as many characters as those of the converter. */
const PASSAGE_CHARS = 1_200;

/**
 * Makes a corpus of the documents of a collection. They are cut here and not by the converter, so that its changes do not show in
 * what is measured of searching. Their names are their ids.
 * @param whole makes each document one passage that begins with its title, as the figures of plain BM25 are made.
 */
export function collectionCorpus(documents: readonly CollectionDocument[], whole: boolean): CollectionCorpus {
  const chunks = new Map<number, StoredChunk>();
  const owners = new Map<number, { readonly id: string; readonly title: string; readonly ordinal: number }>();
  const changes = documents.map((document, i): DocumentChange => {
    const { title, sections } = whole ? wholeOf(document) : sectionsOf(document);
    const stored = sections.map((section, ordinal): StoredChunk => {
      const rowId = chunks.size + 1;
      const chunk = { rowId, id: `c${ordinal + 1}`, anchor: "", anchors: [], ...section };
      chunks.set(rowId, chunk);
      owners.set(rowId, { id: document.id, title, ordinal });
      return chunk;
    });
    const path = `/${document.id}`;
    return {
      kind: "document",
      pageKind: pageKindOf({ path, title, markdown: stored.map(({ content }) => content) }),
      revision: i + 1,
      documentId: i + 1,
      name: document.id,
      uri: whole ? "" : `https://collection.invalid/${encodeURI(document.id)}`,
      source: "collection",
      title,
      language: "",
      chunks: stored,
    };
  });
  const ids = new Set(documents.map(({ id }) => id));
  return {
    changes,
    texts: (rowIds) =>
      rowIds.flatMap((rowId) => {
        const chunk = chunks.get(rowId);
        return chunk === undefined ? [] : [{ ...chunk, title: owners.get(rowId)?.title ?? "" }];
      }),
    passages: (hits) =>
      hits.flatMap(({ chunkRowId, score }) => {
        const [chunk, owner] = [chunks.get(chunkRowId), owners.get(chunkRowId)];
        if (chunk === undefined || owner === undefined) return [];
        const { id, content, headings } = chunk;
        return [
          { parent: owner.id, id, content, headings, title: owner.title, uri: "", ordinal: owner.ordinal, score },
        ];
      }),
    documentInfo: (name) => (ids.has(name) ? { name } : undefined),
  };
}

interface Section {
  readonly headings: readonly string[];
  readonly content: string;
}

function wholeOf({ title, text }: CollectionDocument): {
  readonly title: string;
  readonly sections: readonly Section[];
} {
  return { title: "", sections: [{ headings: [], content: `${title}\n${text}` }] };
}

/**
 * Cuts a text at its headings, underlined as in reStructuredText or marked as in Markdown, and into paragraphs. A document without a
 * title has its first heading for one.
 */
function sectionsOf({ title, text }: CollectionDocument): {
  readonly title: string;
  readonly sections: readonly Section[];
} {
  const lines = text.split("\n");
  const sections: Section[] = [];
  /** The signs that underline headings, the outermost level first. */
  const signs: string[] = [];
  let open: { readonly level: number; readonly heading: string }[] = [];
  let from = 0;
  const close = (end: number): void => {
    const content = lines.slice(from, end).join("\n").trim();
    const headings = open.map(({ heading }) => heading);
    if (content !== "") sections.push(...paragraphs(content).map((piece) => ({ headings, content: piece })));
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const marked = /^(#{1,6}) +(\S.*)$/.exec(line);
    const sign = marked === null ? underlining(line, lines[i + 1] ?? "") : undefined;
    if (marked === null && sign === undefined) continue;
    close(i);
    if (sign !== undefined && !signs.includes(sign)) signs.push(sign);
    const level = sign === undefined ? (marked?.[1] ?? "").length : signs.indexOf(sign) + 1;
    const heading = (sign === undefined ? (marked?.[2] ?? "") : line).trim();
    open = [...open.filter((each) => each.level < level), { level, heading }];
    if (sign !== undefined) i++;
    from = i + 1;
  }
  close(lines.length);
  const named = title || sections[0]?.headings[0] || "";
  return {
    title: named,
    sections: sections.map(({ headings, content }) => ({
      headings: headings[0] === named ? headings.slice(1) : headings,
      content,
    })),
  };
}

/** The sign that a line is underlined with; undefined when it is not. */
function underlining(line: string, next: string): string | undefined {
  const under = next.trimEnd();
  const sign = under.charAt(0);
  if (!"=-~^\"'`#*+.:_".includes(sign) || sign === "" || under.length < 3) return undefined;
  const isRun = under === sign.repeat(under.length);
  return isRun && /[\p{L}\p{N}]/u.test(line) && under.length >= Math.min(line.trim().length, 4) ? sign : undefined;
}

function paragraphs(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const block of text.split(/\n[ \t]*\n/)) {
    if (piece !== "" && piece.length + block.length > PASSAGE_CHARS) {
      pieces.push(piece);
      piece = "";
    }
    piece += (piece === "" ? "" : "\n\n") + block;
  }
  return [...pieces, piece];
}
