import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "../cli/output.ts";
import { CarrelError } from "../domain/errors.ts";
import { ENGINES, type EngineName } from "./search-engines.ts";
import type { SearchReport } from "./search-stage.ts";

/** Enough for what other engines keep in memory. */
const HEAP_MEGABYTES = 12_000;
const LEAST_PASSAGES = 1000;

/** What came of an engine; without a report, why there is none. */
interface Row extends SearchReport {
  readonly engine: string;
  readonly why?: string;
}

/**
 * Measures searching so many made-up passages, with Carrel and, beside it, with other engines, each in processes of its own.
 * @returns lines of tables.
 */
export async function benchSearch(
  passages: number,
  engines: readonly string[],
  say: (line: string) => void,
): Promise<readonly string[]> {
  if (!Number.isSafeInteger(passages) || passages < LEAST_PASSAGES) {
    throw new CarrelError("invalid", `Give a number of passages of at least ${LEAST_PASSAGES}.`);
  }
  const rounded = Math.floor(passages / LEAST_PASSAGES) * LEAST_PASSAGES;
  const rows: Row[] = [];
  for (const engine of Object.keys(ENGINES) as EngineName[]) {
    if (engines.length > 0 && !engines.includes(engine)) continue;
    if (rounded > ENGINES[engine]) {
      rows.push({ engine, why: `not tried past ${ENGINES[engine]} passages` });
      continue;
    }
    say(`${engine}: ${rounded} passages`);
    rows.push(await measureEngine(engine, rounded));
  }
  return report(rows, rounded);
}

async function measureEngine(engine: EngineName, passages: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-bench-"));
  try {
    const build = await runStage("build", engine, folder, passages);
    if (build === undefined) return { engine, why: "it ended without a result" };
    if (build.kinds !== undefined) return { engine, ...build };
    const ask = await runStage("ask", engine, folder, passages);
    return { engine, ...build, ...ask };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runStage(
  what: string,
  engine: EngineName,
  folder: string,
  passages: number,
): Promise<SearchReport | undefined> {
  const child = fork(
    new URL("./search-stage.js", import.meta.url),
    [what, engine, folder, String(passages)],
    // Carrel runs as it is served; what the others hold in memory needs more than Node's usual limit.
    { execArgv: engine === "carrel" || engine === "fts5" ? [] : [`--max-old-space-size=${HEAP_MEGABYTES}`] },
  );
  let result: SearchReport | undefined;
  child.on("message", (message) => (result = message as SearchReport));
  await once(child, "exit");
  return result;
}

function report(rows: readonly Row[], passages: number): readonly string[] {
  const number = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? "";
  const costs = table(
    ["engine", "build CPU s", "build peak MB", "bytes a passage", "first answer ms", "RSS MB", "one change, CPU ms"],
    rows.map((row) => [
      row.engine,
      row.why ?? number(row.buildCpuSeconds, 1),
      number(row.buildPeakMegabytes, 0),
      row.bytes === undefined || row.bytes === 0 ? "" : (row.bytes / passages).toFixed(0),
      number(row.firstAnswerMs, 0),
      number(row.megabytes, 0),
      number(row.changeMs, 1),
    ]),
  );
  const searches = table(
    ["engine", "question", "asked", "CPU ms p50", "p95", "MRR@10"],
    rows.flatMap(({ engine, kinds = [] }) =>
      kinds.map(({ kind, asked, p50, p95, mrr }) => [
        engine,
        kind,
        String(asked),
        p50.toFixed(1),
        p95.toFixed(1),
        mrr.toFixed(3),
      ]),
    ),
  );
  return [`${passages} passages`, "", ...costs, "", ...searches];
}
