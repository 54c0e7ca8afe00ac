import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DomUtils } from "htmlparser2";
import { convertAtOnce } from "../convert/convert-page.ts";
import { decodePage } from "../convert/decode.ts";
import { PageTrace } from "../convert/page-trace.ts";
import type { ConversionInput } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import { compare, nothingKept, type Kept } from "./comparison.ts";
import { contentsOfPage } from "./page-contents.ts";
import { createPlainTurndown } from "./plain-turndown.ts";

/** A page, by the folder that was named and its path in it. */
export interface BenchFile {
  readonly root: string;
  readonly file: string;
}

export type Engine = "carrel" | "turndown";

/** What the pages of one generator came to. */
export type GeneratorReport = { readonly skipped: number; readonly failed: number } & Readonly<Record<Engine, Kept>>;

/** What a stage sends when it is done. */
export interface StageReport {
  readonly generators: Readonly<Record<string, GeneratorReport>>;
  /** Pages that differ, with how. */
  readonly differences: readonly string[];
  /** Of the conversions alone: not of reading files, nor of counting. */
  readonly cpuSeconds: number;
  readonly bytes: number;
  readonly throws: number;
  readonly peakMegabytes: number;
}

const turndown = createPlainTurndown();
const [what = ""] = process.argv.slice(2);
process.once("message", (files: readonly BenchFile[]) => {
  const report = what === "count" ? count(files) : measure(files, what === "carrel" ? convertWhole : turndownWhole);
  process.send?.({ ...report, peakMegabytes: process.resourceUsage().maxRSS / 1024 } satisfies StageReport, () =>
    process.disconnect(),
  );
});

function inputOf(file: string, body: Uint8Array): ConversionInput {
  const path = file.split("/").map(encodeURIComponent).join("/");
  return {
    url: `https://bench.internal/${path}`,
    contentType: "text/html",
    body,
    options: { remove: [] },
    aliases: [],
  };
}

function convertWhole(file: string, body: Uint8Array): void {
  const conversion = convertAtOnce(inputOf(file, body));
  if (conversion.kind === "failed") throw new Error(conversion.reason);
}

function turndownWhole(_file: string, body: Uint8Array): void {
  turndown(decodePage(body, "text/html"));
}

/** Converts every page and adds up what that takes. */
function measure(
  files: readonly BenchFile[],
  convert: (file: string, body: Uint8Array) => void,
): Omit<StageReport, "peakMegabytes"> {
  let [cpuMicroseconds, bytes, throws] = [0, 0, 0];
  for (const { root: dir, file } of files) {
    const body = readFileSync(join(dir, file));
    bytes += body.length;
    const before = process.cpuUsage();
    try {
      convert(file, body);
    } catch {
      throws++;
    }
    const { user, system } = process.cpuUsage(before);
    cpuMicroseconds += user + system;
  }
  return { generators: {}, differences: [], cpuSeconds: cpuMicroseconds / 1e6, bytes, throws };
}

interface OpenReport {
  skipped: number;
  failed: number;
  readonly carrel: Kept;
  readonly turndown: Kept;
}

/** Holds what both make of the main content of every page against what is in it. */
function count(files: readonly BenchFile[]): Omit<StageReport, "peakMegabytes"> {
  const generators: Record<string, OpenReport> = {};
  const differences: string[] = [];
  for (const { root: dir, file } of files) {
    const trace = new PageTrace();
    const body = readFileSync(join(dir, file));
    const conversion = convertAtOnce(inputOf(file, body), trace);
    const { root } = trace;
    const id = root?.generator.id ?? (conversion.kind === "skipped" ? "skipped by its address" : "not read");
    const report = (generators[id] ??= { skipped: 0, failed: 0, carrel: nothingKept(), turndown: nothingKept() });
    if (conversion.kind === "failed") {
      report.failed++;
      differences.push(`${file}: failed: ${conversion.reason}`);
    } else if (conversion.kind === "skipped") report.skipped++;
    if (conversion.kind !== "document" || root === undefined) continue;
    const there = contentsOfPage(root.parts, root.generator, decodePage(body, "text/html"));
    const difference = compare(report.carrel, there, `${conversion.title}\n`, conversion.content);
    if (difference !== "") differences.push(`${file}: ${difference}`);
    try {
      compare(report.turndown, there, "", turndown(DomUtils.getOuterHTML([...root.parts])));
    } catch (error) {
      compare(report.turndown, there, "", "");
      report.turndown.throws++;
      differences.push(`${file}: Turndown throws: ${reasonOf(error)}`);
    }
  }
  return { generators, differences, cpuSeconds: 0, bytes: 0, throws: 0 };
}
