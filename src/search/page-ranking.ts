import type { ChunkText, Hit } from "../domain/chunk.ts";
import type { PageInfo } from "./document-table.ts";
import type { WeightedQuery } from "./evidence.ts";
import { EvidenceReader } from "./evidence.ts";
import type { PageKind } from "./page-kinds.ts";
import { asksFor } from "./page-kinds.ts";

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
  /** Of the page. */
  readonly title: number;
  readonly titleFit: number;
  /** What all its chunks have together. */
  readonly together: number;
  /** The scores of its other chunks. */
  readonly others: number;
  /** How many pages link to it. */
  readonly linked: number;
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
  title: 0.75,
  titleFit: 0.1,
  together: 0.85,
  others: 3.6,
  linked: 2.5,
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

/** The evidence of one page. The first chunk is its best. */
export interface PageEvidence {
  readonly document: number;
  /** `page` also when the query asks for pages of its kind. */
  readonly kind: PageKind;
  readonly chunks: readonly { readonly row: number; readonly features: readonly number[] }[];
  readonly features: readonly number[];
}

/** Gathers what speaks for the pages of the candidates. */
export function gatherEvidence(
  query: WeightedQuery,
  candidates: readonly Candidate[],
  texts: ReadonlyMap<number, ChunkText>,
  pages: ReadonlyMap<number, PageInfo>,
): readonly PageEvidence[] {
  const reader = new EvidenceReader(query);
  const byPage = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const known = byPage.get(candidate.document);
    if (known === undefined) byPage.set(candidate.document, [candidate]);
    else known.push(candidate);
  }
  return [...byPage].map(([document, found]) => {
    const all = new Uint8Array(query.terms.length);
    let title = 0;
    let titleFit = 0;
    const chunks = found.map(({ row, score }) => {
      const text = texts.get(row);
      if (text === undefined) return { row, features: [score, 0, 0, 0, 0] };
      const evidence = reader.read(text);
      for (let i = 0; i < all.length; i++) if (evidence.found[i] === 1) all[i] = 1;
      title = evidence.title;
      titleFit = evidence.titleFit;
      return { row, features: [score, evidence.body, evidence.nearness, evidence.headings, evidence.lastHeading] };
    });
    const { kind, linkedFrom } = pages.get(document) ?? { kind: "page", linkedFrom: 0 };
    const others = found.slice(1).reduce((sum, { score }, i) => sum + score * OTHERS_DECAY ** (i + 1), 0);
    const most = OTHERS_DECAY / (1 - OTHERS_DECAY);
    return {
      document,
      kind: asksFor(kind, query.text) ? "page" : kind,
      chunks,
      features: [
        title,
        titleFit,
        reader.share(all),
        Math.min(1, others / most),
        Math.min(1, Math.log1p(linkedFrom) / Math.log1p(MANY_LINKS)),
      ],
    };
  });
}

/**
 * Orders pages by all of their evidence; each gives its best chunk, and a second one further down. Their other chunks come
 * after all of these: they must not crowd out other pages, and who pages on, or restricts the search to one page, must find
 * them.
 */
export function rankPages(evidence: readonly PageEvidence[], weights: RankingWeights): readonly Hit[] {
  const chunkWeights = [weights.bm25, weights.body, weights.nearness, weights.headings, weights.lastHeading];
  const pageWeights = [weights.title, weights.titleFit, weights.together, weights.others, weights.linked];
  const total = sumOf(chunkWeights) + sumOf(pageWeights);
  const first: Hit[] = [];
  const rest: Hit[] = [];
  for (const { document, kind, chunks, features } of evidence) {
    const factor = kind === "page" ? 1 : weights[kind];
    const ofPage = dot(features, pageWeights);
    chunks
      .map((chunk) => ({ row: chunk.row, score: dot(chunk.features, chunkWeights) }))
      .sort((a, b) => b.score - a.score || a.row - b.row)
      .forEach(({ row, score }, i) => {
        const hits = i < MAX_CHUNKS_OF_A_PAGE ? first : rest;
        hits.push({
          chunkRowId: row,
          documentId: document,
          score: (factor * (score + (i === 0 ? ofPage : 0))) / total,
        });
      });
  }
  const least = first.sort(byScore).at(-1)?.score ?? 0;
  return [...first, ...rest.sort(byScore).map((hit) => ({ ...hit, score: Math.min(hit.score, least) }))];
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
