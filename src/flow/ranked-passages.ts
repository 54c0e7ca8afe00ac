import type { Hit, Passage } from "../domain/chunk.ts";
import type { QueryPorts } from "./queries.ts";

/** More hits than passages are asked for, because some are dropped and neighbours become one. */
const HITS_FOR_A_PASSAGE = 3;
/** More of one document crowds out the others. */
const MAX_PASSAGES_OF_A_DOCUMENT = 2;
/** A search within no more documents than these is for their passages, and not for documents. */
const FEW_DOCUMENTS = 10;
/** Passages that are read at a time: about a page. */
const BATCH = 8;
/** A search ranks so many whatever it is asked for, and what more of a document there is stands behind the others. */
const LEAST_HITS = 100;
/** The first hits: of their documents further passages are named; and how many are looked at for that. */
const LEADING_HITS = 3;
const MAX_FURTHER = 30;

/** A passage, and its place in the ranking of a search, from 0. */
export interface Ranked {
  readonly passage: Passage;
  readonly rank: number;
  /** How many chunks of its document it is made of; `ordinal` is that of the first. */
  readonly chunks: number;
}

export interface Ranking extends Iterable<Ranked> {
  /** Hits of the documents that lead it, left out because these are in it often enough; best first. */
  readonly further: readonly Hit[];
  /** What was found, in the order of the index. */
  readonly hits: readonly Hit[];
}

/**
 * The passages for a query, best first: at most two of one document, and no two that read the same. Where the search is
 * restricted to a few documents, their other passages follow. They are read from the corpus as they are taken.
 * @param wanted how many passages will be looked at.
 * @param within the documents that may be found; all, when it is undefined.
 */
export async function rankedPassages(
  { corpus, index }: Pick<QueryPorts, "corpus" | "index">,
  query: string,
  wanted: number,
  within: ReadonlySet<number> | undefined,
): Promise<Ranking> {
  const limit = Math.max(HITS_FOR_A_PASSAGE * wanted + 1, LEAST_HITS);
  const hits = within?.size === 0 ? [] : await index.search(query, limit, within);
  const perDocument = new Map<number, number>();
  const first: Hit[] = [];
  const others: Hit[] = [];
  for (const hit of hits) {
    const count = (perDocument.get(hit.documentId) ?? 0) + 1;
    perDocument.set(hit.documentId, count);
    (count <= MAX_PASSAGES_OF_A_DOCUMENT ? first : others).push(hit);
  }
  const isForPassages = within !== undefined && within.size <= FEW_DOCUMENTS;
  const all = isForPassages ? [...first, ...others] : first;
  return { [Symbol.iterator]: () => read(corpus, all), further: isForPassages ? [] : furtherOf(first, others), hits };
}

function furtherOf(first: readonly Hit[], others: readonly Hit[]): readonly Hit[] {
  const leading = new Set(first.slice(0, LEADING_HITS).map(({ documentId }) => documentId));
  return others.filter(({ documentId }) => leading.has(documentId)).slice(0, MAX_FURTHER);
}

function* read(corpus: QueryPorts["corpus"], hits: readonly Hit[]): Iterator<Ranked> {
  const contents = new Set<string>();
  let rank = 0;
  for (let at = 0; at < hits.length; at += BATCH) {
    for (const passage of corpus.passages(hits.slice(at, at + BATCH))) {
      if (contents.has(passage.content)) continue;
      contents.add(passage.content);
      yield { passage, rank: rank++, chunks: 1 };
    }
  }
}

/**
 * One page of a ranking, from a rank on, and the rank at which the next begins; undefined at the end. With `merge`,
 * passages that follow one another in their document are one passage, in the place of the better one.
 */
export function pageOf(
  ranked: Iterable<Ranked>,
  from: number,
  size: number,
  merge: boolean,
): { readonly page: readonly Ranked[]; readonly next: number | undefined } {
  const runs: Run[] = [];
  for (const { passage, rank } of ranked) {
    if (rank < from) continue;
    const beside = merge ? runs.find((run) => isBeside(run, passage)) : undefined;
    if (beside !== undefined) {
      join(beside, passage);
      continue;
    }
    if (runs.length === size) return { page: runs.map(merged), next: rank };
    runs.push({ rank, passages: [passage] });
  }
  return { page: runs.map(merged), next: undefined };
}

export function passagesOf(page: readonly Ranked[]): readonly Passage[] {
  return page.map(({ passage }) => passage);
}

/** Passages that follow one another, in the order of their document. */
interface Run {
  readonly rank: number;
  readonly passages: Passage[];
}

function isBeside({ passages }: Run, { parent, ordinal }: Passage): boolean {
  const [first] = passages;
  const last = passages.at(-1);
  return parent === first?.parent && (ordinal === first.ordinal - 1 || ordinal - 1 === last?.ordinal);
}

function join({ passages }: Run, passage: Passage): void {
  if (passage.ordinal < (passages[0]?.ordinal ?? 0)) passages.unshift(passage);
  else passages.push(passage);
}

function merged({ rank, passages }: Run): Ranked {
  const first = passages[0] as Passage;
  const content = passages.map((passage) => passage.content).join("\n\n");
  const score = Math.max(...passages.map((passage) => passage.score));
  return { rank, passage: { ...first, content, score }, chunks: passages.length };
}
