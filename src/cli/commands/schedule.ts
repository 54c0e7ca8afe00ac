import { Command, Option } from "commander";
import type { App } from "../../app.ts";
import { CarrelError } from "../../domain/errors.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import type { Run } from "../../domain/run.ts";
import type { Schedule } from "../../domain/schedule.ts";
import { keepSchedule, refreshWhatIsDue, scheduled, type ScheduleStages } from "../../flow/schedule.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { EXIT_CODE_OF_RUN } from "../exit-codes.ts";
import { table, type Output } from "../output.ts";
import { runLine } from "../run-text.ts";
import { progressLines } from "./refresh.ts";

/** `carrel schedule [--once | --list]` */
export function scheduleCommand(): Command {
  const command = new Command("schedule")
    .description("refresh each source when the schedule in its pipeline says so, and go on doing so")
    .addOption(new Option("--once", "refresh what is due now, and end").conflicts("list"))
    .option("--list", "say when each source is due, and end")
    .addHelpText(
      "after",
      `
Ends cleanly at Ctrl-C or SIGTERM; a run that is going on then goes on the next time. With --once the exit codes are those of
refresh: 0 every run is complete or nothing is due, 4 another carrel is refreshing, 10 a run is partial, 11 one is suspicious,
12 nothing could be fetched from one, 130 stopped.`,
    );
  return withCommonFlags(command).action(action(schedule));
}

interface ScheduleFlags {
  readonly once?: boolean;
  readonly list?: boolean;
}

async function schedule(context: Context, flags: ScheduleFlags): Promise<number> {
  const { app, output, signal } = context;
  if (flags.list === true) return list(context);
  await mustHaveSchedules(app);
  const runs: Run[] = [];
  const dueTimes = app.openDueTimes();
  const stages: ScheduleStages = {
    sources: app.sources,
    dueTimes,
    refresh: (source, listed, options, stopping) =>
      app.refresh([source], listed, progressLines(output), stopping, options),
    clock: () => new Date(),
    sleepUntil,
    logger: output,
    onRun(run) {
      if (flags.once === true) runs.push(run);
      else output.result({ run }, [runLine(run)]);
    },
  };
  try {
    if (flags.once !== true) {
      output.info("Refreshing sources when they are due. Ctrl-C ends this.");
      await keepSchedule(stages, signal);
      return 0;
    }
    await refreshWhatIsDue(stages, signal);
  } finally {
    dueTimes.close();
  }
  output.result({ runs }, runs.length === 0 ? ["Nothing is due."] : runs.map(runLine));
  if (signal.aborted) return EXIT_CODE_OF_RUN.stopped;
  return Math.max(0, ...runs.map(({ status }) => EXIT_CODE_OF_RUN[status]));
}

async function mustHaveSchedules(app: App): Promise<void> {
  const listed = await app.sources();
  if (listed.some((source) => source.schedule !== undefined)) return;
  throw new CarrelError(
    "config",
    `No source in ${app.settings.pipelines} has a schedule; add one to a pipeline, such as "schedule: { every: 1d }".`,
  );
}

async function list({ app, output }: Context): Promise<number> {
  const now = Date.now();
  const listed = await app.sources();
  using reading = app.tryReading();
  const rows = scheduled(app.dueTimes(), listed, now).map(({ source, row }) => {
    const lastRun = lastRunOf(reading?.corpus, source.id);
    return {
      source: source.id,
      schedule: source.schedule,
      dueAt: new Date(row.dueAt),
      failures: row.failures,
      lastRun,
    };
  });
  const lines = table(
    ["source", "next", "last run", "failures", "schedule"],
    rows.map(({ source, dueAt, lastRun, failures, schedule: own }) => [
      source,
      dueAt.getTime() <= now ? "now" : minuteText(dueAt.toISOString()),
      lastRun === undefined ? "never" : `${lastRun.status} ${minuteText(lastRun.startedAt)}`,
      String(failures),
      own === undefined ? "" : scheduleText(own),
    ]),
  );
  const value = rows.map((row) => ({ ...row, dueAt: row.dueAt.toISOString() }));
  sayUnscheduled(output, listed.length - rows.length);
  output.result({ schedules: value }, lines);
  return 0;
}

function lastRunOf(corpus: CorpusReader | undefined, source: string): Run | undefined {
  return corpus?.runs(1, source)[0];
}

function sayUnscheduled(output: Output, count: number): void {
  if (count === 0) return;
  output.info(
    `${count === 1 ? "1 source has" : `${count} sources have`} no schedule, and wait${count === 1 ? "s" : ""} for carrel refresh.`,
  );
}

/** `2026-03-01 02:10 UTC` */
function minuteText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

const MINUTES_IN = [
  ["w", 10_080],
  ["d", 1_440],
  ["h", 60],
  ["m", 1],
] as const;

/** A schedule as a pipeline has it. */
function scheduleText(own: Schedule): string {
  if (own.kind === "cron") return `${own.cron} ${own.timeZone}`;
  const minutes = own.everyMs / 60_000;
  const [unit, size] = MINUTES_IN.find(([, length]) => minutes % length === 0) ?? ["m", 1];
  return `every ${minutes / size}${unit}`;
}

function sleepUntil(time: Date, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, time.getTime() - Date.now()));
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
