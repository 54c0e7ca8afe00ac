import { madeUpQuestion, PASSAGES_OF_A_DOCUMENT } from "./made-up-texts.ts";
import { openEngine, type EngineName } from "./search-engines.ts";

/** CPU milliseconds of searches of one kind, and how well they found the passage that they were taken from. */
export interface AskedKind {
  readonly kind: string;
  readonly p50: number;
  readonly p95: number;
  /** Mean of one over the rank of the passage among ten; 0 where it was not found. */
  readonly mrr: number;
  readonly asked: number;
}

/** What a process found out about an engine. */
export interface SearchReport {
  readonly buildCpuSeconds?: number;
  readonly buildPeakMegabytes?: number;
  readonly bytes?: number;
  /** From the start of the process to the first answer. */
  readonly firstAnswerMs?: number;
  readonly megabytes?: number;
  readonly kinds?: readonly AskedKind[];
  /** CPU milliseconds until one changed document is searchable. */
  readonly changeMs?: number;
}

/** As many as are handed to the index at a time when it is made. */
const PASSAGES_AT_ONCE = 5000;
const QUESTIONS = 100;
/** A kind of questions ends early when it has taken so long. */
const MAX_CPU_MS_OF_A_KIND = 30_000;
const CHANGES = 5;
/** A server asks itself so many when it starts. */
const WARM_UP_QUESTIONS = 36;

const [what = "", name = "", folder = "", count = "0"] = process.argv.slice(2);
const passages = Number(count);
const isInMemory = name === "minisearch" || name === "orama";
const engine = await openEngine(name as EngineName, folder);

let report: SearchReport = {};
if (what === "build" || isInMemory) report = { ...report, ...(await build()) };
if (what === "ask" || isInMemory) report = { ...report, ...(await ask()) };
process.send?.(report, () => process.disconnect());

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function build(): Promise<SearchReport> {
  let taken = 0;
  for (let from = 0; from < passages; from += PASSAGES_AT_ONCE) {
    const add = engine.prepare(from, Math.min(passages, from + PASSAGES_AT_ONCE));
    const before = cpuMs();
    await add();
    taken += cpuMs() - before;
  }
  return {
    buildCpuSeconds: taken / 1000,
    buildPeakMegabytes: process.resourceUsage().maxRSS / 1024,
    bytes: engine.bytes(),
  };
}

async function ask(): Promise<SearchReport> {
  await engine.ask(madeUpQuestion(0, 3));
  const firstAnswerMs = performance.now();
  for (let i = 0; i < WARM_UP_QUESTIONS; i++) await engine.ask(madeUpQuestion((i * 7919 + 3) % passages, 1 + (i % 9)));
  const kinds: AskedKind[] = [];
  for (const words of [1, 3, 8]) kinds.push(await askKind(`${words} word${words === 1 ? "" : "s"}`, words));
  kinds.push(await askKind("8 words, 1 % of sources", 8, "small-50"), await askKind("8 words, 30 %", 8, "large"));
  const megabytes = process.memoryUsage.rss() / 1e6;
  const changeMs = await changed();
  return {
    ...(isInMemory ? {} : { firstAnswerMs }),
    megabytes,
    kinds,
    ...(changeMs === undefined ? {} : { changeMs }),
  };
}

async function askKind(kind: string, words: number, source?: string): Promise<AskedKind> {
  const times: number[] = [];
  let reciprocal = 0;
  for (let i = 0; i < QUESTIONS && times.reduce((sum, time) => sum + time, 0) < MAX_CPU_MS_OF_A_KIND; i++) {
    const number = numberOf(i, words, source);
    const query = madeUpQuestion(number, words);
    const before = cpuMs();
    const found = await engine.ask(query, source);
    times.push(cpuMs() - before);
    const rank = found.indexOf(number);
    if (rank >= 0) reciprocal += 1 / (rank + 1);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { kind, p50: at(0.5), p95: at(0.95), mrr: reciprocal / times.length, asked: times.length };
}

/** Passages all over the corpus; of the source where one is asked for. */
function numberOf(i: number, words: number, source: string | undefined): number {
  const documents = passages / PASSAGES_OF_A_DOCUMENT;
  const spread = Math.floor(((i * 0.618 + words * 0.1) % 1) * documents);
  const residue = source === undefined ? spread % 100 : source === "large" ? spread % 30 : 50;
  const document = Math.min(Math.floor(documents) - 1, Math.floor(spread / 100) * 100 + residue);
  return document * PASSAGES_OF_A_DOCUMENT + (i % PASSAGES_OF_A_DOCUMENT);
}

async function changed(): Promise<number | undefined> {
  if (engine.change === undefined) return undefined;
  const times: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const before = cpuMs();
    await engine.change(i * 7);
    await engine.ask(`changed ${madeUpQuestion(i, 1)}`);
    times.push(cpuMs() - before);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(CHANGES / 2)];
}
