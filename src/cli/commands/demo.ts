import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { demoSource, MANUAL_FOLDER } from "../../config/manual-source.ts";
import { SETTINGS } from "../../config/settings.ts";
import { VERSION } from "../../version.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { EXIT_CODE_OF_RUN } from "../exit-codes.ts";
import { runLine } from "../run-text.ts";
import { progressLines } from "./refresh.ts";
import { serveHttp } from "./serve.ts";

/** Asked of the manual; each is answered by another page of it. */
const QUESTIONS = [
  "How do I list a documentation site?",
  "Which exit code means that a run is partial?",
  "connect Claude Code over MCP",
];

/** `carrel demo` */
export function demoCommand(): Command {
  const command = new Command("demo")
    .description("do the whole job once on Carrel's own manual, with no internet: crawl, convert, index, serve, ask")
    .option("--once", "end after the answers, rather than go on serving")
    .option("--port <n>", `${SETTINGS.port.about} (${SETTINGS.port.variable}; ${SETTINGS.port.default})`);
  return withCommonFlags(command).action(action(demo));
}

async function demo(context: Context, flags: { readonly once?: boolean }): Promise<number> {
  const [{ createApp }, { serveManual }] = await Promise.all([import("../../app.ts"), import("../../manual/site.ts")]);
  const { output } = context;
  const data = mkdtempSync(join(tmpdir(), "carrel-demo-"));
  try {
    const site = await serveManual({ dir: MANUAL_FOLDER, port: 0 });
    const app = createApp(
      { ...context.settings, data, keysFile: join(data, "keys.json"), tlsCert: "", tlsKey: "" },
      output,
    );
    const source = demoSource(site.url);
    try {
      output.info(`1. The manual is a web site at ${site.url}`);
      const [run] = await app.refresh([source], [source], progressLines(output), context.signal);
      if (run === undefined || run.status !== "complete") return EXIT_CODE_OF_RUN[run?.status ?? "stopped"];
      output.info(`2. Crawled over HTTP, converted to Markdown, stored and indexed: ${runLine(run)}`);
    } finally {
      await site.close();
    }
    using reading = app.openReading();
    const end = new AbortController();
    const signal = AbortSignal.any([context.signal, end.signal]);
    await serveHttp({ ...context, app, signal }, reading, {}, async (url) => {
      const answers = await ask(new URL("mcp", url));
      output.result({ url: `${url}mcp`, answers }, lines(answers));
      if (flags.once === true) end.abort();
      else output.info(`\nListening at ${url}mcp until you press Ctrl-C. Next: list a site of yours; see the README.`);
    });
    return 0;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

interface Answer {
  readonly question: string;
  readonly results: readonly { readonly parent: string; readonly id: string; readonly content: string }[];
}

/** Asks as an agent would: as a client of the protocol, over HTTP. */
async function ask(url: URL): Promise<readonly Answer[]> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "carrel-demo", version: VERSION }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(url));
  try {
    const answers: Answer[] = [];
    for (const question of QUESTIONS) {
      const reply = await client.callTool({ name: "search_documents", arguments: { query: question } });
      const { results } = reply.structuredContent as { results: Answer["results"] };
      answers.push({ question, results });
    }
    return answers;
  } finally {
    await client.close();
  }
}

function* lines(answers: readonly Answer[]): Iterable<string> {
  for (const { question, results } of answers) {
    yield `\nQ: ${question}`;
    const [best, ...others] = results;
    if (best === undefined) {
      yield "A: (nothing found)";
      continue;
    }
    yield `A: ${best.parent}`;
    for (const line of best.content.split("\n")) yield `   ${line}`.trimEnd();
    if (others.length > 0) yield `   also: ${[...new Set(others.map(({ parent }) => parent))].join(", ")}`;
  }
}
