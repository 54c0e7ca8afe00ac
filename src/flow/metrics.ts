/** How one ranking stands to what is relevant; each from 0 to 1. */
export interface Metrics {
  /** Discounted gain of the first ten, as a share of the best order's. */
  readonly "ndcg@10": number;
  /** One over the rank of the first relevant document, if it is among the first ten. */
  readonly "mrr@10": number;
  /** Whether a relevant document is first, or among the first five or nine. */
  readonly "hit@1": number;
  readonly "hit@5": number;
  readonly "hit@9": number;
  /** Share of the relevant documents that are among the first ten or hundred. */
  readonly "recall@10": number;
  readonly "recall@100": number;
  /** Mean of the precision at each relevant document, over the whole ranking; 0 for those that are not in it. */
  readonly map: number;
}

export type MetricName = keyof Metrics;

export const METRIC_NAMES = [
  "ndcg@10",
  "mrr@10",
  "hit@1",
  "hit@5",
  "hit@9",
  "recall@10",
  "recall@100",
  "map",
] as const satisfies readonly MetricName[];

/** By name of a document: how relevant it is, above 0. */
export type Judgements = ReadonlyMap<string, number>;

/**
 * Measures one ranking. A document that stands in it twice counts where it stands first.
 * Source of the formulas: trec_eval (`ndcg_cut`, `recip_rank`, `recall`, `map`), with which published figures are made: gains
 * are linear, and discounted by the binary logarithm of the rank plus one.
 * @param ranking names of documents, best first.
 */
export function measure(ranking: readonly string[], relevant: Judgements): Metrics {
  const names = [...new Set(ranking)];
  const first = firstRelevant(names, relevant);
  const foundUpTo = (rank: number): number => names.slice(0, rank).filter((name) => relevant.has(name)).length;
  const recall = (rank: number): number => (relevant.size === 0 ? 0 : foundUpTo(rank) / relevant.size);
  const hit = (rank: number): number => (first !== undefined && first <= rank ? 1 : 0);
  return {
    "ndcg@10": discountedShare(names, relevant),
    "mrr@10": first !== undefined && first <= 10 ? 1 / first : 0,
    "hit@1": hit(1),
    "hit@5": hit(5),
    "hit@9": hit(9),
    "recall@10": recall(10),
    "recall@100": recall(100),
    map: averagePrecision(names, relevant),
  };
}

/** The mean of each metric; all 0 for none. */
export function meanOf(all: readonly Metrics[]): Metrics {
  const mean = (name: MetricName): number => all.reduce((sum, one) => sum + one[name], 0) / Math.max(1, all.length);
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, mean(name)])) as Readonly<Record<MetricName, number>>;
}

/** The rank, from 1, of the first relevant document; undefined when there is none. */
export function firstRelevant(names: readonly string[], relevant: Judgements): number | undefined {
  const at = names.findIndex((name) => relevant.has(name));
  return at < 0 ? undefined : at + 1;
}

const DISCOUNTED_RANKS = 10;

function discountedShare(names: readonly string[], relevant: Judgements): number {
  const ideal = discounted([...relevant.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(names.map((name) => relevant.get(name) ?? 0)) / ideal;
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, DISCOUNTED_RANKS).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

function averagePrecision(names: readonly string[], relevant: Judgements): number {
  let found = 0;
  let sum = 0;
  for (const [i, name] of names.entries()) if (relevant.has(name)) sum += ++found / (i + 1);
  return relevant.size === 0 ? 0 : sum / relevant.size;
}
