import { createQueries } from "../../../src/flow/query.ts";
import { createRestrictedQueries } from "../../../src/flow/restricted.ts";
import type { Queries } from "../../../src/flow/queries.ts";
import { startHttpServer } from "../../../src/server/http.ts";
import type { HttpServerOptions, RunningServer } from "../../../src/server/http.ts";
import { memoryCorpus, SMALL_PAGES, SMALL_TITLES } from "./memory-corpus.ts";

export interface TestServer extends RunningServer {
  /** What the server logged. */
  readonly warnings: readonly string[];
}

export function smallQueries(): Queries {
  return createQueries(memoryCorpus(SMALL_PAGES, SMALL_TITLES));
}

/** A real server on a free port over the small corpus. */
export async function startTestServer(options: Partial<HttpServerOptions> = {}): Promise<TestServer> {
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (message: string) => void warnings.push(message) };
  const server = await startHttpServer({
    queries: smallQueries(),
    queriesOf: (sources) => createRestrictedQueries(memoryCorpus(SMALL_PAGES, SMALL_TITLES), sources),
    host: "127.0.0.1",
    port: 0,
    version: "0.0.0-test",
    logger,
    ...options,
  });
  return { ...server, warnings };
}

/** A call of revision 2025-11-25 and earlier. */
export function rpc(method: string, params?: object, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
}

export function toolCall(name: string, args?: object, id: string | number = 1): string {
  return rpc("tools/call", { name, ...(args !== undefined && { arguments: args }) }, id);
}

/** Posts a body to `/mcp` as the contract's curl does. */
export function post(server: RunningServer, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}mcp`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
}
