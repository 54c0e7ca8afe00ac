import { availableParallelism } from "node:os";
import { Command } from "commander";
import type { Reading } from "../../app.ts";
import { manualSource } from "../../config/manual-source.ts";
import { SETTINGS } from "../../config/settings.ts";
import { CarrelError } from "../../domain/errors.ts";
import { VERSION } from "../../version.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { progressLines } from "./refresh.ts";

/** `carrel serve` */
export function serveCommand(): Command {
  const command = new Command("serve")
    .description("answer over MCP: at http://HOST:PORT/mcp, or on standard input and output")
    .option("--port <n>", `${SETTINGS.port.about} (${SETTINGS.port.variable}; ${SETTINGS.port.default})`)
    .option("--host <address>", `${SETTINGS.host.about} (${SETTINGS.host.variable}; ${SETTINGS.host.default})`)
    .option("--allowed-host <name...>", "names by which clients call this machine, besides loopback ones")
    .option("--insecure", "listen beyond loopback without keys: every machine that reaches it can read everything")
    .option("--stdio", "speak MCP on standard input and output, and listen on no port")
    .addHelpText("after", "\nWhere nothing has been refreshed yet, the manual of Carrel is indexed first.");
  return withCommonFlags(command).action(action(serve));
}

/** Each takes some tens of megabytes, and the stores are read by all of them at once. */
const MAX_THREADS = 4;

interface ServeFlags {
  readonly stdio?: boolean;
  readonly allowedHost?: readonly string[];
  readonly insecure?: boolean;
}

async function serve(context: Context, flags: ServeFlags): Promise<number> {
  const { app, output, signal } = context;
  if (flags.stdio !== true) {
    // Before anything is indexed for a server that may not listen there.
    const { hostNames } = await import("../../server/guards.ts");
    const { readKeys } = await import("../../server/keys.ts");
    const hasKeys = readKeys(context.settings.keysFile) !== undefined;
    hostNames({ ...binding(context, flags), hasKeys });
  }
  await prepare(context);
  if (signal.aborted) return 130;
  using reading = app.openReading();
  if (flags.stdio === true) {
    const { serveStdio } = await import("../../server/stdio.ts");
    await serveStdio({ queries: reading.queries, logger: output, version: VERSION, signal });
    return 0;
  }
  await serveHttp(context, reading, { ...flags, accessLog: context.settings.accessLog });
  output.info("Stopped.");
  return 0;
}

function binding({ app }: Context, flags: Pick<ServeFlags, "allowedHost" | "insecure">) {
  const { host } = app.settings;
  return { host, allowedHosts: flags.allowedHost ?? [], insecure: flags.insecure === true };
}

/**
 * Serves until the signal aborts, and lets the requests in flight finish.
 * @param onListening called once the server answers, with its address; a slash ends it.
 */
export async function serveHttp(
  context: Context,
  { queries, queriesOf, corpus }: Reading,
  flags: Pick<ServeFlags, "allowedHost" | "insecure"> & { readonly accessLog?: boolean } = {},
  onListening: (url: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { app, output, signal } = context;
  const { startHttpServer } = await import("../../server/http.ts");
  const { port, keysFile, rateLimit, tlsCert, tlsKey, corsOrigins, logQueries } = app.settings;
  const { QueryPool } = await import("../../server/query-pool.ts");
  const pool = new QueryPool({
    threads: Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    start: () => app.startQueryThread(),
    local: (sources) => (sources === undefined ? queries : queriesOf(sources)),
    logger: output,
  });
  const server = await startHttpServer({
    queries: pool.queriesOf(),
    queriesOf: (sources) => pool.queriesOf(sources),
    runs: (limit, source) => corpus.runs(limit, source),
    logger: output,
    version: VERSION,
    ...binding(context, flags),
    port,
    keysFile,
    ratePerMinute: rateLimit,
    corsOrigins,
    ...(tlsCert !== "" && { tls: { cert: tlsCert, key: tlsKey } }),
    ...(flags.accessLog === true && { accessLog: { write: output.info, logQueries } }),
  });
  // A daemon is told by SIGHUP to read its settings again; a terminal that is closed sends it too, and that ends a program.
  const sayNothingToReload = (): void =>
    output.info("Keys, certificates and documents are read as they change: there is nothing to reload.");
  if (!process.stdin.isTTY) process.on("SIGHUP", sayNothingToReload);
  try {
    pool.warm();
    output.info(`Serving ${corpus.stats().documents} documents over MCP at ${server.url}mcp`);
    await onListening(server.url);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    process.off("SIGHUP", sayNothingToReload);
    await server.close();
    await pool.close();
  }
}

function isCaughtUp(app: Context["app"]): boolean {
  using reading = app.openReading();
  try {
    const { indexRevision, revision } = reading.queries.status();
    return indexRevision === revision;
  } catch (error) {
    // There is no index, or it is to be made again.
    if (error instanceof CarrelError) return false;
    throw error;
  }
}

/** Has something to serve: an index that has caught up, and the manual where nothing was ever refreshed. */
async function prepare({ app, output, signal }: Context): Promise<void> {
  if (app.isEmpty()) {
    output.info("Nothing has been refreshed yet: indexing the manual, so that there is something to ask.");
    const manual = [manualSource()];
    await app.refresh(manual, manual, progressLines(output), signal);
    return;
  }
  // What is ready is served also where nothing may be written.
  if (isCaughtUp(app)) return;
  try {
    await app.catchUpIndex(progressLines(output), signal);
  } catch (error) {
    // Another process is refreshing: it brings the index up to date, and what is there is served meanwhile.
    if (!(error instanceof CarrelError && error.code === "busy")) throw error;
  }
}
