import { join } from "node:path";
import { createApp } from "../app.ts";
import { readSettings } from "../config/settings.ts";
import type { Logger } from "../domain/ports.ts";
import { corpusQuestions } from "./corpus-questions.ts";
import type { Measured } from "./refresh.ts";

const QUESTIONS = 200;

const [what = "", folder = ""] = process.argv.slice(2);
const settings = readSettings({ data: join(folder, "data"), pipelines: join(folder, "pipelines") }, {});
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

/** Asks what the corpus itself has as titles and headings. */
async function ask(): Promise<undefined> {
  using reading = app.openReading();
  for (const query of corpusQuestions(reading.corpus, QUESTIONS)) {
    const before = process.cpuUsage();
    await reading.queries.searchDocuments({ query });
    const { user, system } = process.cpuUsage(before);
    questionMs.push((user + system) / 1000);
  }
  return undefined;
}
