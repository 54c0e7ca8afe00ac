import { CarrelError, reasonOf } from "../domain/errors.ts";
import { benchRefresh } from "./refresh.ts";

const HELP = `npm run bench [-- refresh [DIR]]

refresh [DIR]  serves the HTML files below DIR on loopback (a site of 500 pages that is made up when none is named),
               refreshes it twice, each time in a process of its own, and then asks its passages' headings.

CPU seconds are user and system together, of all threads, with the start of the process; the web server is not in them.
`;

const [command = "refresh", ...args] = process.argv.slice(2);
try {
  if (command === "refresh" && args.length <= 1) {
    for (const line of await benchRefresh(args[0])) process.stdout.write(`${line}\n`);
  } else {
    process.stdout.write(HELP);
    process.exitCode = command === "--help" ? 0 : 2;
  }
} catch (error) {
  process.stderr.write(`bench: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof CarrelError ? 2 : 1;
}
