import { Cron } from "croner";

/** When a source is refreshed by itself. */
export type Schedule = EverySchedule | CronSchedule;

interface Jitter {
  /** The longest that a run is put off, so that not all of them, and not all copies of Carrel, ask at the same moment. */
  readonly jitterMs?: number;
}

export interface EverySchedule extends Jitter {
  readonly kind: "every";
  readonly everyMs: number;
}

export interface CronSchedule extends Jitter {
  readonly kind: "cron";
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** A name of the IANA time zone database. */
  readonly timeZone: string;
}

/** When a source is due: a row that survives restarts. Times in milliseconds since 1970. */
export interface DueTime {
  readonly source: string;
  /** What it was worked out from: `scheduleKey`. */
  readonly schedule: string;
  /** The time by the schedule alone. */
  readonly nominalAt: number;
  /** With jitter, or after a failure. */
  readonly dueAt: number;
  /** When the last run by the schedule ended; undefined before the first. */
  readonly ranAt: number | undefined;
  /** Failures in a row. */
  readonly failures: number;
}

/** The rows of all sources that have a schedule. */
export interface DueTimes {
  all(): readonly DueTime[];
  get(source: string): DueTime | undefined;
  put(row: DueTime): void;
  forget(source: string): void;
  close(): void;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A site is asked by no schedule more often than this. */
export const MIN_INTERVAL_MS = 5 * MINUTE_MS;
/** Of the interval. */
const JITTER_SHARE = 0.1;
/** No one who writes "at 3" means 4. */
const MAX_DEFAULT_JITTER_MS = 15 * MINUTE_MS;
/** After the first failure; doubled with each further one. */
const BACK_OFF_FIRST_MS = 5 * MINUTE_MS;
/** How many times of a cron expression are looked at for two that are too near. */
const TIMES_LOOKED_AT = 50;

/** Identifies a schedule: another one has another. */
export function scheduleKey(schedule: Schedule): string {
  return schedule.kind === "every"
    ? JSON.stringify(["every", schedule.everyMs, schedule.jitterMs])
    : JSON.stringify(["cron", schedule.cron, schedule.timeZone, schedule.jitterMs]);
}

/** What is wrong with a cron expression; undefined when nothing is. @param timeZone one that is known. */
export function cronProblem(cron: string, timeZone: string): string | undefined {
  let times: readonly Date[];
  try {
    times = compile(cron, timeZone).nextRuns(TIMES_LOOKED_AT, new Date(0));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
    return `"${cron}" is no cron expression of five fields: ${reason}.`;
  }
  if (times.length === 0) return `"${cron}" never comes.`;
  const isTooOften = times.some(
    (time, i) => i > 0 && time.getTime() - (times[i - 1]?.getTime() ?? 0) < MIN_INTERVAL_MS,
  );
  return isTooOften ? `"${cron}" comes more often than every 5 minutes, which no site should be asked.` : undefined;
}

/**
 * Fixed times are kept through changes of the clock: one that the clock leaves out comes right after the gap, and one that comes
 * twice runs once, as cron has it. Expressions with wildcards in the hour run by the time that passes.
 */
function compile(cron: string, timeZone: string): Cron {
  return new Cron(cron, { timezone: timeZone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });
}

/** The first time by a schedule after a moment. @param anchor a time by it, from which an interval is counted. */
function nextNominal(schedule: Schedule, after: number, anchor: number): number {
  if (schedule.kind === "cron") {
    // There is one: `cronProblem` has looked.
    return compile(schedule.cron, schedule.timeZone).nextRun(new Date(after))?.getTime() ?? after + DAY_MS;
  }
  const { everyMs } = schedule;
  return anchor + Math.max(1, Math.floor((after - anchor) / everyMs) + 1) * everyMs;
}

/** How far a run at a time by the schedule is put off: always the same for the same source and time. */
function jitterAt(schedule: Schedule, source: string, nominalAt: number): number {
  const interval = nextNominal(schedule, nominalAt, nominalAt) - nominalAt;
  const most = schedule.jitterMs ?? Math.min(interval * JITTER_SHARE, MAX_DEFAULT_JITTER_MS);
  return Math.floor(Math.min(most, interval / 2) * shareOf(`${source} ${nominalAt}`));
}

/** A number from 0 up to 1 that looks random, and is the same for the same text. FNV-1a, and the last mix of MurmurHash3. */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/**
 * When a source is due whose schedule is new, or another than before: an interval from its last run on, and at once when that is
 * over or there was none; a cron expression at its next time.
 */
export function firstDue(source: string, schedule: Schedule, now: number, before?: DueTime): DueTime {
  const ranAt = before?.ranAt;
  const row = { source, schedule: scheduleKey(schedule), ranAt, failures: 0 };
  if (schedule.kind === "every") {
    const nominalAt = ranAt === undefined ? now : Math.max(now, ranAt + schedule.everyMs);
    return { ...row, nominalAt, dueAt: nominalAt };
  }
  const nominalAt = nextNominal(schedule, now, now);
  return { ...row, nominalAt, dueAt: nominalAt + jitterAt(schedule, source, nominalAt) };
}

/** Whether a row is still that of its schedule: not when this was changed, or the clock was wrong when the row was written. */
export function isCurrent(row: DueTime, schedule: Schedule, now: number): boolean {
  if (row.schedule !== scheduleKey(schedule)) return false;
  return row.nominalAt <= now || row.nominalAt <= nextNominal(schedule, now, now);
}

/**
 * When a source is due after a run. However many times were missed, the next one is after now. After a failure it is tried
 * sooner: after 5 minutes, then twice as long each time, up to the interval or a day, but never past the next time.
 */
export function dueAfter(row: DueTime, schedule: Schedule, hasFailed: boolean, now: number): DueTime {
  const { source } = row;
  const nominalAt = nextNominal(schedule, now, row.nominalAt);
  const next = { ...row, nominalAt, dueAt: nominalAt + jitterAt(schedule, source, nominalAt), ranAt: now, failures: 0 };
  if (!hasFailed) return next;
  const failures = row.failures + 1;
  const interval = nextNominal(schedule, nominalAt, nominalAt) - nominalAt;
  const delay = Math.min(BACK_OFF_FIRST_MS * 2 ** (failures - 1), interval, DAY_MS);
  const retryAt = now + delay + Math.floor(delay * JITTER_SHARE * shareOf(`${source} ${row.nominalAt} ${failures}`));
  return retryAt < next.dueAt ? { ...next, nominalAt: row.nominalAt, dueAt: retryAt, failures } : { ...next, failures };
}
