import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { table } from "../cli/output.ts";
import { CarrelError } from "../domain/errors.ts";
import type { Kept } from "./comparison.ts";
import type { BenchFile, GeneratorReport, StageReport } from "./convert-stage.ts";

export interface ConvertBenchOptions {
  /** At most so many pages of each folder, evenly spread over it. */
  readonly max: number;
  /** Whether every page that differs is listed. */
  readonly show: boolean;
}

/**
 * Converts all HTML below folders with Carrel and with plain Turndown, and holds both against what is in the pages.
 * @returns lines: a table by generator, then the CPU time and the peak memory of both, each in a process of its own.
 */
export async function benchConvert(
  dirs: readonly string[],
  { max, show }: ConvertBenchOptions,
): Promise<readonly string[]> {
  const below = dirs.map((dir) => pagesBelow(resolve(dir)));
  const files = below.flatMap((all) => evenly(all, max));
  const counted = await runStage("count", files);
  const [carrel, turndown] = [await runStage("carrel", files), await runStage("turndown", files)];
  return [
    ...below.map((all) => `${Math.min(all.length, max)} of ${all.length} pages below ${all[0]?.root ?? ""}`),
    "",
    ...keptTable(counted.generators),
    "",
    ...costTable(files.length, carrel, turndown),
    ...(show ? ["", ...counted.differences] : []),
  ];
}

function pagesBelow(root: string): readonly BenchFile[] {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CarrelError("invalid", `There is no folder ${root}; name one with HTML files in it.`);
  }
  const all = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.x?html?$/i.test(file))
    .filter((file) => statSync(`${root}/${file}`, { throwIfNoEntry: false })?.isFile() === true)
    .sort();
  if (all.length === 0) throw new CarrelError("invalid", `There is no HTML file below ${root}.`);
  return all.map((file) => ({ root, file }));
}

function evenly(all: readonly BenchFile[], max: number): readonly BenchFile[] {
  const step = Math.max(1, all.length / max);
  return Array.from({ length: Math.min(all.length, max) }, (_, i) => all[Math.floor(i * step)]).filter(
    (file) => file !== undefined,
  );
}

async function runStage(what: string, files: readonly BenchFile[]): Promise<StageReport> {
  const child = fork(new URL("./convert-stage.js", import.meta.url), [what]);
  child.send(files);
  const ended = once(child, "exit").then(([code]) => {
    throw new CarrelError("internal", `The stage "${what}" ended with ${String(code)} and without a result.`);
  });
  const [report] = (await Promise.race([once(child, "message"), ended])) as [StageReport];
  ended.catch(() => undefined);
  return report;
}

function keptTable(generators: StageReport["generators"]): readonly string[] {
  const rows = Object.entries(generators)
    .toSorted(([, a], [, b]) => b.carrel.pages - a.carrel.pages)
    .flatMap(([id, report]) => [
      row(id, report, "carrel"),
      ...(report.carrel.pages > 0 ? [row("", report, "turndown")] : []),
    ]);
  const head = [
    "generator",
    "by",
    "pages",
    "no document",
    "throws",
    "off",
    "fences",
    "tables",
    "headings",
    "words kept",
    "junk",
    "dropped by rule",
  ];
  return table(head, rows);
}

function row(id: string, report: GeneratorReport, engine: "carrel" | "turndown"): readonly string[] {
  const kept: Kept = report[engine];
  const ofThere = (found: number, there: number): string => `${found}/${there}`;
  return [
    id,
    engine,
    String(kept.pages),
    engine === "carrel" ? String(report.skipped) : "",
    String(engine === "carrel" ? report.failed : kept.throws),
    String(kept.off),
    ofThere(kept.codeBlocks, kept.codeBlocksThere),
    ofThere(kept.tables, kept.tablesThere),
    ofThere(kept.headings, kept.headingsThere),
    `${((100 * kept.words) / Math.max(1, kept.wordsThere)).toFixed(2)}%`,
    String(kept.junk),
    engine === "carrel" ? `${((100 * kept.dropped) / Math.max(1, kept.dropped + kept.wordsThere)).toFixed(2)}%` : "",
  ];
}

function costTable(pages: number, carrel: StageReport, turndown: StageReport): readonly string[] {
  const rows = [
    { name: "carrel", report: carrel },
    { name: "turndown(string)", report: turndown },
  ].map(({ name, report }) => [
    name,
    report.cpuSeconds.toFixed(2),
    ((report.cpuSeconds * 1000) / pages).toFixed(2),
    (report.bytes / 1e6 / Math.max(report.cpuSeconds, 1e-6)).toFixed(1),
    (report.cpuSeconds / Math.max(turndown.cpuSeconds, 1e-6)).toFixed(2),
    report.peakMegabytes.toFixed(0),
    String(report.throws),
  ]);
  return table(["whole pages", "CPU s", "CPU ms a page", "MB a CPU s", "ratio", "peak MB", "throws"], rows);
}
