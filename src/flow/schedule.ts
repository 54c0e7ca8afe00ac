import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { Clock, Logger } from "../domain/ports.ts";
import type { Run, RunStatus } from "../domain/run.ts";
import { dueAfter, firstDue, isCurrent, type DueTime, type DueTimes } from "../domain/schedule.ts";
import type { Source } from "../domain/source.ts";
import type { RefreshOptions } from "./refresh.ts";

/** What a schedule works with. */
export interface ScheduleStages {
  /** The listed sources, read anew. Rejects with CarrelError `config`. */
  sources(): Promise<readonly Source[]>;
  readonly dueTimes: DueTimes;
  /** Refreshes one source under the lock of the data folder; see `refresh`. Rejects with CarrelError `busy`. */
  refresh(source: Source, listed: readonly Source[], options: RefreshOptions, signal: AbortSignal): Promise<unknown>;
  readonly clock: Clock;
  /** Resolves at a time, or when `signal` aborts. */
  sleepUntil(time: Date, signal: AbortSignal): Promise<void>;
  readonly logger: Logger;
  /** Told of each run as it ended. */
  onRun(run: Run): void;
}

/**
 * How long it sleeps at most: pipelines may have changed, and a computer that was asleep, or whose clock was set, has not told.
 */
const WAKE_EVERY_MS = 60_000;
/** How long it waits for another process to end its refresh before it looks again. */
const BUSY_WAIT_MS = 30_000;

/** What a run of a schedule came to; undefined leaves the source due, so that it goes on. */
const HAS_FAILED: Readonly<Record<RunStatus, boolean | undefined>> = {
  complete: false,
  partial: false,
  // A person may have to look at it; most are over by the next try.
  suspicious: true,
  failed: true,
  stopped: undefined,
  running: undefined,
};

/**
 * Refreshes sources when they are due, one at a time, until `signal` aborts. The pipelines are read again between runs; while
 * one is broken the last good ones count. A process that holds the lock is waited for.
 * @throws CarrelError `config` when the pipelines are broken at the start, and `store`, which waiting does not mend.
 */
export async function keepSchedule(stages: ScheduleStages, signal: AbortSignal): Promise<void> {
  const { clock, logger, sleepUntil } = stages;
  let listed = await stages.sources();
  let told = "";
  let isWaiting = false;
  while (!signal.aborted) {
    try {
      listed = await stages.sources();
      told = "";
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== told) logger.warn(`${reason}\nThe pipelines as they were before are kept to.`);
      told = reason;
    }
    const now = clock().getTime();
    const [first] = updateDueTimes(stages.dueTimes, listed, now);
    if (first === undefined || first.row.dueAt > now) {
      await sleepUntil(new Date(Math.min(first?.row.dueAt ?? Infinity, now + WAKE_EVERY_MS)), signal);
      continue;
    }
    const isBusy = !(await refreshDue(stages, first.source, listed, signal));
    if (isBusy && !isWaiting) logger.info(`${first.source.id} is due, and waits until another carrel has ended.`);
    isWaiting = isBusy;
    if (isBusy) await sleepUntil(new Date(now + BUSY_WAIT_MS), signal);
  }
}

/**
 * Refreshes what is due now, and ends.
 * @throws CarrelError `config`, `store`, and `busy` when another process is refreshing.
 */
export async function refreshWhatIsDue(stages: ScheduleStages, signal: AbortSignal): Promise<void> {
  const listed = await stages.sources();
  while (!signal.aborted) {
    const now = stages.clock().getTime();
    const [first] = updateDueTimes(stages.dueTimes, listed, now);
    if (first === undefined || first.row.dueAt > now) return;
    if (!(await refreshDue(stages, first.source, listed, signal)))
      throw new CarrelError("busy", "Another carrel is refreshing; what is due stays so. Try again when it has ended.");
  }
}

/** A source that has a schedule, and when it is due. */
export interface Scheduled {
  readonly source: Source;
  readonly row: DueTime;
}

/** The sources that have a schedule, those that are due first before the others, without writing anything. */
export function scheduled(rows: readonly DueTime[], listed: readonly Source[], now: number): readonly Scheduled[] {
  const known = new Map(rows.map((row) => [row.source, row]));
  return listed
    .flatMap((source): Scheduled[] => {
      const { id, schedule } = source;
      if (schedule === undefined) return [];
      const row = known.get(id);
      const isKept = row !== undefined && isCurrent(row, schedule, now);
      return [{ source, row: isKept ? row : firstDue(id, schedule, now, row) }];
    })
    .sort((a, b) => a.row.dueAt - b.row.dueAt || (a.source.id < b.source.id ? -1 : 1));
}

/** Writes down when sources with a new or changed schedule are due, and forgets those that are listed or scheduled no more. */
function updateDueTimes(dueTimes: DueTimes, listed: readonly Source[], now: number): readonly Scheduled[] {
  const rows = dueTimes.all();
  const known = new Set(rows);
  const found = scheduled(rows, listed, now);
  for (const { row } of found) if (!known.has(row)) dueTimes.put(row);
  const kept = new Set(found.map(({ source }) => source.id));
  for (const { source } of rows) if (!kept.has(source)) dueTimes.forget(source);
  return found;
}

/** Refreshes one source, unless another process has done so. @returns false when another process holds the lock. */
async function refreshDue(
  stages: ScheduleStages,
  source: Source,
  listed: readonly Source[],
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, dueTimes, logger } = stages;
  const note = (hasFailed: boolean): void => {
    const row = dueTimes.get(source.id);
    if (row !== undefined && source.schedule !== undefined)
      dueTimes.put(dueAfter(row, source.schedule, hasFailed, clock().getTime()));
  };
  const options: RefreshOptions = {
    ask: "due",
    accept: false,
    isWanted: ({ id }) => (dueTimes.get(id)?.dueAt ?? Infinity) <= clock().getTime(),
    onEnded(_, run) {
      const hasFailed = HAS_FAILED[run.status];
      if (hasFailed !== undefined) note(hasFailed);
      stages.onRun(run);
    },
  };
  try {
    await stages.refresh(source, listed, options, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return true;
    if (error instanceof CarrelError && error.code === "busy") return false;
    if (error instanceof CarrelError && error.code === "store") throw error;
    // A fault with one source is no reason to leave the others stale.
    logger.warn(`${source.id}: ${reasonOf(error)}`);
    note(true);
    return true;
  }
}
