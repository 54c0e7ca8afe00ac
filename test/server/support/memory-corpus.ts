import type { Chunk, Hit, Passage } from "../../../src/domain/chunk.ts";
import { documentName } from "../../../src/domain/document-name.ts";
import type { Filter, Operator } from "../../../src/domain/filter.ts";
import { NO_FACTS, type Document, type DocumentFacts } from "../../../src/domain/document.ts";
import type { QueryPorts } from "../../../src/flow/queries.ts";

/** A page as a test writes it. */
export interface MemoryPage {
  readonly uri: string;
  readonly title?: string;
  readonly description?: string;
  readonly source?: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly updateTime?: string;
  readonly facts?: Partial<DocumentFacts>;
  /** Markdown; each section from a heading on is a chunk. */
  readonly content: string;
}

/** A corpus and an index in memory that keep to the ports: chunks are ranked by how many words of the query they hold. */
export function memoryCorpus(
  pages: readonly MemoryPage[],
  titles: ReadonlyMap<string, string> = new Map(),
): QueryPorts {
  const documents = pages.map((page): Document => ({
    ...NO_FACTS,
    name: documentName(page.uri),
    uri: page.uri,
    source: page.source ?? "manual",
    title: page.title ?? "Untitled",
    description: page.description ?? "",
    language: "en",
    ...page.facts,
    content: page.content,
    updateTime: page.updateTime ?? "2026-01-02T03:04:05.000Z",
  }));
  const chunks = documents.flatMap((document, documentId) =>
    document.content.split(/^(?=## )/m).map((content, ordinal) => {
      const heading = content.startsWith("## ") ? content.slice(3, content.indexOf("\n")) : undefined;
      const anchor = heading?.toLowerCase().replaceAll(" ", "-") ?? "";
      const headings = heading === undefined ? [] : [heading];
      return { document, documentId, ordinal, id: `c${ordinal + 1}`, content, headings, anchor, anchors: [] };
    }),
  );
  const revision = documents.length;

  return {
    corpus: {
      id: () => "memory",
      revision: () => revision,
      titles: () => titles,
      document: (name) => documents.find((document) => document.name === name),
      documentInfo(of) {
        const found = documents.find(({ name }) => name === of);
        if (found === undefined) return undefined;
        const { content, ...info } = found;
        return { ...info, contentLengthBytes: Buffer.byteLength(content) };
      },
      passages: (hits) =>
        hits.flatMap((hit): Passage[] => {
          const chunk = chunks[hit.chunkRowId];
          if (chunk === undefined) return [];
          const { document, id, content, headings, ordinal } = chunk;
          const { name, title, uri } = document;
          return [{ parent: name, id, content, title, uri, headings, ordinal, score: hit.score }];
        }),
      matching: (filter) => new Set(documents.flatMap((document, id) => (isMeant(filter, document) ? [id] : []))),
      namesBelow: (folder, limit) =>
        documents
          .map(({ name }) => name)
          .filter((name) => name.startsWith(folder) && !name.slice(folder.length).includes("/"))
          .sort()
          .slice(0, limit),
      chunks: (name) =>
        chunks
          .filter(({ document }) => document.name === name)
          .map(({ id, content, headings, anchor }): Chunk => ({ id, content, headings, anchor, anchors: [] })),
      stats() {
        const ids = [...new Set(documents.map((document) => document.source))].sort();
        return {
          documents: documents.length,
          chunks: chunks.length,
          revision,
          sources: ids.map((source) => {
            const own = documents.filter((document) => document.source === source);
            return {
              source,
              documents: own.length,
              hosts: [...new Set(own.map(({ uri }) => new URL(uri).host))].sort(),
            };
          }),
        };
      },
    },
    index: {
      stats: () => ({ chunks: chunks.length, revision }),
      reading: async () => ({ corrected: [], relaxed: [], nearest: [] }),
      search(query, limit, within) {
        const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
        const hits = chunks.map(({ content, document, documentId }, chunkRowId): Hit => {
          const text = `${document.title} ${document.name} ${content}`.toLowerCase();
          const score = words.filter((word) => text.includes(word)).length / Math.max(words.length, 1);
          return { chunkRowId, documentId, score };
        });
        return Promise.resolve(
          hits
            .filter((hit) => hit.score > 0 && within?.has(hit.documentId) !== false)
            .sort((a, b) => b.score - a.score || a.chunkRowId - b.chunkRowId)
            .slice(0, limit),
        );
      },
    },
  };
}

/** What the store's translation to SQL comes to, in plain words. */
function isMeant(filter: Filter, document: Document): boolean {
  switch (filter.kind) {
    case "and":
      return filter.parts.every((part) => isMeant(part, document));
    case "or":
      return filter.parts.some((part) => isMeant(part, document));
    case "not":
      return !isMeant(filter.part, document);
    case "number":
      return compares(Buffer.byteLength(document.content), filter.operator, filter.value);
    case "time":
      return compares(document.updateTime.slice(0, -1), filter.operator, filter.value);
    case "text": {
      const host = document.name.split("/")[1] ?? "";
      const { language, version, pageKind: kind } = document;
      const values = { data_source: host, uri: document.uri, source: document.source, language, version, kind };
      if (filter.field === "language" || filter.field === "version") {
        const joint = filter.field === "version" ? "." : "-";
        const begins = `${values[filter.field]}${joint}`
          .toLowerCase()
          .startsWith(`${filter.value}${joint}`.toLowerCase());
        return begins === (filter.operator === "=");
      }
      return compares(values[filter.field], filter.operator, filter.value);
    }
  }
}

function compares<T>(a: T, operator: Operator, b: T): boolean {
  const order = a < b ? -1 : a > b ? 1 : 0;
  return { "=": order === 0, "!=": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0 }[
    operator
  ];
}

/** A small corpus in the shape of real documentation. */
export const SMALL_PAGES: readonly MemoryPage[] = [
  {
    uri: "https://docs.kestrel.example/3/library/files.html",
    title: "files — reading and writing",
    description: "How to open, read and write files.",
    source: "kestrel",
    content:
      "Files are opened with `open`.\n\n## Reading lines\n\nRead a file line by line:\n\n```python\nfor line in open(path):\n    print(line)\n```\n\n## Writing\n\nWrite with `write`.\n",
  },
  {
    uri: "https://docs.kestrel.example/3/library/sockets.html",
    title: "sockets — networking",
    source: "kestrel",
    content: "Sockets connect machines.\n\n## Timeouts\n\nSet `timeout` to give up after some seconds.\n",
  },
  {
    uri: "https://www.heron.example/docs/15/sql-vacuum.html",
    title: "VACUUM",
    source: "heron",
    content: "VACUUM reclaims storage.\n\n## Parameters\n\n`FULL` rewrites the table; `timeout` does not apply.\n",
  },
];

export const SMALL_TITLES = new Map([
  ["kestrel", "Kestrel 3"],
  ["heron", "Heron 15"],
]);
