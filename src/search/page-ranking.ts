import type { ChunkText, Hit } from "../domain/chunk.ts";
import type { PageInfo } from "./document-table.ts";
import type { WeightedQuery } from "./evidence.ts";
import { EvidenceReader } from "./evidence.ts";
import type { Presence } from "./presence.ts";
import type { PageKind } from "./page-kinds.ts";
import { asksFor } from "./page-kinds.ts";
import { areVersions, plainTitle, preferredFirst } from "./page-versions.ts";

/** A chunk that the postings found: its row id, document, and BM25F score from 0 to 1. */
export interface Candidate {
  readonly row: number;
  readonly document: number;
  readonly score: number;
}

/** How much each piece of evidence counts. The score is their weighted mean, so it stays from 0 to 1. */
export interface RankingWeights {
  /** Of the chunk. */
  readonly bm25: number;
  readonly body: number;
  readonly nearness: number;
  readonly headings: number;
  readonly lastHeading: number;
  readonly head: number;
  /** Of the page. */
  readonly title: number;
  readonly titleFit: number;
  /** What all its chunks have together. */
  readonly together: number;
  /** The scores of its other chunks. */
  readonly others: number;
  /** How many pages link to it. */
  readonly linked: number;
  /** What the links to it say. */
  readonly linkTexts: number;
  /** How near it is to the query in meaning, where that is known. */
  readonly meaning: number;
  /** Factors for kinds of pages. */
  readonly contents: number;
  readonly links: number;
  readonly news: number;
}

/**
 * Fitted on half of the questions of several collections (users' questions, headings, names of functions; English, German
 * and Hindi), and held against the other half.
 */
export const DEFAULT_RANKING: RankingWeights = {
  bm25: 4,
  body: 0.2,
  nearness: 0.7,
  headings: 0.4,
  lastHeading: 2.7,
  head: 4,
  title: 0.75,
  titleFit: 0.1,
  together: 0.85,
  others: 3.6,
  linked: 2.5,
  linkTexts: 1.5,
  meaning: 1.4,
  contents: 0.6,
  links: 0.7,
  news: 0.8,
};

/** More passages of one page crowd out other pages. */
const MAX_CHUNKS_OF_A_PAGE = 2;

/** What each further chunk of a page counts beside the one before. */
const OTHERS_DECAY = 0.6;

/** More pages than this that link to a page make it no more important. */
const MANY_LINKS = 1000;

/** Candidates whose bodies are read for how near the words stand, the best by all else: for the others it hardly matters. */
const READ_CLOSELY = 40;

/** The place of nearness among the features of a chunk. */
const NEARNESS = 2;

interface PageEvidence {
  readonly document: number;
  /** `page` also when the query asks for pages of its kind. */
  readonly kind: PageKind;
  readonly title: string;
  readonly info: PageInfo | undefined;
  readonly chunks: readonly ReadChunk[];
  readonly features: readonly number[];
}

/** What the ranking reads: the texts of candidates, where the query's terms stand in them, and what is known of their pages. */
export interface Evidence {
  readonly texts: ReadonlyMap<number, ChunkText>;
  readonly presence: ReadonlyMap<number, Presence>;
  readonly pages: ReadonlyMap<number, PageInfo>;
  /** By document, from 0 to 1. */
  readonly meaning?: ReadonlyMap<number, number> | undefined;
}

/** A candidate's features, in the order of the weights of chunks. */
interface ReadChunk {
  readonly row: number;
  readonly features: number[];
}

/**
 * Orders pages by all of their evidence; each gives its best chunk, and a second one further down. Their other chunks come
 * after all of these: they must not crowd out other pages, and who pages on, or restricts the search to one page, must find
 * them.
 */
export function rankPages(
  query: WeightedQuery,
  candidates: readonly Candidate[],
  evidence: Evidence,
  weights: RankingWeights,
): readonly Hit[] {
  const reader = new EvidenceReader(query);
  const byPage = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const known = byPage.get(candidate.document);
    if (known === undefined) byPage.set(candidate.document, [candidate]);
    else known.push(candidate);
  }
  const pages = [...byPage].map(([document, found]) => readPage(query, reader, document, found, evidence));
  const known = evidence.meaning === undefined ? { ...weights, meaning: 0 } : weights;
  const scored = scoreChunks(pages, known);
  const toRead = scored.sort(byScore).slice(0, READ_CLOSELY);
  const chunks = new Map(pages.flatMap((page) => page.chunks.map((chunk) => [chunk.row, chunk])));
  for (const { chunkRowId } of toRead) {
    const [chunk, text] = [chunks.get(chunkRowId), evidence.texts.get(chunkRowId)];
    if (chunk !== undefined && text !== undefined) chunk.features[NEARNESS] = reader.nearness(text);
  }
  return inOrder(oneVersionEach(query, pages, scoreChunks(pages, known)));
}

/**
 * Of pages that are versions of one, only that which is to be shown gives hits: whether it or another matches best is chance.
 * It takes the place of the best of them.
 */
function oneVersionEach(
  { text }: WeightedQuery,
  pages: readonly PageEvidence[],
  hits: readonly PlacedHit[],
): readonly PlacedHit[] {
  const groups = versionsTogether(pages);
  if (groups.length === 0) return hits;
  const best = new Map<number, number>();
  for (const { documentId, score, place } of hits) if (place === 0) best.set(documentId, score);
  const scoreOf = (document: number): number => best.get(document) ?? 0;
  const order = preferredFirst(text);
  const gains = new Map<number, number>();
  for (const group of groups) {
    const [shown, ...others] = group
      .toSorted(
        (a, b) =>
          order(a.info, b.info) ||
          b.info.linkedFrom - a.info.linkedFrom ||
          a.info.addressChars - b.info.addressChars ||
          a.document - b.document,
      )
      .map(({ document }) => document);
    if (shown === undefined) continue;
    for (const other of others) gains.set(other, -Infinity);
    gains.set(shown, Math.max(0, ...others.map((other) => scoreOf(other) - scoreOf(shown))));
  }
  return hits
    .filter(({ documentId }) => gains.get(documentId) !== -Infinity)
    .map((hit) => (hit.place === 0 ? { ...hit, score: hit.score + (gains.get(hit.documentId) ?? 0) } : hit));
}

type KnownPage = PageEvidence & { readonly info: PageInfo };

/** Groups of pages that are versions of one; pages that have no other version are in none. */
function versionsTogether(pages: readonly PageEvidence[]): readonly (readonly KnownPage[])[] {
  const byTitle = new Map<string, KnownPage[][]>();
  for (const { info, ...page } of pages) {
    if (info === undefined) continue;
    const known = { ...page, info };
    const title = plainTitle(page.title);
    const groups = byTitle.get(title);
    const group = groups?.find(([first]) => first !== undefined && areVersions(first.info, info));
    if (group !== undefined) group.push(known);
    else if (groups !== undefined) groups.push([known]);
    else byTitle.set(title, [[known]]);
  }
  return [...byTitle.values()].flat().filter((group) => group.length > 1);
}

function readPage(
  query: WeightedQuery,
  reader: EvidenceReader,
  document: number,
  found: readonly Candidate[],
  { texts, presence, pages, meaning }: Evidence,
): PageEvidence {
  const all = new Uint8Array(query.terms.length);
  let title = 0;
  let titleFit = 0;
  const chunks = found.map(({ row, score }): ReadChunk => {
    const [text, present] = [texts.get(row), presence.get(row)];
    if (text === undefined || present === undefined) return { row, features: [score, 0, 0, 0, 0, 0] };
    const evidence = reader.read(text, present);
    for (let i = 0; i < all.length; i++) if (evidence.found[i] === 1) all[i] = 1;
    title = evidence.title;
    titleFit = evidence.titleFit;
    return { row, features: [score, evidence.body, 0, evidence.headings, evidence.lastHeading, evidence.head] };
  });
  const info = pages.get(document);
  const { kind, linkedFrom } = info ?? { kind: "page", linkedFrom: 0 };
  const others = found.slice(1).reduce((sum, { score }, i) => sum + score * OTHERS_DECAY ** (i + 1), 0);
  const most = OTHERS_DECAY / (1 - OTHERS_DECAY);
  return {
    document,
    kind: asksFor(kind, query.text) ? "page" : kind,
    title: found.map(({ row }) => texts.get(row)?.title).find((each) => each !== undefined) ?? "",
    info,
    chunks,
    features: [
      title,
      titleFit,
      reader.share(all),
      Math.min(1, others / most),
      Math.min(1, Math.log1p(linkedFrom) / Math.log1p(MANY_LINKS)),
      meaning?.get(document) ?? 0,
      reader.linkTexts(info?.linkTexts ?? []),
    ],
  };
}

/** A chunk with its score, and its place among those of its page. */
interface PlacedHit extends Hit {
  readonly place: number;
}

function scoreChunks(pages: readonly PageEvidence[], weights: RankingWeights): PlacedHit[] {
  const { bm25, body, nearness, headings, lastHeading, head } = weights;
  const chunkWeights = [bm25, body, nearness, headings, lastHeading, head];
  const pageWeights = [
    weights.title,
    weights.titleFit,
    weights.together,
    weights.others,
    weights.linked,
    weights.meaning,
    weights.linkTexts,
  ];
  const total = sumOf(chunkWeights) + sumOf(pageWeights);
  return pages.flatMap(({ document, kind, chunks, features }) => {
    const factor = kind === "page" ? 1 : weights[kind];
    const ofPage = dot(features, pageWeights);
    return chunks
      .map((chunk) => ({ row: chunk.row, score: dot(chunk.features, chunkWeights) }))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .map(({ row, score }, place) => ({
        chunkRowId: row,
        documentId: document,
        place,
        score: (factor * (score + (place === 0 ? ofPage : 0))) / total,
      }));
  });
}

function inOrder(scored: readonly PlacedHit[]): readonly Hit[] {
  const hits = (isOf: (hit: PlacedHit) => boolean): Hit[] =>
    scored
      .filter(isOf)
      .map(({ chunkRowId, documentId, score }) => ({ chunkRowId, documentId, score }))
      .sort(byScore);
  const first = hits(({ place }) => place < MAX_CHUNKS_OF_A_PAGE);
  const rest = hits(({ place }) => place >= MAX_CHUNKS_OF_A_PAGE);
  const least = first.at(-1)?.score ?? 0;
  return [...first, ...rest.map((hit) => ({ ...hit, score: Math.min(hit.score, least) }))];
}

function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || a.chunkRowId - b.chunkRowId;
}

function dot(values: readonly number[], weights: readonly number[]): number {
  return values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
