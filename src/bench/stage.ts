import { join } from "node:path";
import { createApp } from "../app.ts";
import type { Logger } from "../domain/ports.ts";
import type { Measured } from "./refresh.ts";

const QUESTIONS = 200;

const [what = "", folder = ""] = process.argv.slice(2);
const settings = {
  data: join(folder, "data"),
  pipelines: join(folder, "pipelines"),
  host: "",
  port: 0,
  keysFile: join(folder, "keys.json"),
  rateLimit: 0,
  tlsCert: "",
  tlsKey: "",
  corsOrigins: [],
  accessLog: false,
  logQueries: false,
  contact: "",
  answerEndpoint: "",
  answerModel: "",
  answerKeyFile: "",
};
const logger: Logger = { info() {}, warn: (message) => void process.stderr.write(`${message}\n`) };
const app = createApp(settings, logger);
const questionMs: number[] = [];
const wallStart = performance.now();

const run = what === "questions" ? await ask() : await refreshOnce();

const usage = process.resourceUsage();
const measured: Measured = {
  what,
  run,
  cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
  wallSeconds: (performance.now() - wallStart) / 1000,
  peakMegabytes: usage.maxRSS / 1024,
  questionMs: questionMs.sort((a, b) => a - b),
};
process.send?.(measured);

async function refreshOnce() {
  const sources = await app.sources();
  const progress = { fetched() {}, converted() {}, indexed() {} };
  const [run] = await app.refresh(sources, sources, progress, new AbortController().signal);
  return run;
}

/** Asks what the corpus itself has as titles and headings: questions that have answers, on any site. */
async function ask(): Promise<undefined> {
  using reading = app.openReading();
  const changes = reading.corpus.changesSince(0, QUESTIONS * 5);
  const questions = changes.flatMap((change) =>
    change.kind === "document" ? [[change.title, change.chunks.at(-1)?.headings.at(-1) ?? ""].join(" ")] : [],
  );
  const every = Math.max(1, Math.floor(questions.length / QUESTIONS));
  for (const query of questions.filter((_, i) => i % every === 0)) {
    const before = process.cpuUsage();
    await reading.queries.searchDocuments({ query: query.slice(0, 500) });
    const { user, system } = process.cpuUsage(before);
    questionMs.push((user + system) / 1000);
  }
  return undefined;
}
