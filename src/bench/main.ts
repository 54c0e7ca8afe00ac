import { CarrelError, reasonOf } from "../domain/errors.ts";
import { benchConvert } from "./convert.ts";
import { benchFetch, fetchReport } from "./fetch.ts";
import { benchRefresh } from "./refresh.ts";

const HELP = `npm run bench [-- refresh [DIR] | fetch [PAGES] [--json] | convert DIR [--max N] [--show]]

refresh [DIR]  serves the HTML files below DIR on loopback (a site of 500 pages that is made up when none is named),
               refreshes it twice, each time in a process of its own, and then asks its passages' headings.
fetch [PAGES]  crawls a generated site (100000 pages unless said) into an archive, once more with nothing changed, and once
               with ten kill -9 in between; and tries a frontier of ten times as many URLs. --json prints the numbers.
convert DIR    converts the HTML files below DIR, or N of them, with Carrel and with Turndown: what both keep, by generator, and
               what both take. Beside the code blocks, tables, headings and words that are kept stand those of the pages' main
               content. --show lists the pages that differ.

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
    const lines = await benchConvert(args[0], { max, show: args.includes("--show") });
    for (const line of lines) process.stdout.write(`${line}\n`);
  } else {
    process.stdout.write(HELP);
    process.exitCode = command === "--help" ? 0 : 2;
  }
} catch (error) {
  process.stderr.write(`bench: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof CarrelError ? 2 : 1;
}
