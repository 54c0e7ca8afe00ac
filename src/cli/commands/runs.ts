import { Command } from "commander";
import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import type { Run } from "../../domain/run.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";
import { countsText, runLine } from "../run-text.ts";

const DEFAULT_LIMIT = 20;

/** `carrel runs`, `carrel runs show RUN` */
export function runsCommand(): Command {
  const show = withCommonFlags(
    new Command("show")
      .description("show one run, what it changed and what failed")
      .argument("<run>", "the number of a run, or latest")
      .option("--failed", "only what failed, a line each"),
  ).action(action(showRun));
  const command = new Command("runs")
    .description("list the last runs")
    .option("--source <id>", "only runs of this source")
    .option("--limit <n>", "how many runs", String(DEFAULT_LIMIT))
    .addCommand(show);
  return withCommonFlags(command).action(action(listRuns));
}

function listRuns({ app, output }: Context, flags: { readonly source?: string; readonly limit: string }): number {
  if (!/^[1-9]\d{0,8}$/.test(flags.limit)) {
    throw new CarrelError("invalid", `"${flags.limit}" is no number of runs; give --limit a whole number from 1.`);
  }
  using reading = app.openReading();
  const list = reading.corpus.runs(Number(flags.limit), flags.source);
  if (list.length === 0 && flags.source !== undefined) {
    const known = [...reading.corpus.titles().keys()];
    throw new CarrelError(
      "not-found",
      `There is no run of a source "${flags.source}".${didYouMean(flags.source, known)}`,
    );
  }
  const rows = list.map((run) => [
    String(run.id),
    run.source,
    run.status,
    run.startedAt.slice(0, 19).replace("T", " "),
    countsText(run.counts),
  ]);
  output.result({ runs: list }, table(["run", "source", "status", "started (UTC)", "counts"], rows));
  return 0;
}

function showRun({ app, output }: Context, id: string, flags: { readonly failed?: boolean }): number {
  using reading = app.openReading();
  const { corpus } = reading;
  const run = findRun(corpus, id);
  const failures = corpus.failures(run.id);
  const failureLines = failures.map(({ stage, url, reason }) => `${stage}  ${url}  ${reason}`);
  if (flags.failed === true) {
    output.result({ run, failures }, failureLines);
    return 0;
  }
  const changes = corpus.changesOf(run.id);
  const sign = { added: "+", updated: "~", removed: "-" } as const;
  const changeLines = changes.map(
    ({ kind, name, title, linesAdded, linesRemoved }) =>
      `${sign[kind]} ${name}  ${title}  (+${linesAdded} -${linesRemoved} lines)`,
  );
  output.result({ run, changes, failures }, [runLine(run), ...changeLines, ...failureLines]);
  return 0;
}

/** The run of a number, or the last one. @throws CarrelError `not-found`. */
export function findRun(corpus: CorpusReader, id: string): Run {
  const run = id === "latest" ? corpus.runs(1)[0] : /^\d{1,9}$/.test(id) ? corpus.run(Number(id)) : undefined;
  if (run !== undefined) return run;
  throw new CarrelError("not-found", `There is no run ${JSON.stringify(id)}; "carrel runs" lists them.`);
}
