import { once } from "node:events";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CarrelError } from "../../src/domain/errors.ts";
import { NO_COUNTS, type Run, type RunStatus } from "../../src/domain/run.ts";
import type { DueTimes, Schedule } from "../../src/domain/schedule.ts";
import type { Source } from "../../src/domain/source.ts";
import type { RefreshOptions } from "../../src/flow/refresh.ts";
import { keepSchedule, refreshWhatIsDue, scheduled, type ScheduleStages } from "../../src/flow/schedule.ts";
import { openDueTimes } from "../../src/store/due-times.ts";
import { acquireLock } from "../../src/store/lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function source(id: string, schedule?: Schedule): Source {
  return {
    kind: "folder",
    id,
    title: id,
    folder: "/nowhere",
    baseUrl: "https://docs.example.org/",
    scope: { type: "prefix", include: [], exclude: [] },
    convert: { remove: [] },
    freshness: { maxRecheckDays: 7, maxLoss: 0.2 },
    ...(schedule === undefined ? {} : { schedule }),
  };
}

function every(everyMs: number, jitterMs = 0): Schedule {
  return { kind: "every", everyMs, jitterMs };
}

function cron(expression: string, timeZone: string, jitterMs = 0): Schedule {
  return { kind: "cron", cron: expression, timeZone, jitterMs };
}

/** A simulated time that goes on when everyone in it sleeps, and one data folder for all. */
function simulate(from: string, to: string, daemons = 1) {
  const folder = tempFolder();
  const end = Date.parse(to);
  let now = Date.parse(from);
  const sleeping: { time: number; wake: () => void }[] = [];
  const stop = new AbortController();
  const runs: { id: string; at: string; daemon: number }[] = [];
  const said: string[] = [];
  const world = {
    folder,
    runs,
    said,
    stop,
    sources: (): Promise<readonly Source[]> => Promise.resolve([]),
    /** What a run comes to, and how long it takes. */
    outcome: (_id: string): RunStatus => "complete",
    duration: (_id: string): number => 2 * MINUTE,
    now: () => now,
    sleep(time: number): Promise<void> {
      return new Promise((resolve) => {
        sleeping.push({ time, wake: resolve });
        if (sleeping.length < daemons) return;
        sleeping.sort((a, b) => a.time - b.time);
        const first = sleeping.shift();
        now = Math.max(now, first?.time ?? 0);
        if (now >= end) stop.abort();
        first?.wake();
        if (stop.signal.aborted) for (const { wake } of sleeping.splice(0)) wake();
      });
    },
    /** One process. @param skipsIdle sleeps until something is due, rather than waking each minute. */
    daemon(
      daemon = 1,
      skipsIdle = daemons === 1,
    ): { stages: ScheduleStages; dueTimes: DueTimes; run(): Promise<void> } {
      const dueTimes = openDueTimes(join(folder, "archive.db"));
      onTestFinished(() => dueTimes.close());
      const stages: ScheduleStages = {
        sources: () => world.sources(),
        dueTimes,
        async refresh({ id }: Source, listed: readonly Source[], options: RefreshOptions) {
          const letGo = acquireLock(join(folder, "refresh.lock"));
          try {
            const own = listed.find((one) => one.id === id);
            if (own === undefined || options.isWanted?.(own) === false) return;
            runs.push({ id, at: new Date(now).toISOString(), daemon });
            const status = world.outcome(id);
            await world.sleep(now + world.duration(id));
            options.onEnded?.(own, { id: 1, source: id, status, counts: NO_COUNTS } as Run);
          } finally {
            letGo();
          }
        },
        clock: () => new Date(now),
        sleepUntil(time) {
          const next = dueTimes.all()[0]?.dueAt ?? end;
          return world.sleep(skipsIdle && next > now ? Math.max(time.getTime(), Math.min(next, end)) : time.getTime());
        },
        logger: { info: (line) => said.push(line), warn: (line) => said.push(line) },
        onRun() {},
      };
      return { stages, dueTimes, run: () => keepSchedule(stages, stop.signal) };
    },
  };
  return world;
}

const timesOf = (runs: readonly { id: string; at: string }[], id: string): string[] =>
  runs.filter((run) => run.id === id).map(({ at }) => at.slice(0, 16));

test("three months: each source at its times, through the changes of the clock in three zones", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-05-01T00:00:00Z");
  const listed = [
    source("berlin", cron("30 2 * * *", "Europe/Berlin")),
    source("sydney", cron("30 2 * * *", "Australia/Sydney")),
    source("york", cron("0 3 * * 1-5", "America/New_York")),
    source("daily", every(DAY)),
    source("weekly", every(7 * DAY)),
    source("never"),
  ];
  world.sources = () => Promise.resolve(listed);
  await world.daemon().run();
  const berlin = timesOf(world.runs, "berlin");
  // Each day once, whatever the clock does: 89 days.
  expect(berlin).toHaveLength(89);
  expect(new Set(berlin.map((at) => at.slice(0, 10))).size).toBe(89);
  expect(berlin).toContain("2026-03-28T01:30");
  // 02:30 is left out on 29 March: right after the gap, at 03:00.
  expect(berlin).toContain("2026-03-29T01:00");
  expect(berlin).toContain("2026-03-30T00:30");
  const sydney = timesOf(world.runs, "sydney");
  expect(sydney).toHaveLength(89);
  // 02:30 comes twice on 5 April: once, the first time.
  expect(sydney.filter((at) => at.startsWith("2026-04-04") || at.startsWith("2026-04-05"))).toEqual([
    "2026-04-04T15:30",
    "2026-04-05T16:30",
  ]);
  const york = timesOf(world.runs, "york");
  expect(york).toHaveLength(64);
  expect([york[0], york.at(-1)]).toEqual(["2026-02-02T08:00", "2026-04-30T07:00"]);
  expect(timesOf(world.runs, "daily")).toHaveLength(89);
  expect(timesOf(world.runs, "weekly")).toHaveLength(13);
  expect(timesOf(world.runs, "never")).toEqual([]);
  expect(world.said).toEqual([]);
});

test("jitter puts runs off by no more than is said, differently each time, and the same after a restart", async () => {
  const runOnce = async (): Promise<string[]> => {
    const world = simulate("2026-02-01T00:00:00Z", "2026-05-01T00:00:00Z");
    world.sources = () => Promise.resolve([source("a", cron("0 3 * * *", "UTC", 30 * MINUTE))]);
    await world.daemon().run();
    return timesOf(world.runs, "a");
  };
  const times = await runOnce();
  expect(await runOnce()).toEqual(times);
  expect(times).toHaveLength(89);
  const minutes = times.map((at) => Number(at.slice(14, 16)));
  for (const at of times) expect(at).toMatch(/T03:[0-2]/);
  expect(new Set(minutes).size).toBeGreaterThan(15);
  expect(minutes.reduce((sum, minute) => sum + minute, 0) / minutes.length).toBeGreaterThan(10);
});

test("a source that fails is tried again soon, then ever more seldom, and never less often than its schedule", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-08T00:00:00Z");
  world.sources = () => Promise.resolve([source("down", cron("0 3 * * *", "UTC"))]);
  world.duration = () => 0;
  world.outcome = () => (world.now() < Date.parse("2026-02-04T12:00:00Z") ? "failed" : "partial");
  const daemon = world.daemon();
  await daemon.run();
  const times = timesOf(world.runs, "down").map((at) => Date.parse(`${at}Z`));
  const gaps = times.slice(1).map((time, i) => (time - (times[i] ?? 0)) / MINUTE);
  // Doubled from 5 minutes on, with up to a tenth more.
  for (const [i, wanted] of [5, 10, 20, 40, 80, 160, 320].entries()) {
    expect(gaps[i]).toBeGreaterThanOrEqual(wanted);
    expect(gaps[i]).toBeLessThanOrEqual(wanted * 1.1 + 1);
  }
  // Then at the times of the schedule, from the first that is near to them; one good run ends it.
  expect(timesOf(world.runs, "down").slice(-6)).toEqual([
    expect.stringMatching(/^2026-02-02T/) as string,
    ..."34567".split("").map((day) => `2026-02-0${day}T03:00`),
  ]);
  expect(daemon.dueTimes.get("down")).toMatchObject({ failures: 0, nominalAt: Date.parse("2026-02-08T03:00:00Z") });
});

test("times that were missed while the machine was off are made up for once", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-20T00:00:00Z");
  world.sources = () => Promise.resolve([source("a", every(6 * HOUR)), source("b", cron("0 * * * *", "UTC"))]);
  const { stages } = world.daemon();
  await refreshWhatIsDue(stages, world.stop.signal);
  await world.sleep(Date.parse("2026-02-10T00:30:00Z"));
  world.runs.length = 0;
  await refreshWhatIsDue(stages, world.stop.signal);
  await refreshWhatIsDue(stages, world.stop.signal);
  expect(world.runs.map(({ id }) => id)).toEqual(["b", "a"]);
  expect(stages.dueTimes.all().map(({ source: id, dueAt }) => [id, new Date(dueAt).toISOString()])).toEqual([
    ["b", "2026-02-10T01:00:00.000Z"],
    ["a", "2026-02-10T06:00:00.000Z"],
  ]);
});

test("a changed schedule counts from the last run on; a source that is listed no more is forgotten", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-20T00:00:00Z");
  world.duration = () => 0;
  world.sources = () => Promise.resolve([source("a", every(7 * DAY)), source("b", every(DAY))]);
  const { stages } = world.daemon();
  const go = () => refreshWhatIsDue(stages, world.stop.signal);
  await go();
  world.sources = () => Promise.resolve([source("a", every(2 * DAY)), source("b")]);
  await go();
  expect(world.runs).toHaveLength(2);
  expect(stages.dueTimes.all()).toMatchObject([{ source: "a", dueAt: Date.parse("2026-02-03T00:00:00Z") }]);
  // A clock that was wrong by years leaves nothing behind.
  const [row] = stages.dueTimes.all();
  if (row !== undefined)
    stages.dueTimes.put({ ...row, nominalAt: row.nominalAt + 3650 * DAY, dueAt: row.dueAt + 3650 * DAY });
  await go();
  expect(stages.dueTimes.get("a")?.dueAt).toBe(Date.parse("2026-02-03T00:00:00Z"));
});

test("two daemons at once: each run once, by either; the one that finds the lock taken waits, and counts no failure", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z", 2);
  world.sources = () =>
    Promise.resolve([source("a", every(HOUR)), source("b", every(2 * HOUR)), source("c", every(HOUR, 10 * MINUTE))]);
  world.duration = () => 7 * MINUTE;
  const [one, two] = [world.daemon(1), world.daemon(2)];
  // The first one is woken late every other hour.
  const late = (time: Date): Date => new Date(time.getTime() + (time.getUTCHours() % 2) * 1_000);
  const { sleepUntil } = one.stages;
  const stages = { ...one.stages, sleepUntil: (time: Date, signal: AbortSignal) => sleepUntil(late(time), signal) };
  await Promise.all([keepSchedule(stages, world.stop.signal), two.run()]);
  expect(timesOf(world.runs, "a").length).toBe(24);
  expect(timesOf(world.runs, "b").length).toBe(12);
  expect(new Set(world.runs.map(({ daemon }) => daemon))).toEqual(new Set([1, 2]));
  const starts = world.runs.map(({ at }) => Date.parse(at));
  for (const [i, start] of starts.entries())
    if (i > 0) expect(start - (starts[i - 1] ?? 0)).toBeGreaterThanOrEqual(7 * MINUTE);
  for (const { failures } of one.dueTimes.all()) expect(failures).toBe(0);
  expect(world.said.some((line) => /waits until another carrel has ended/.test(line))).toBe(true);
});

test("a lock that is held is waited for, and once only says so with an error; a holder that is killed lets go", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z");
  world.sources = () => Promise.resolve([source("a", every(12 * HOUR))]);
  const file = join(world.folder, "refresh.lock");
  const program = `import D from "better-sqlite3"; const db = new D(${JSON.stringify(file)}); db.exec("BEGIN EXCLUSIVE"); console.log("held"); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  const { stages, dueTimes } = world.daemon();
  await expect(refreshWhatIsDue(stages, world.stop.signal)).rejects.toThrow(
    /Another carrel is refreshing; what is due stays so/,
  );
  let waits = 0;
  const sleepUntil: ScheduleStages["sleepUntil"] = async (time, signal) => {
    if (++waits === 3) {
      holder.kill("SIGKILL");
      await once(holder, "exit");
    }
    await stages.sleepUntil(time, signal);
  };
  await keepSchedule({ ...stages, sleepUntil }, world.stop.signal);
  expect(timesOf(world.runs, "a")).toEqual(["2026-02-01T00:01", "2026-02-01T12:00"]);
  expect(dueTimes.get("a")?.failures).toBe(0);
});

test("pipelines are read again between runs; of broken ones the last good state is kept, and said once", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-01T12:00:00Z");
  const broken = new CarrelError("config", "a.yaml:3: unknown key");
  world.sources = () => Promise.reject(broken);
  await expect(world.daemon().run()).rejects.toThrow("unknown key");
  const isBroken = (): boolean =>
    world.now() >= Date.parse("2026-02-01T03:00:00Z") && world.now() < Date.parse("2026-02-01T08:00:00Z");
  world.sources = () => {
    if (isBroken()) return Promise.reject(broken);
    const more = world.now() >= Date.parse("2026-02-01T08:00:00Z") ? [source("new", every(DAY))] : [];
    return Promise.resolve([source("a", every(HOUR)), ...more]);
  };
  await world.daemon().run();
  expect(timesOf(world.runs, "a")).toHaveLength(12);
  expect(timesOf(world.runs, "new")).toEqual(["2026-02-01T08:02"]);
  expect(world.said).toEqual([
    expect.stringMatching(/a.yaml:3: unknown key\nThe pipelines as they were before are kept to/),
  ]);
});

test("a run that is stopped stays due; a fault with one source does not stop the others; a damaged store does", async () => {
  const world = simulate("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z");
  world.sources = () => Promise.resolve([source("a", every(HOUR)), source("b", every(HOUR))]);
  const { stages, dueTimes } = world.daemon();
  world.outcome = () => {
    world.stop.abort();
    return "stopped";
  };
  await refreshWhatIsDue(stages, world.stop.signal);
  expect(dueTimes.all().map(({ dueAt }) => dueAt - Date.parse("2026-02-01T00:00:00Z"))).toEqual([0, 0]);

  const signal = new AbortController().signal;
  const failing = (error: Error): ScheduleStages => ({
    ...stages,
    async refresh(one, ...rest) {
      if (one.id === "a") throw error;
      await stages.refresh(one, ...rest);
    },
  });
  world.outcome = () => "complete";
  world.runs.length = 0;
  await refreshWhatIsDue(failing(new Error("a fault")), signal);
  expect(world.runs.map(({ id }) => id)).toEqual(["b"]);
  expect(dueTimes.get("a")).toMatchObject({ failures: 1 });
  await world.sleep(world.now() + DAY);
  await expect(refreshWhatIsDue(failing(new CarrelError("store", "damaged")), signal)).rejects.toThrow("damaged");
});

test("a list tells of what was never run without writing it down", () => {
  const now = Date.parse("2026-02-01T00:00:00Z");
  const list = scheduled([], [source("a", cron("0 3 * * *", "UTC")), source("b", every(DAY)), source("c")], now);
  expect(list.map(({ source: { id }, row }) => [id, row.dueAt - now])).toEqual([
    ["b", 0],
    ["a", 3 * HOUR],
  ]);
});
