import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CarrelError } from "../domain/errors.ts";
import type { Run } from "../domain/run.ts";
import { table } from "../cli/output.ts";
import { writeMadeUpSite } from "./made-up-site.ts";

/** What a process of its own did, and what it took. */
export interface Measured {
  readonly what: string;
  readonly run: Run | undefined;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  /** Questions asked, and the CPU time of each in milliseconds, sorted. */
  readonly questionMs: readonly number[];
}

/** Measures a first refresh, a second one and the answering of questions. @returns lines of a table. */
export async function benchRefresh(dir: string | undefined): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-bench-"));
  try {
    const root = dir === undefined ? writeMadeUpSite(join(folder, "site")) : resolve(dir);
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new CarrelError("invalid", `There is no folder ${root}; name one with HTML files in it.`);
    }
    const site = start("./static-site.js", [root]);
    try {
      const [url] = (await once(site, "message")) as [string];
      writePipeline(folder, url);
      const results: Measured[] = [];
      for (const what of ["first refresh", "second refresh", "questions"]) {
        const child = start("./stage.js", [what, folder]);
        const [measured] = (await once(child, "message")) as [Measured];
        results.push(measured);
        if (child.exitCode === null) await once(child, "exit");
      }
      return report(results);
    } finally {
      site.kill();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(file: string, args: readonly string[]): ChildProcess {
  const child = fork(new URL(file, import.meta.url), args);
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) process.stderr.write(`bench: ${file} ended with ${code}\n`);
  });
  return child;
}

function writePipeline(folder: string, url: string): void {
  mkdirSync(join(folder, "pipelines"));
  const base = "https://docs.bench.internal/";
  writeFileSync(
    join(folder, "pipelines", "bench.yaml"),
    `title: Bench\nseeds: ['${base}']\naliases: { '${url}': '${base}' }\nlimits: { maxPages: 1000000, maxDepth: 1000 }\n`,
  );
}

function report(results: readonly Measured[]): readonly string[] {
  const rows = results.map(({ what, run, cpuSeconds, wallSeconds, peakMegabytes, questionMs }) => {
    const count = run === undefined ? questionMs.length : run.counts.fetched + run.counts.unchanged;
    const at = (share: number): string => (questionMs[Math.floor(share * (questionMs.length - 1))] ?? 0).toFixed(2);
    return [
      what,
      String(count),
      cpuSeconds.toFixed(2),
      ((cpuSeconds * 1000) / Math.max(1, count)).toFixed(2),
      wallSeconds.toFixed(2),
      peakMegabytes.toFixed(0),
      run === undefined
        ? `CPU ms a question: p50 ${at(0.5)}, p95 ${at(0.95)}`
        : `${run.status}: ${run.counts.fetched} fetched, ${run.counts.unchanged} unchanged, ${run.counts.failed} failed`,
    ];
  });
  return table(["", "count", "CPU s", "CPU ms each", "wall s", "peak MB", ""], rows);
}
