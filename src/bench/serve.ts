import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CarrelError } from "../domain/errors.ts";
import { table } from "../cli/output.ts";
import { learnAnswers, load } from "./serve-load.ts";
import type { LoadResult } from "./serve-load.ts";

/** What the serving process says of itself. */
export interface ServerUsage {
  readonly cpuSeconds: number;
  readonly rssMegabytes: number;
  /** Of the event loop since the question before, in milliseconds. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

export interface ServeOptions {
  readonly clients: number;
  readonly seconds: number;
  /** Threads that search; 0 searches in the thread of the server. */
  readonly threads: number;
}

const QUESTIONS = 200;

/**
 * Serves a data folder in a process of its own, has clients ask it in parallel, and holds each reply against the one that
 * the same question got alone. Then the same question alone over and over, once searched and once answered without a
 * search, to see what of a call is the search and what the protocol.
 * @returns lines of a table.
 */
export async function benchServe(
  dataFolder: string,
  { clients, seconds, threads }: ServeOptions,
): Promise<readonly string[]> {
  const data = resolve(dataFolder);
  if (statSync(join(data, "corpus.db"), { throwIfNoEntry: false }) === undefined) {
    throw new CarrelError("invalid", `There is no corpus.db in ${data}; name the data folder of a corpus.`);
  }
  const server = fork(new URL("./serve-process.js", import.meta.url), [data, String(QUESTIONS), String(threads)]);
  try {
    const [{ url, stubUrl, questions }] = (await once(server, "message")) as [
      { url: string; stubUrl: string; questions: readonly string[] },
    ];
    const probes = await learnAnswers(url, questions);
    const before = await usageOf(server);
    const loaded = await load(url, probes, clients, seconds);
    const after = await usageOf(server);
    const stub = [{ query: "stub", parents: "" }];
    await load(stubUrl, stub, 1, 2);
    const stubBefore = await usageOf(server);
    const stubbed = await load(stubUrl, stub, 1, Math.min(5, seconds));
    const stubAfter = await usageOf(server);
    return report(clients, loaded, before, after, perCall(stubbed, stubBefore, stubAfter));
  } finally {
    server.kill();
  }
}

async function usageOf(server: ChildProcess): Promise<ServerUsage> {
  server.send("usage");
  const [usage] = (await once(server, "message")) as [ServerUsage];
  return usage;
}

/** CPU of a call, in milliseconds. */
function perCall({ requests }: LoadResult, before: ServerUsage, after: ServerUsage): number {
  return ((after.cpuSeconds - before.cpuSeconds) * 1000) / Math.max(1, requests);
}

function report(
  clients: number,
  result: LoadResult,
  before: ServerUsage,
  after: ServerUsage,
  protocolMs: number,
): readonly string[] {
  const at = (values: readonly number[], share: number): string =>
    (values[Math.floor(share * (values.length - 1))] ?? 0).toFixed(1);
  const of = (values: readonly number[]): string =>
    `p50 ${at(values, 0.5)}, p95 ${at(values, 0.95)}, p99 ${at(values, 0.99)}, most ${at(values, 1)} ms`;
  const { delayMs } = after;
  return [
    ...table(
      ["", `${clients} clients`],
      [
        ["calls", String(result.requests)],
        ["errors", String(result.errors.length)],
        ["answers to another question", String(result.crossed)],
        ["time of a call", of(result.ms)],
        ["time of /healthz", of(result.healthMs)],
        [
          "event loop late",
          `p50 ${delayMs.p50.toFixed(1)}, p99 ${delayMs.p99.toFixed(1)}, most ${delayMs.max.toFixed(1)} ms`,
        ],
        ["CPU of a call", `${perCall(result, before, after).toFixed(2)} ms`],
        ["of that without the search", `${protocolMs.toFixed(2)} ms, asked alone`],
        ["memory before and after", `${before.rssMegabytes.toFixed(0)} and ${after.rssMegabytes.toFixed(0)} MB`],
      ],
    ),
    ...[...new Set(result.errors)].slice(0, 10).map((error) => `error: ${error}`),
  ];
}
