import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../cli/output.ts";
import { CarrelError } from "../domain/errors.ts";
import type { FetchMeasured } from "./fetch-stage.ts";
import type { Served } from "./generated-site.ts";

/** What `bench fetch` measures. */
export interface FetchBench {
  readonly pages: number;
  readonly undici: FetchMeasured;
  readonly first: FetchMeasured;
  readonly second: FetchMeasured;
  /** A crawl that was killed so often, at random moments, and went on each time. */
  readonly resumed: FetchMeasured & {
    readonly kills: number;
    readonly fetchedAgain: number;
    /** Pages in its archive, and whether they are those of the undisturbed crawl, byte for byte. */
    readonly archived: number;
    readonly isSame: boolean;
  };
  readonly frontier: FetchMeasured;
}

const KILLS = 10;
const FRONTIER_PER_PAGE = 10;
const POLL_MS = 20;

/** @param pages of the site; the frontier is tried with ten times as many URLs. */
export async function benchFetch(pages: number): Promise<FetchBench> {
  if (!Number.isSafeInteger(pages) || pages < 100) {
    throw new CarrelError("invalid", "A site to measure with has at least 100 pages.");
  }
  const folder = mkdtempSync(join(tmpdir(), "carrel-bench-"));
  try {
    const [undici, first, second] = await withSite(pages, async (url) => {
      mkdirSync(join(folder, "once"));
      return [
        await stage("undici", folder, url, pages),
        await stage("crawl", join(folder, "once"), url, 1),
        await stage("crawl", join(folder, "once"), url, 2),
      ] as const;
    });
    const whole = await stage("contents", join(folder, "once"), "", 0);
    rmSync(join(folder, "once"), { recursive: true });
    mkdirSync(join(folder, "killed"));
    const last = await withSite(pages, (url, served) => killed(join(folder, "killed"), url, pages, served));
    const kept = await stage("contents", join(folder, "killed"), "", 0);
    const resumed = { ...last, archived: kept.count, isSame: kept.digest === whole.digest && whole.count === pages };
    rmSync(join(folder, "killed"), { recursive: true });
    const frontier = await stage("frontier", folder, "https://bench.internal/", pages * FRONTIER_PER_PAGE);
    return { pages, undici, first, second, resumed, frontier };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function fetchReport({ undici, first, second, resumed, frontier }: FetchBench): readonly string[] {
  const each = ({ cpuSeconds, count }: FetchMeasured): number => (cpuSeconds * 1000) / Math.max(1, count);
  const row = (what: string, measured: FetchMeasured, remark: string): readonly string[] => [
    what,
    String(measured.count),
    measured.cpuSeconds.toFixed(2),
    each(measured).toFixed(3),
    measured.peakMegabytes.toFixed(0),
    remark,
  ];
  const parts = Object.entries(frontier.parts).map(
    ([name, ms]) => `${name} ${ms < 10 ? ms.toFixed(4) : ms.toFixed(0)} ms`,
  );
  return table(
    ["", "count", "CPU s", "CPU ms each", "peak MB", ""],
    [
      row("undici alone", undici, "the same pages, thrown away"),
      row("first crawl", first, `${(each(first) / each(undici)).toFixed(1)} times undici alone: links and archive too`),
      row("second crawl", second, "all of it 304"),
      row(
        `killed ${resumed.kills} times`,
        resumed,
        `the last part; ${resumed.fetchedAgain} pages fetched again; ${resumed.archived} archived, ${resumed.isSame ? "byte for byte those of the first crawl" : "OTHER THAN THOSE OF THE FIRST CRAWL"}`,
      ),
      row("frontier", frontier, parts.join(", ")),
    ],
  );
}

async function withSite<T>(
  pages: number,
  work: (url: string, served: () => Promise<Served>) => Promise<T>,
): Promise<T> {
  const site = fork(new URL("./generated-site.js", import.meta.url), [String(pages)]);
  try {
    const url = await answerOf<string>(site);
    return await work(url, async () => {
      site.send("served?");
      return answerOf<Served>(site);
    });
  } finally {
    site.kill();
  }
}

async function stage(what: string, folder: string, url: string, amount: number): Promise<FetchMeasured> {
  const child = start(what, folder, url, amount);
  const measured = await answerOf<FetchMeasured>(child);
  if (child.exitCode === null) await once(child, "exit");
  return measured;
}

function start(what: string, folder: string, url: string, amount: number): ChildProcess {
  return fork(new URL("./fetch-stage.js", import.meta.url), [what, folder, url, String(amount)]);
}

/** Crawls with a `kill -9` at random moments, by pages sent, and then to the end. */
async function killed(
  folder: string,
  url: string,
  pages: number,
  served: () => Promise<Served>,
): Promise<Omit<FetchBench["resumed"], "archived" | "isSame">> {
  const moments = Array.from({ length: KILLS }, () => Math.floor(Math.random() * pages * 0.95)).sort((a, b) => a - b);
  let kills = 0;
  for (const moment of moments) {
    const child = start("crawl", folder, url, 1);
    const exited = once(child, "exit");
    // By pages sent, and at least one more than before: each kill finds a crawl at work.
    const target = Math.max(moment, (await served()).pages + 1);
    while (child.exitCode === null && (await served()).pages < target) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (child.exitCode !== null) {
      throw new CarrelError("internal", `The crawl ended with ${child.exitCode} before it could be killed.`);
    }
    child.kill("SIGKILL");
    await exited;
    kills++;
  }
  const last = await stage("crawl", folder, url, 1);
  const { again } = await served();
  return { ...last, kills, fetchedAgain: again };
}

/** The next message of a process. @throws CarrelError `internal` when it ends without one. */
function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => {
      reject(new CarrelError("internal", `A process of the bench ended with ${String(code)} and without a result.`));
    };
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      // It is our own program on the other side.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      resolve(message as T);
    });
  });
}
