import { cosine, differingSigns, signWords, writeSigns } from "./codes.ts";
import type { VectorFile } from "./vector-file.ts";

/** So many are chosen by their signs, to be compared by their numbers. */
const CHOSEN = 400;

/** A chunk that is near a query in meaning. */
export interface Near {
  readonly row: number;
  readonly document: number;
  /** From -1 to 1. */
  readonly cosine: number;
}

/** The chunks that are nearest to a query, best first. @param within documents that may be found; all, when it is undefined. */
export function nearest(
  file: VectorFile,
  query: Int8Array,
  limit: number,
  within: ReadonlySet<number> | undefined,
): readonly Near[] {
  const { dimensions } = file;
  if (dimensions !== query.length) return [];
  const words = signWords(dimensions);
  const own = new Uint32Array(words);
  writeSigns(query, own, 0);
  const blocks = [...file.blocks()].map(({ rows, documents, signs }) => {
    const differing = new Uint16Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const allowed = within === undefined || within.has(documents[i] as number);
      differing[i] = allowed ? differingSigns(signs, i * words, own) : NOT_ALLOWED;
    }
    return { rows, documents, differing };
  });
  const counts = new Uint32Array(words * 32 + 1);
  for (const { differing } of blocks)
    for (const each of differing) if (each !== NOT_ALLOWED) counts[each] = (counts[each] as number) + 1;
  let most = 0;
  for (let chosen = 0; most < counts.length - 1; most++) if ((chosen += counts[most] as number) >= CHOSEN) break;
  const found: Near[] = [];
  for (const { rows, documents, differing } of blocks) {
    for (let i = 0; i < rows.length; i++) {
      if ((differing[i] as number) > most) continue;
      const row = rows[i] as number;
      const vector = file.vector(row);
      if (vector !== undefined) found.push({ row, document: documents[i] as number, cosine: cosine(query, vector) });
    }
  }
  return found.sort((a, b) => b.cosine - a.cosine || a.row - b.row).slice(0, limit);
}

const NOT_ALLOWED = 0xffff;
