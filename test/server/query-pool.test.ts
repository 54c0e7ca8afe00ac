import { EventEmitter } from "node:events";
import { MessageChannel, type Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { CarrelError } from "../../src/domain/errors.ts";
import type { Queries } from "../../src/flow/queries.ts";
import { createRestrictedQueries } from "../../src/flow/restricted.ts";
import { QueryPool } from "../../src/server/query-pool.ts";
import { answerThrough } from "../../src/server/query-thread.ts";
import { memoryCorpus, SMALL_PAGES, SMALL_TITLES } from "./support/memory-corpus.ts";
import { smallQueries } from "./support/running-server.ts";

/** A thread that is none, behind a real port: what is sent is cloned as it is for one. */
class PortWorker extends EventEmitter {
  readonly #channel = new MessageChannel();

  constructor(queriesOf: (sources: readonly string[] | undefined) => Queries) {
    super();
    answerThrough(this.#channel.port1, queriesOf);
    this.#channel.port2.on("message", (reply) => this.emit("message", reply));
  }

  postMessage(message: unknown): void {
    this.#channel.port2.postMessage(message);
  }

  terminate(): Promise<number> {
    this.#channel.port1.close();
    return Promise.resolve(0);
  }
}

function queriesOf(sources: readonly string[] | undefined): Queries {
  return sources === undefined
    ? smallQueries()
    : createRestrictedQueries(memoryCorpus(SMALL_PAGES, SMALL_TITLES), sources);
}

function poolOf(threads: number, answering = queriesOf, giveUpMs?: number) {
  const warnings: string[] = [];
  const started: PortWorker[] = [];
  const pool = new QueryPool({
    threads,
    start() {
      const worker = new PortWorker(answering);
      started.push(worker);
      return worker as unknown as Worker;
    },
    local: queriesOf,
    logger: { info() {}, warn: (message) => void warnings.push(message) },
    ...(giveUpMs !== undefined && { giveUpMs }),
  });
  onTestFinished(() => pool.close());
  return { pool, started, warnings };
}

describe("queries in threads", () => {
  test("are answered as they are here, errors too", async () => {
    const { pool } = poolOf(2);
    const [there, here] = [pool.queriesOf(), smallQueries()];
    const names = ["documents/docs.kestrel.example/3/library/files.html", "documents/none.example/x", ""];
    expect(await there.searchDocuments({ query: "timeout" })).toEqual(await here.searchDocuments({ query: "timeout" }));
    expect(await there.getDocuments({ names })).toEqual(await here.getDocuments({ names }));
    expect((await there.getDocuments({ names })).failures[0]?.error).toBeInstanceOf(CarrelError);
    const whole = { names: names.slice(0, 1), maxChars: Number.POSITIVE_INFINITY };
    expect(await there.getDocuments(whole)).toEqual(await here.getDocuments(whole));
    expect(await there.answerQuery({ query: "vacuum" })).toEqual(await here.answerQuery({ query: "vacuum" }));
    await expect(there.searchDocuments({ query: " " })).rejects.toMatchObject({ code: "invalid" });
    expect(there.status()).toEqual(here.status());
    expect(there.describeCorpus()).toBe(here.describeCorpus());
  });

  test("of a reader who may see some sources see these", async () => {
    const { pool } = poolOf(1);
    const { passages } = await pool.queriesOf(["kestrel"]).searchDocuments({ query: "vacuum timeout storage" });
    expect(passages.map(({ parent }) => parent)).toEqual(["documents/docs.kestrel.example/3/library/sockets.html"]);
    expect((await pool.queriesOf().searchDocuments({ query: "vacuum" })).passages).toHaveLength(1);
  });

  test("are begun in their order, one for each thread, and each has its own answer", async () => {
    let running = 0;
    let most = 0;
    const { pool, started } = poolOf(3, () => ({
      ...smallQueries(),
      async searchDocuments({ query }) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return {
          passages: [],
          leftOut: [],
          further: [],
          doubt: undefined,
          reading: { corrected: [], relaxed: [], nearest: [] },
          nextPageToken: query,
        };
      },
    }));
    const queries = pool.queriesOf();
    const asked = Array.from({ length: 50 }, (_, i) => `question ${i}`);
    const answers = await Promise.all(asked.map((query) => queries.searchDocuments({ query })));
    expect(answers.map(({ nextPageToken }) => nextPageToken)).toEqual(asked);
    expect([most, started.length]).toEqual([3, 3]);
  });

  test("that wait for a model let others search", async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const written = (): Queries => ({
      ...smallQueries(),
      answers: "written",
      async answerQuery() {
        await gate;
        return { text: "written", citations: [], references: [] };
      },
    });
    const started: PortWorker[] = [];
    const pool = new QueryPool({
      threads: 1,
      start() {
        started.push(new PortWorker(written));
        return started.at(-1) as unknown as Worker;
      },
      local: written,
      logger: { info() {}, warn() {} },
    });
    const queries = pool.queriesOf();
    const answers = [queries.answerQuery({ query: "a" }), queries.answerQuery({ query: "b" })];
    expect((await queries.searchDocuments({ query: "vacuum" })).passages).toHaveLength(1);
    release();
    expect((await Promise.all(answers)).map(({ text }) => text)).toEqual(["written", "written"]);
    expect(started).toHaveLength(1);
    await pool.close();
  });
});

describe("a thread that", () => {
  test("dies fails its call, and the next has another", async () => {
    const { pool, started, warnings } = poolOf(1, (sources) => ({
      ...queriesOf(sources),
      answerQuery: () => new Promise(() => {}),
    }));
    const queries = pool.queriesOf();
    const lost = queries.answerQuery({ query: "vacuum" });
    const next = queries.searchDocuments({ query: "vacuum" });
    started[0]?.emit("error", new Error("out of memory"));
    await expect(lost).rejects.toThrow("out of memory");
    expect((await next).passages).toHaveLength(1);
    expect(started).toHaveLength(2);
    expect(warnings.join()).toContain("out of memory");
  });

  test("never answers is ended, and the next call has another", async () => {
    const { pool, started } = poolOf(
      1,
      (sources) => ({ ...queriesOf(sources), answerQuery: () => new Promise(() => {}) }),
      50,
    );
    const queries = pool.queriesOf();
    const lost = queries.answerQuery({ query: "vacuum" });
    const next = queries.searchDocuments({ query: "vacuum" });
    await expect(lost).rejects.toMatchObject({ code: "unavailable" });
    expect((await next).passages).toHaveLength(1);
    expect(started).toHaveLength(2);
  });
});

test("a call that has waited for so long that nobody waits for it is not begun", async () => {
  let now = 0;
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const begun: string[] = [];
  const slow = (): Queries => ({
    ...smallQueries(),
    async searchDocuments({ query }) {
      begun.push(query);
      await gate;
      return { ...(await smallQueries().searchDocuments({ query: "vacuum" })), nextPageToken: query };
    },
  });
  const pool = new QueryPool({
    threads: 1,
    start: () => new PortWorker(slow) as unknown as Worker,
    local: slow,
    logger: { info() {}, warn() {} },
    maxWaitMs: 1_000,
    now: () => now,
  });
  const queries = pool.queriesOf();
  const [first, late] = ["first", "late"].map((query) => queries.searchDocuments({ query }));
  const settled = Promise.allSettled([late]);
  now = 500;
  const third = queries.searchDocuments({ query: "third" });
  now = 1_000;
  release();
  expect(await settled).toMatchObject([{ status: "rejected", reason: { code: "unavailable" } }]);
  expect((await Promise.all([first, third])).map((answer) => answer?.nextPageToken)).toEqual(["first", "third"]);
  expect(begun).toEqual(["first", "third"]);
  await pool.close();
});

test("a pool that is closed refuses what waits and what comes", async () => {
  const { pool } = poolOf(1, () => ({ ...smallQueries(), searchDocuments: () => new Promise(() => {}) }));
  const queries = pool.queriesOf();
  const waiting = [queries.searchDocuments({ query: "a" }), queries.searchDocuments({ query: "b" })];
  const settled = Promise.allSettled(waiting);
  await pool.close();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(queries.searchDocuments({ query: "c" })).rejects.toMatchObject({ code: "stopped" });
});
