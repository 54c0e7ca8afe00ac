import { z } from "zod";
import { cronProblem, MIN_INTERVAL_MS, type Schedule } from "../domain/schedule.ts";

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const MAX_EVERY_MS = 366 * UNITS_MS.d;
const DEFAULT_TIME_ZONE = "UTC";

const duration = z.string("expected a time such as 30m, 12h, 1d or 2w.").regex(/^\d{1,5}[mhdw]$/, {
  message: "expected a time such as 30m, 12h, 1d or 2w: a whole number of minutes, hours, days or weeks.",
});

const every = duration.refine(
  (text) => !/^\d{1,5}[mhdw]$/.test(text) || (msOf(text) >= MIN_INTERVAL_MS && msOf(text) <= MAX_EVERY_MS),
  "expected at least 5m and at most 366d.",
);

const timeZone = z.string().superRefine((zone, context) => {
  if (!isTimeZone(zone)) context.addIssue(`"${zone}" is no time zone; expected a name such as Europe/Berlin or UTC.`);
});

/** When a source is refreshed by itself; see `Schedule`. */
export const schedule = z
  .strictObject({
    every: every.optional(),
    cron: z.string().optional(),
    timeZone: timeZone.optional(),
    jitter: duration.optional(),
  })
  .superRefine((value, context) => {
    const { every: interval, cron } = value;
    if ((interval === undefined) === (cron === undefined)) {
      context.addIssue(
        interval === undefined
          ? "say when: either every, such as 1d, or cron, such as '0 3 * * *'."
          : "say either every or cron, and not both.",
      );
      return;
    }
    const add = (key: string, message: string): void => context.addIssue({ code: "custom", path: [key], message });
    if (interval !== undefined && value.timeZone !== undefined)
      add("timeZone", "is for cron; every goes by the time that passes.");
    if (interval !== undefined && value.jitter !== undefined && msOf(value.jitter) > msOf(interval) / 2)
      add("jitter", `expected at most half of every, which is ${interval}.`);
    if (cron === undefined) return;
    const problem = cronProblem(cron, zoneOf(value.timeZone));
    if (problem !== undefined) add("cron", problem);
  })
  .optional();

/** The schedule that a pipeline says, as part of a source. */
export function scheduleOf(value: z.output<typeof schedule>): { readonly schedule?: Schedule } {
  if (value === undefined) return {};
  const jitter = value.jitter === undefined ? {} : { jitterMs: msOf(value.jitter) };
  if (value.every !== undefined) return { schedule: { kind: "every", everyMs: msOf(value.every), ...jitter } };
  const { cron = "", timeZone: zone = DEFAULT_TIME_ZONE } = value;
  return { schedule: { kind: "cron", cron, timeZone: zone, ...jitter } };
}

function msOf(text: string): number {
  return Number(text.slice(0, -1)) * UNITS_MS[text.slice(-1) as keyof typeof UNITS_MS];
}

/** One that is wrong is told of by itself. */
function zoneOf(zone: string | undefined): string {
  return zone !== undefined && isTimeZone(zone) ? zone : DEFAULT_TIME_ZONE;
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
