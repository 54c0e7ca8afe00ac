import type { CorpusReader, SearchIndex } from "../domain/ports.ts";
import type { Judgements, Metrics } from "./metrics.ts";
import { firstRelevant, meanOf, measure } from "./metrics.ts";

/** A question, and the documents that answer it. */
export interface Question {
  readonly id: string;
  readonly query: string;
  readonly relevant: Judgements;
}

/** Questions with right answers, and the documents that they are asked of. */
export interface Collection {
  readonly name: string;
  readonly questions: readonly Question[];
  /** Undefined when they are asked of the corpus that is there. */
  readonly documents: readonly CollectionDocument[] | undefined;
}

/** A document of a collection that brings its own. */
export interface CollectionDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Ways to search, to be compared: everything on, the baseline of a plain BM25, and everything but one part. */
export const SEARCH_SETTINGS = ["full", "plain", "no-ranking"] as const;

export type SearchSetting = (typeof SEARCH_SETTINGS)[number];

/** What became of one question. */
export interface QuestionResult {
  readonly id: string;
  readonly query: string;
  readonly metrics: Metrics;
  /** The rank of the first right document; null when it was not found. */
  readonly rank: number | null;
  readonly relevant: readonly string[];
  /** The documents that were found first. */
  readonly found: readonly string[];
}

/** What became of a collection. */
export interface Evaluation {
  readonly collection: string;
  readonly setting: SearchSetting;
  readonly questions: number;
  /** Judged documents that are not in the corpus, so that no search can find them. */
  readonly missingDocuments: readonly string[];
  readonly mean: Metrics;
  /** CPU time of one search, in milliseconds. */
  readonly cpuMs: { readonly p50: number; readonly p95: number };
  readonly results: readonly QuestionResult[];
}

/** The corpus that is asked. */
export interface EvaluatedCorpus extends Pick<CorpusReader, "passages"> {
  /** Something, for a document that is there. */
  documentInfo(name: string): object | undefined;
}

/** So many documents are ranked for a question. A plain BM25 is compared to published figures, which go to this depth. */
const DEPTH: Readonly<Record<SearchSetting, number>> = { full: 100, plain: 1000, "no-ranking": 100 };
/** So many passages are asked for, that there are as many documents. */
const PASSAGES_OF_A_DOCUMENT = 3;
const DOCUMENTS_SHOWN = 5;

/** Asks every question and measures which documents come back. Stops early when the signal aborts. */
export async function evaluate(
  { corpus, index }: { readonly corpus: EvaluatedCorpus; readonly index: Pick<SearchIndex, "search"> },
  { name, questions }: Collection,
  setting: SearchSetting,
  signal: AbortSignal,
  onQuestion: (done: number) => void = () => {},
): Promise<Evaluation> {
  const results: QuestionResult[] = [];
  const times: number[] = [];
  for (const { id, query, relevant } of questions) {
    if (signal.aborted) break;
    const before = process.cpuUsage();
    // Copies of a page are judged apart, so they are not left out here, as they are for readers.
    const hits = await index.search(query, PASSAGES_OF_A_DOCUMENT * DEPTH[setting]);
    const names = [...new Set(corpus.passages(hits).map(({ parent }) => parent))].slice(0, DEPTH[setting]);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    results.push({
      id,
      query,
      metrics: measure(names, relevant),
      rank: firstRelevant(names, relevant) ?? null,
      relevant: [...relevant.keys()],
      found: names.slice(0, DOCUMENTS_SHOWN),
    });
    onQuestion(results.length);
  }
  const judged = new Set(questions.flatMap(({ relevant }) => [...relevant.keys()]));
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0;
  return {
    collection: name,
    setting,
    questions: questions.length,
    missingDocuments: [...judged].filter((document) => corpus.documentInfo(document) === undefined),
    mean: meanOf(results.map(({ metrics }) => metrics)),
    cpuMs: { p50: at(0.5), p95: at(0.95) },
    results,
  };
}

/** The questions that fared worst: those whose right document is not first, the deepest first. */
export function worstMisses({ results }: Evaluation, count: number): readonly QuestionResult[] {
  const depth = ({ rank }: QuestionResult): number => rank ?? Infinity;
  return results
    .filter((result) => depth(result) > 1)
    .sort((a, b) => (depth(b) === depth(a) ? a.metrics["ndcg@10"] - b.metrics["ndcg@10"] : depth(b) - depth(a)))
    .slice(0, count);
}
