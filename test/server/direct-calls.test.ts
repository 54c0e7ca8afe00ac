import { classifyInboundRequest, createMcpHandler } from "@modelcontextprotocol/server";
import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { answerDirectly } from "../../src/server/direct-calls.ts";
import { createMcpServer } from "../../src/server/mcp.ts";
import type { McpOptions } from "../../src/server/mcp.ts";
import { rpc, smallQueries, toolCall } from "./support/running-server.ts";

const options: McpOptions = {
  queries: smallQueries(),
  logger: { info() {}, warn() {} },
  version: "1.2.3",
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const NO_HEADERS = { protocolVersion: undefined, method: undefined, name: undefined };

function parsed(text: string): JSONRPCRequest {
  return JSON.parse(text) as JSONRPCRequest;
}

/** The same request, answered by a server of the SDK's. */
async function bySdk(request: JSONRPCRequest): Promise<unknown> {
  const server = createMcpServer(options);
  return new Promise((resolve) => {
    const transport = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send(message: unknown) {
        resolve(message);
        return Promise.resolve();
      },
      onmessage: undefined as ((message: unknown) => void) | undefined,
    };
    void server.connect(transport).then(() => transport.onmessage?.(request));
  });
}

describe("what is answered without the SDK is what the SDK would answer", () => {
  test.each([
    ["a search", toolCall("search_documents", { query: "timeout" })],
    ["a search in vain", toolCall("search_documents", { query: "zzz" }, "an id")],
    ["a page", toolCall("get_documents", { names: ["documents/www.heron.example/docs/15/sql-vacuum.html"] })],
    ["a failure", toolCall("get_documents", { names: [] })],
    ["a call without arguments", toolCall("search_documents")],
    ["an answer", toolCall("answer_query", { query: "What does VACUUM reclaim?" })],
    ["a retired name", toolCall("search_document_chunks", { query: "vacuum" })],
    ["ping", rpc("ping")],
    ["the list of tools", rpc("tools/list", {})],
  ])("%s", async (_, text) => {
    const direct = await answerDirectly(options, parsed(text), "legacy", NO_HEADERS);
    expect(direct).toBeDefined();
    expect(JSON.parse(JSON.stringify(direct))).toEqual(JSON.parse(JSON.stringify(await bySdk(parsed(text)))));
  });

  test("in revision 2026-07-28 too", async () => {
    const body = parsed(toolCall("search_documents", { query: "timeout" }));
    const message = { ...body, params: { ...body.params, _meta: META } } as JSONRPCRequest;
    const headers = { protocolVersion: "2026-07-28", method: "tools/call", name: "search_documents" };
    const route = classifyInboundRequest({
      httpMethod: "POST",
      protocolVersionHeader: headers.protocolVersion,
      mcpMethodHeader: headers.method,
      mcpNameHeader: headers.name,
      body: message,
    });
    expect(route.kind).toBe("modern");
    const handler = createMcpHandler(() => createMcpServer(options), { legacy: "reject" });
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "mcp-protocol-version": headers.protocolVersion,
        "mcp-method": headers.method,
        "mcp-name": headers.name,
      },
    });
    const answer = await handler.fetch(request, { parsedBody: message });
    expect(JSON.parse(JSON.stringify(await answerDirectly(options, message, "modern", headers)))).toEqual(
      await answer.json(),
    );
    await handler.close();
  });
});

describe("what is left to the SDK", () => {
  test.each([
    ["an unknown tool", toolCall("nothing", {})],
    ["a task", rpc("tools/call", { name: "search_documents", arguments: { query: "x" }, task: {} })],
    ["arguments that are no object", rpc("tools/call", { name: "search_documents", arguments: ["x"] })],
    ["a name that is no text", rpc("tools/call", { name: 7 })],
    ["a cursor", rpc("tools/list", { cursor: "x" })],
    ["initialize", rpc("initialize", {})],
  ])("%s", async (_, text) => {
    expect(await answerDirectly(options, parsed(text), "legacy", NO_HEADERS)).toBeUndefined();
  });

  test("a call of revision 2026-07-28 whose headers do not say the same", async () => {
    const call = parsed(toolCall("search_documents", { query: "x" }));
    for (const name of [undefined, "get_documents"]) {
      const headers = { protocolVersion: "2026-07-28", method: "tools/call", name };
      expect(await answerDirectly(options, call, "modern", headers)).toBeUndefined();
    }
  });
});
