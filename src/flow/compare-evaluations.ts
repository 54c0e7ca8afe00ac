import type { Evaluation } from "./evaluation.ts";
import { METRIC_NAMES, type MetricName } from "./metrics.ts";
import { compare, type Comparison } from "./paired-bootstrap.ts";

/** One metric under two settings, over the questions that both were asked. */
export interface ComparedMetric extends Comparison {
  readonly metric: MetricName;
  readonly before: number;
  readonly now: number;
}

/** Compares what two settings, or two versions, make of a collection: only questions that both have, by their ids. */
export function compareEvaluations(
  before: Evaluation,
  now: Evaluation,
): { readonly questions: number; readonly metrics: readonly ComparedMetric[] } {
  const earlier = new Map(before.results.map((result) => [result.id, result]));
  const pairs = now.results.flatMap((result) => {
    const same = earlier.get(result.id);
    return same === undefined ? [] : [{ before: same.metrics, now: result.metrics }];
  });
  const metrics = METRIC_NAMES.map((metric): ComparedMetric => {
    const [first, second] = [pairs.map((pair) => pair.before[metric]), pairs.map((pair) => pair.now[metric])];
    return { metric, before: mean(first), now: mean(second), ...compare(first, second) };
  });
  return { questions: pairs.length, metrics };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
