import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import type { App } from "../../app.ts";
import { CarrelError } from "../../domain/errors.ts";
import {
  evaluate,
  SEARCH_SETTINGS,
  worstMisses,
  type Collection,
  type Evaluation,
  type SearchSetting,
} from "../../flow/evaluation.ts";
import { METRIC_NAMES } from "../../flow/metrics.ts";
import { compareEvaluations, type ComparedMetric } from "../../flow/compare-evaluations.ts";
import { readCollection } from "../collections.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";

/** `carrel eval COLLECTION...` */
export function evalCommand(): Command {
  const command = new Command("eval")
    .description("measure how well searches find what is known to answer")
    .argument("<collection...>", "a file of questions, or a folder in the layout of BEIR")
    .addOption(
      new Option("--setting <name>", "how to search, to see what a part of the ranking is worth")
        .choices(SEARCH_SETTINGS)
        .default("full"),
    )
    .option("--misses <n>", "how many of the worst misses to show", "10")
    .option("--against <file>", "compare to an earlier result, printed with --json");
  return withCommonFlags(command).action(action(evaluateAll));
}

interface EvalFlags {
  readonly setting: SearchSetting;
  readonly misses: string;
  readonly against?: string;
}

async function evaluateAll(context: Context, paths: readonly string[], flags: EvalFlags): Promise<number> {
  const { app, output, signal } = context;
  if (!/^\d{1,6}$/.test(flags.misses)) {
    throw new CarrelError("invalid", `"${flags.misses}" is no number of misses; give --misses a whole number.`);
  }
  const before = flags.against === undefined ? [] : readEvaluations(flags.against);
  const collections = paths.map(readCollection);
  const evaluations: Evaluation[] = [];
  for (const collection of collections) {
    const { name, questions } = collection;
    const onQuestion = (done: number): void => output.progress(`${name}: ${done} of ${questions.length} questions`);
    evaluations.push(await evaluateOne(app, collection, flags.setting, signal, onQuestion));
    if (signal.aborted) throw new CarrelError("stopped", `Stopped in ${name}; nothing was measured to its end.`);
  }
  const comparisons = evaluations.flatMap((evaluation) => {
    const other = before.find(({ collection }) => collection === evaluation.collection);
    return other === undefined ? [] : [{ collection: evaluation.collection, ...compareEvaluations(other, evaluation) }];
  });
  for (const { collection, missingDocuments } of evaluations) {
    const [first, ...others] = missingDocuments;
    if (first === undefined) continue;
    const what =
      others.length === 0 ? "1 document that answers is" : `${missingDocuments.length} documents that answer are`;
    output.warn(`${collection}: ${what} not in the corpus: ${first}${others.length === 0 ? "" : " and others"}.`);
  }
  const unknown = evaluations.filter(({ collection }) => !comparisons.some((one) => one.collection === collection));
  if (flags.against !== undefined && unknown.length > 0) {
    output.warn(`${flags.against} has no result of ${unknown.map(({ collection }) => collection).join(", ")}.`);
  }
  output.result({ evaluations, ...(flags.against !== undefined && { comparisons }) }, lines());
  return 0;

  function* lines(): Iterable<string> {
    yield* evaluationTable(evaluations);
    for (const { collection, metrics } of comparisons) {
      yield "";
      yield `${collection}, against ${flags.against ?? ""}:`;
      yield* comparisonTable(metrics);
    }
    for (const evaluation of evaluations) {
      const misses = worstMisses(evaluation, Number(flags.misses));
      if (misses.length === 0) continue;
      yield "";
      yield `${evaluation.collection}, worst misses:`;
      for (const { query, rank, relevant, found } of misses) {
        yield `  ${query}`;
        yield `    right, ${rank === null ? "not found" : `found as number ${rank}`}: ${relevant.slice(0, 3).join(", ")}`;
        if (found.length > 0) yield `    before it: ${found.slice(0, Math.min(3, (rank ?? 4) - 1)).join(", ")}`;
      }
    }
  }
}

async function evaluateOne(
  app: App,
  collection: Collection,
  setting: SearchSetting,
  signal: AbortSignal,
  onQuestion: (done: number) => void,
): Promise<Evaluation> {
  if (collection.documents === undefined && setting === "full") {
    using reading = app.openReading();
    return await evaluate(reading, collection, setting, signal, onQuestion);
  }
  const { openCollectionTrial, openCorpusTrial } = await import("../../trial.ts");
  if (collection.documents !== undefined) {
    await using trial = await openCollectionTrial(collection.documents, setting, signal);
    return await evaluate(trial, collection, setting, signal, onQuestion);
  }
  using reading = app.openReading();
  await using trial = await openCorpusTrial(reading.corpus, setting, signal);
  return await evaluate(trial, collection, setting, signal, onQuestion);
}

/** One line a collection. */
export function evaluationTable(evaluations: readonly Evaluation[]): readonly string[] {
  return table(
    ["collection", "setting", "questions", ...METRIC_NAMES, "CPU ms p50", "p95"],
    evaluations.map(({ collection, setting, questions, mean, cpuMs }) => [
      collection,
      setting,
      String(questions),
      ...METRIC_NAMES.map((name) => mean[name].toFixed(3)),
      cpuMs.p50.toFixed(1),
      cpuMs.p95.toFixed(1),
    ]),
  );
}

function comparisonTable(metrics: readonly ComparedMetric[]): readonly string[] {
  return table(
    ["metric", "before", "now", "difference", "95 % interval", "better", "worse"],
    metrics.map(({ metric, before, now, difference, low, high, better, worse }) => [
      metric,
      before.toFixed(3),
      now.toFixed(3),
      signed(difference),
      `${signed(low)} to ${signed(high)}`,
      String(better),
      String(worse),
    ]),
  );
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(3)}`;
}

function readEvaluations(file: string): readonly Evaluation[] {
  let saved: { readonly evaluations?: readonly Evaluation[] };
  try {
    saved = JSON.parse(readFileSync(file, "utf8")) as typeof saved;
  } catch (error) {
    throw new CarrelError("invalid", `${file} cannot be read as the result of an earlier carrel eval --json.`, {
      cause: error,
    });
  }
  if (!Array.isArray(saved.evaluations)) {
    throw new CarrelError("invalid", `${file} is no result of carrel eval --json.`);
  }
  return saved.evaluations;
}
