import type { ChunkText, Hit } from "../domain/chunk.ts";
import type { SearchIndex } from "../domain/ports.ts";
import { DoneWithout } from "./done-without.ts";
import { textFor } from "./vectors/text-hash.ts";

/** The best so many hits are ordered anew; what a model makes of more takes longer than a reader waits. */
const RERANKED = 20;

export interface RerankingOptions {
  readonly texts: (chunkRowIds: readonly number[]) => readonly ChunkText[];
  /** Says how well passages answer a query; undefined when it cannot in time. */
  readonly scores: (query: string, passages: readonly string[]) => Promise<readonly number[] | undefined>;
}

/** An index whose best hits a model puts in order. Scores stay in their places, so that they still descend from 1. */
export function rerankedIndex(index: SearchIndex, { texts, scores }: RerankingOptions): SearchIndex {
  const without = new DoneWithout("reranking");
  return {
    revision: () => index.revision(),
    apply: (changes) => index.apply(changes),
    async search(query, limit, within) {
      const hits = await index.search(query, limit, within);
      const first = hits.slice(0, RERANKED);
      if (first.length < 2) return hits;
      const known = new Map(
        texts(first.map(({ chunkRowId }) => chunkRowId)).map((text) => [text.rowId, textFor(text)]),
      );
      const given = await scores(
        query,
        first.map(({ chunkRowId }) => known.get(chunkRowId) ?? ""),
      );
      without.note(query, given === undefined);
      if (given === undefined) return hits;
      const order = [...first.keys()].sort((a, b) => (given[b] ?? 0) - (given[a] ?? 0) || a - b);
      const ordered = order.map((from, to): Hit => ({ ...(first[from] as Hit), score: first[to]?.score ?? 0 }));
      return [...ordered, ...hits.slice(RERANKED)];
    },
    reading: async (query, hits, within) => without.tell(query, await index.reading(query, hits, within)),
    enrich: (signal) => index.enrich(signal),
    stats: () => index.stats(),
    notes: () => index.notes(),
    close: () => index.close(),
  };
}
