import { Command, Option } from "commander";
import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import {
  OMISSIONS_KEPT,
  RUNS_WITH_OMISSIONS,
  type OmissionGroup,
  type OmissionKind,
  type Run,
} from "../../domain/run.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";
import { countsText, runLine, sizeText, timeText } from "../run-text.ts";

const DEFAULT_LIMIT = 20;

/** `carrel runs`, `carrel runs show RUN` */
export function runsCommand(): Command {
  const show = withCommonFlags(
    new Command("show")
      .description("show one run, what it changed, what failed and what it omitted")
      .argument("<run>", "the number of a run, or latest")
      .addOption(only("failed", "only what failed, a line each"))
      .addOption(only("gone", "only what was not there any more, a line each"))
      .addOption(only("moved", "only what has moved, a line each"))
      .addOption(only("skipped", "only what is no documentation by rule, a line each"))
      .addOption(only("left-out", "only what a limit left out, a line each"))
      .addOption(only("kept-out", "only the pages that are no documentation, a line each")),
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
    timeText(run.durationMs),
    sizeText(run.counts.bytes),
    [countsText({ ...run.counts, bytes: 0 }), run.note].filter((text) => text !== "").join("; "),
  ]);
  output.result(
    { runs: list },
    table(["run", "source", "status", "started (UTC)", "took", "received", "counts"], rows),
  );
  return 0;
}

const LISTS = ["failed", "gone", "moved", "skipped", "left-out", "kept-out"] as const;

const CAMEL_CASE: Readonly<Record<string, string>> = { "left-out": "leftOut", "kept-out": "keptOut" };

/** A flag that shows one list in place of all that there is to say. */
function only(list: (typeof LISTS)[number], description: string): Option {
  return new Option(`--${list}`, description).conflicts(
    LISTS.filter((other) => other !== list).map((other) => CAMEL_CASE[other] ?? other),
  );
}

/** What a list is called, and in which words a run is told of it. */
const OMITTED = {
  gone: "gone",
  moved: "moved",
  skipped: "skipped",
  leftOut: "left out",
  keptOut: "kept out",
} as const satisfies Record<OmissionKind, string>;

type ShowFlags = Partial<Record<OmissionKind | "failed", boolean>>;

function showRun({ app, output }: Context, id: string, flags: ShowFlags): number {
  using reading = app.openReading();
  const { corpus } = reading;
  const run = findRun(corpus, id);
  const kind = (Object.keys(OMITTED) as OmissionKind[]).find((known) => flags[known] === true);
  if (kind !== undefined) {
    const { urls, notKept } = omitted(corpus, run, kind);
    const lines = urls.map(({ url, reason }) => `${url}  ${reason}`);
    output.result(
      { run, [kind]: urls, notKept },
      notKept === 0 ? lines : [...lines, notKeptLine(urls.length, notKept)],
    );
    return 0;
  }
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
  const omissions = corpus.omissionGroups(run.id);
  output.result({ run, changes, failures, omissions }, [
    runLine(run),
    `started ${run.startedAt}, ${run.endedAt === undefined ? "not ended" : `ended ${run.endedAt}`}, at work for ${timeText(run.durationMs)}`,
    ...changeLines,
    ...failureLines,
    ...omissions.map(omissionLine),
  ]);
  return 0;
}

function omissionLine({ kind, reason, count }: OmissionGroup): string {
  return `${OMITTED[kind]}  ${count} ${count === 1 ? "URL" : "URLs"}: ${reason === "" ? "no reason is noted" : reason}`;
}

/** The URLs of a kind, and how many there were besides. */
function omitted(corpus: CorpusReader, run: Run, kind: OmissionKind) {
  const urls = corpus.omissions(run.id, kind).map(({ url, reason }) => ({ url, reason }));
  const groups = corpus.omissionGroups(run.id).filter((group) => group.kind === kind);
  return { urls, notKept: groups.reduce((sum, { count }) => sum + count, 0) - urls.length };
}

function notKeptLine(kept: number, notKept: number): string {
  const what = kept === 0 ? `${notKept} URLs` : `and ${notKept} more`;
  return `${what} that are not kept one by one: each run keeps the first ${OMISSIONS_KEPT} of a kind, and only the last ${RUNS_WITH_OMISSIONS} runs of a source do`;
}

/** The run of a number, or the last one. @throws CarrelError `not-found`. */
export function findRun(corpus: CorpusReader, id: string): Run {
  const run = id === "latest" ? corpus.runs(1)[0] : /^\d{1,9}$/.test(id) ? corpus.run(Number(id)) : undefined;
  if (run !== undefined) return run;
  throw new CarrelError("not-found", `There is no run ${JSON.stringify(id)}; "carrel runs" lists them.`);
}
