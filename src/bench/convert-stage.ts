import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DomUtils } from "htmlparser2";
import { convertAtOnce } from "../convert/convert-page.ts";
import { decodePage } from "../convert/decode.ts";
import { PageTrace } from "../convert/page-trace.ts";
import type { ConversionInput } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import { contentsOfMarkdown } from "./markdown-contents.ts";
import { contentsOfPage, wordsOf, type Contents } from "./page-contents.ts";
import { createPlainTurndown } from "./plain-turndown.ts";

/** A page, by the folder that was named and its path in it. */
export interface BenchFile {
  readonly root: string;
  readonly file: string;
}

/** What a converter made of pages, against what is in them. */
export interface Kept {
  pages: number;
  throws: number;
  /** Pages that differ: in the number of code blocks, tables or headings, or in more than one word in fifty. */
  off: number;
  codeBlocks: number;
  codeBlocksThere: number;
  tables: number;
  tablesThere: number;
  headings: number;
  headingsThere: number;
  words: number;
  wordsThere: number;
  junk: number;
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

/** A page keeps its words when so many of them are there. */
const LEAST_WORDS_KEPT = 0.98;
/** Pages with less are headings and links; one word that is written otherwise is much of them. */
const LEAST_WORDS_TO_JUDGE = 20;

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

function nothingKept(): Kept {
  return {
    pages: 0,
    throws: 0,
    off: 0,
    codeBlocks: 0,
    codeBlocksThere: 0,
    tables: 0,
    tablesThere: 0,
    headings: 0,
    headingsThere: 0,
    words: 0,
    wordsThere: 0,
    junk: 0,
  };
}

/** Adds a page. @param title Of the page, where it is beside the Markdown. @returns how the two differ; "" when they do not. */
function compare(kept: Kept, there: Contents, title: string, markdown: string): string {
  const written = contentsOfMarkdown(markdown);
  const headings = matched(there.headings.map(letters), [...written.headings, title].map(letters));
  const words = matched(there.words, [...written.words, ...wordsOf(title)]);
  kept.pages++;
  kept.codeBlocks += written.codeBlocks;
  kept.codeBlocksThere += there.codeBlocks;
  kept.tables += written.tables;
  kept.tablesThere += there.tables;
  kept.headings += headings.found;
  kept.headingsThere += there.headings.length;
  kept.words += words.found;
  kept.wordsThere += there.words.length;
  kept.junk += written.junk;
  const differences = [
    written.codeBlocks === there.codeBlocks ? "" : `${written.codeBlocks} fences of ${there.codeBlocks} code blocks`,
    written.tables === there.tables ? "" : `${written.tables} of ${there.tables} tables`,
    headings.missing.length === 0 ? "" : `without the headings ${headings.missing.slice(0, 3).join(", ")}`,
    there.words.length >= LEAST_WORDS_TO_JUDGE && words.found < there.words.length * LEAST_WORDS_KEPT
      ? `${words.found} of ${there.words.length} words, without ${words.missing.slice(0, 8).join(" ")}`
      : "",
    written.junk === 0 ? "" : `${written.junk} lines of junk`,
  ].filter((difference) => difference !== "");
  if (differences.length > 0) kept.off++;
  return differences.join("; ");
}

/** A heading without what is written in more than one way. */
function letters(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** How many of `wanted` are in `given`, each used once. */
function matched(
  wanted: readonly string[],
  given: readonly string[],
): { readonly found: number; readonly missing: readonly string[] } {
  const left = new Map<string, number>();
  for (const one of given) left.set(one, (left.get(one) ?? 0) + 1);
  const missing: string[] = [];
  for (const one of wanted) {
    const count = left.get(one) ?? 0;
    if (count === 0) missing.push(one);
    else left.set(one, count - 1);
  }
  return { found: wanted.length - missing.length, missing };
}
