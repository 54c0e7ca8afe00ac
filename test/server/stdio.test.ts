import { describe, expect, test } from "vitest";
import { rpc, smallQueries, toolCall } from "./support/running-server.ts";
import { startStdio } from "./support/stdio-streams.ts";
import type { StdioStreams } from "./support/stdio-streams.ts";

/** Everything that the server writes until it is done. */
async function linesOf(streams: StdioStreams): Promise<readonly Record<string, unknown>[]> {
  await streams.served;
  const text = String(streams.output.read() ?? "");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const message: Record<string, unknown> = JSON.parse(line);
      return message;
    });
}

describe("a server on standard input and output", () => {
  test("answers what was asked before the input ended, and ends", async () => {
    const streams = startStdio();
    streams.input.end(`${toolCall("search_documents", { query: "vacuum" })}\n`);
    expect(await linesOf(streams)).toMatchObject([{ id: 1, result: { structuredContent: { results: [{}] } } }]);
  });

  test("reads a last line without a line end, and lines that come in pieces", async () => {
    const streams = startStdio();
    const text = `${rpc("ping", {}, "a")}\n${rpc("ping", {}, "ä")}`;
    for (const byte of Buffer.from(text)) streams.input.write(Buffer.of(byte));
    streams.input.end();
    expect((await linesOf(streams)).map((line) => line["id"])).toEqual(["a", "ä"]);
  });

  test("ends at once when the input ends and nothing was asked", async () => {
    const streams = startStdio();
    streams.input.end();
    expect(await linesOf(streams)).toEqual([]);
  });

  test("ends when the input breaks off, and when it is told to", async () => {
    const broken = startStdio();
    broken.input.destroy();
    await broken.served;
    const stop = new AbortController();
    const stopped = startStdio({ signal: stop.signal });
    stop.abort();
    await stopped.served;
    expect(await linesOf(startStdio({ signal: AbortSignal.abort() }))).toEqual([]);
  });

  test("ends when the client does not read any more", async () => {
    const streams = startStdio();
    streams.output.destroy(new Error("EPIPE"));
    await streams.served;
    expect(streams.warnings.join("\n")).toContain("EPIPE");
  });

  test("does not wait for a call that was cancelled", async () => {
    const streams = startStdio({ queries: { ...smallQueries(), searchDocuments: () => new Promise(() => {}) } });
    streams.input.write(`${toolCall("search_documents", { query: "a" }, 7)}\n`);
    streams.input.end(`${rpcNotification("notifications/cancelled", { requestId: 7 })}\n`);
    expect(await linesOf(streams)).toEqual([]);
  });

  test("gives up a call that takes too long, and then ends", async () => {
    const queries = { ...smallQueries(), searchDocuments: () => new Promise<never>(() => {}) };
    const streams = startStdio({ queries, toolDeadlineMs: 20 });
    streams.input.end(`${toolCall("search_documents", { query: "a" })}\n`);
    expect(await linesOf(streams)).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  test.each([
    ["no JSON", "hello", -32700, null],
    ["a batch", `[${rpc("ping")}]`, -32600, null],
    ["an empty batch", "[]", -32600, null],
    ["an empty object", "{}", -32600, null],
    ["null", "null", -32600, null],
    ["the id null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":4,"method":"ping"}', -32600, 4],
  ])("answers %s with an error, and goes on", async (_, line, code, id) => {
    const streams = startStdio();
    streams.input.end(`${line}\n\n${rpc("ping", {}, 2)}\n`);
    expect(await linesOf(streams)).toMatchObject([
      { id, error: { code } },
      { id: 2, result: {} },
    ]);
  });

  test("refuses a line that is too long without keeping it, and goes on", async () => {
    const streams = startStdio();
    const piece = Buffer.alloc(1024 * 1024, "a");
    for (let i = 0; i < 6; i++) streams.input.write(piece);
    streams.input.end(`\n${rpc("ping", {}, 2)}\n`);
    expect(await linesOf(streams)).toMatchObject([{ error: { code: -32600 } }, { id: 2, result: {} }]);
  });

  test("answers calls out of order rather than one after another", async () => {
    const queries = smallQueries();
    let fastIsDone: () => void = () => {};
    const fast = new Promise<void>((resolve) => {
      fastIsDone = resolve;
    });
    const slowFirst = {
      ...queries,
      async searchDocuments({ query }: { query: string }) {
        if (query === "slow") await fast;
        else setImmediate(fastIsDone);
        return queries.searchDocuments({ query: "vacuum" });
      },
    };
    const streams = startStdio({ queries: slowFirst });
    streams.input.end(["slow", "fast"].map((query, i) => `${toolCall("search_documents", { query }, i)}\n`).join(""));
    expect((await linesOf(streams)).map((line) => line["id"])).toEqual([1, 0]);
  });

  test("answers initialize after a good server/discover", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const streams = startStdio();
    streams.input.write(`${rpc("server/discover", { _meta: meta }, 1)}\n`);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
    streams.input.write(`${rpc("initialize", params, 2)}\n${rpcNotification("notifications/initialized")}\n`);
    streams.input.end(`${rpc("tools/list", {}, 3)}\n`);
    expect(await linesOf(streams)).toMatchObject([
      { id: 1, result: { supportedVersions: ["2026-07-28"] } },
      { id: 2, result: { protocolVersion: "2025-06-18" } },
      { id: 3, result: { tools: [{}, {}, {}] } },
    ]);
  });
});

function rpcNotification(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
}
