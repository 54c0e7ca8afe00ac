import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createApp } from "../app.ts";
import { readSettings } from "../config/settings.ts";
import type { Logger } from "../domain/ports.ts";
import type { Queries } from "../flow/queries.ts";
import { startHttpServer } from "../server/http.ts";
import { QueryPool } from "../server/query-pool.ts";
import { corpusQuestions } from "./corpus-questions.ts";
import type { ServerUsage } from "./serve.ts";

/** A process that serves a data folder, and says how it does: once as it is, and once with searches that cost nothing. */

const [data = "", questions = "200", threads = "1"] = process.argv.slice(2);
const settings = readSettings({ data: data, pipelines: join(data, "no-pipelines") }, {});
const logger: Logger = { info() {}, warn: (message) => void process.stderr.write(`${message}\n`) };
const app = createApp(settings, logger);
const reading = app.openReading();
const pool = new QueryPool({
  threads: Number(threads),
  start: () => app.startQueryThread(),
  local: () => reading.queries,
  logger,
});
const common = { logger, version: "bench", host: "127.0.0.1", port: 0 };
const server = await startHttpServer({ ...common, queries: threads === "0" ? reading.queries : pool.queriesOf() });
const stub = await startHttpServer({ ...common, queries: withoutSearch(reading.queries) });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  const usage: ServerUsage = {
    cpuSeconds: (user + system) / 1e6,
    rssMegabytes: process.memoryUsage.rss() / 1024 / 1024,
    delayMs: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
  };
  delay.reset();
  process.send?.(usage);
});
process.send?.({ url: server.url, stubUrl: stub.url, questions: corpusQuestions(reading.corpus, Number(questions)) });

/** Answers every search with what one of them found. */
function withoutSearch(queries: Queries): Queries {
  const answer = queries.searchDocuments({ query: "open a file" });
  return { ...queries, searchDocuments: () => answer };
}
