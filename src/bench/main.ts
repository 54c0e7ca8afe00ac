import { CarrelError, reasonOf } from "../domain/errors.ts";
import { benchConvert } from "./convert.ts";
import { benchFetch, fetchReport } from "./fetch.ts";
import { benchQuality } from "./quality.ts";
import { benchRefresh } from "./refresh.ts";
import { benchServe } from "./serve.ts";
import { benchSearch } from "./search.ts";

const HELP = `npm run bench [-- refresh [DIR] | fetch [PAGES] [--json] | convert DIR... [--max N] [--show]
                  | quality DIR [--data DIR] | search [PASSAGES] [--engine NAME]
                  | serve DATA [CLIENTS [SECONDS [THREADS]]]]

refresh [DIR]  serves the HTML files below DIR on loopback (a site of 500 pages that is made up when none is named),
               refreshes it twice, each time in a process of its own, and then asks its passages' headings.
fetch [PAGES]  crawls a generated site (100000 pages unless said) into an archive, once more with nothing changed, and once
               with ten kill -9 in between; and tries a frontier of ten times as many URLs. --json prints the numbers.
convert DIR... converts the HTML files below each DIR, or N of each, with Carrel and with Turndown: what both keep, by generator, and
               what both take. Beside the code blocks, tables, headings and words that are kept stand those of the pages' main
               content. --show lists the pages that differ.
quality DIR    asks every collection of questions with right answers in DIR, under each setting of \`carrel eval\`; those that bring
               no documents are asked of the corpus in the folder of --data.
search [N]     searches N made-up passages (100000 unless said): what building, starting and asking cost, beside SQLite's FTS5,
               minisearch and Orama as it comes. --engine names one (carrel, fts5, minisearch, orama).
serve DATA     serves a data folder, has 200 clients ask for 60 seconds, and says what they got, how long it took, what a call
               costs, and how late /healthz was meanwhile. One thread searches unless said; 0 searches in the server's own.

CPU seconds are user and system together, of all threads, with the start of the process; the web server is not in them.
`;

const [command = "refresh", ...args] = process.argv.slice(2);
try {
  if (command === "refresh" && args.length <= 1) {
    for (const line of await benchRefresh(args[0])) process.stdout.write(`${line}\n`);
  } else if (command === "fetch" && args.length <= 2) {
    const json = args.includes("--json");
    const measured = await benchFetch(Number(args.find((arg) => arg !== "--json") ?? "100000"));
    for (const line of json ? [JSON.stringify(measured)] : fetchReport(measured)) process.stdout.write(`${line}\n`);
  } else if (command === "convert" && args[0] !== undefined && !args[0].startsWith("-")) {
    const at = args.indexOf("--max");
    const max = at === -1 ? Infinity : Math.max(1, Number(args[at + 1]) || 1);
    const dirs = args.filter((arg, i) => !arg.startsWith("--") && (at === -1 || i !== at + 1));
    const lines = await benchConvert(dirs, { max, show: args.includes("--show") });
    for (const line of lines) process.stdout.write(`${line}\n`);
  } else if (command === "quality" && args[0] !== undefined && !args[0].startsWith("-")) {
    for (const line of await benchQuality(args[0], flag("--data"), say)) process.stdout.write(`${line}\n`);
  } else if (command === "search") {
    const passages = Number(args[0]?.startsWith("-") === false ? args[0] : "100000");
    const engine = flag("--engine");
    const engines = engine === undefined ? [] : [engine];
    const lines = await benchSearch(passages, engines, say);
    for (const line of lines) process.stdout.write(`${line}\n`);
  } else if (command === "serve" && args[0] !== undefined && args.length <= 4) {
    const [data, clients = "200", seconds = "60", threads = "1"] = args;
    const load = { clients: Number(clients), seconds: Number(seconds), threads: Number(threads) };
    const lines = await benchServe(data, load);
    for (const line of lines) process.stdout.write(`${line}\n`);
  } else {
    process.stdout.write(HELP);
    process.exitCode = command === "--help" ? 0 : 2;
  }
} catch (error) {
  process.stderr.write(`bench: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof CarrelError ? 2 : 1;
}

/** What follows a flag. */
function flag(name: string): string | undefined {
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
