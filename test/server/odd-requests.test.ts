import { afterAll, beforeAll, expect, test } from "vitest";
import { rawRequest } from "./support/raw-http.ts";
import type { RawRequest } from "./support/raw-http.ts";
import { rpc, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const TYPE = { "content-type": "application/json" };
const BOTH = { ...TYPE, accept: "application/json, text/event-stream" };
const CALL = toolCall("search_documents", { query: "timeout", page_size: 1 });
const INFO = { name: "c", version: "1" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": INFO,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN_CALL = rpc("tools/call", { _meta: META, name: "search_documents", arguments: { query: "timeout" } });
const MODERN = { ...BOTH, "mcp-protocol-version": "2026-07-28" };

const FOUND = { id: 1, result: { structuredContent: { results: [{}] } } };
const MISMATCH = { id: 1, error: { code: -32020 } };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

function initialize(protocolVersion: string): string {
  return rpc("initialize", { protocolVersion, capabilities: {}, clientInfo: INFO });
}

/** What clients in the field have been seen to send, and what keeps each of them going. */
test.each<[string, RawRequest, number, object | undefined]>([
  ["a bare call", { headers: BOTH, body: CALL }, 200, FOUND],
  ["Accept: application/json", { headers: { ...TYPE, accept: "application/json" }, body: CALL }, 200, FOUND],
  ["no Accept", { headers: TYPE, body: CALL }, 200, FOUND],
  ["a charset", { headers: { ...BOTH, "content-type": "application/json; charset=utf-8" }, body: CALL }, 200, FOUND],
  ["an earlier version header", { headers: { ...BOTH, "mcp-protocol-version": "2025-06-18" }, body: CALL }, 200, FOUND],
  [
    "an unknown old version",
    { headers: { ...BOTH, "mcp-protocol-version": "2025-01-01" }, body: CALL },
    400,
    { id: 1, error: {} },
  ],
  [
    "an unknown new version",
    { headers: { ...BOTH, "mcp-protocol-version": "2099-01-01" }, body: CALL },
    400,
    { id: 1, error: {} },
  ],
  ["the new version without _meta", { headers: MODERN, body: CALL }, 400, { id: 1, error: { code: -32602 } }],
  ["a session id that we never gave", { headers: { ...BOTH, "mcp-session-id": "abc" }, body: CALL }, 200, FOUND],
  ["a trailing slash", { path: "/mcp/", headers: BOTH, body: CALL }, 200, FOUND],
  ["a query string", { path: "/mcp?key=1", headers: BOTH, body: CALL }, 200, FOUND],
  ["an unknown method", { headers: BOTH, body: rpc("foo/bar") }, 200, { id: 1, error: { code: -32601 } }],
  ["an id that is a text", { headers: BOTH, body: rpc("ping", {}, "x") }, 200, { id: "x", result: {} }],
  [
    "initialize of 2026-07-28",
    { headers: BOTH, body: initialize("2026-07-28") },
    200,
    { result: { protocolVersion: "2025-11-25" } },
  ],
  [
    "initialize of nothing known",
    { headers: BOTH, body: initialize("1.0") },
    200,
    { result: { protocolVersion: "2025-11-25" } },
  ],
  ["reading a resource", { headers: BOTH, body: rpc("resources/read", { uri: "carrel://x" }) }, 200, { error: {} }],
  ["asking for a prompt", { headers: BOTH, body: rpc("prompts/get", { name: "x" }) }, 200, { error: { code: -32602 } }],
  [
    "setting a log level",
    { headers: BOTH, body: rpc("logging/setLevel", { level: "debug" }) },
    200,
    { error: { code: -32601 } },
  ],
  [
    "a modern call",
    { headers: { ...MODERN, "mcp-method": "tools/call", "mcp-name": "search_documents" }, body: MODERN_CALL },
    200,
    { id: 1, result: { resultType: "complete", structuredContent: { results: [{}, {}] } } },
  ],
  ["a modern call without its headers", { headers: BOTH, body: MODERN_CALL }, 400, MISMATCH],
  [
    "a modern call of another name",
    { headers: { ...MODERN, "mcp-method": "tools/call", "mcp-name": "other" }, body: MODERN_CALL },
    400,
    MISMATCH,
  ],
  [
    "a modern version that is not known",
    {
      headers: { ...BOTH, "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" },
      body: rpc("tools/list", { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } }),
    },
    400,
    { id: 1, error: { code: -32022 } },
  ],
])("%s", async (_, request, status, body) => {
  const answer = await rawRequest(server, request);
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(answer.text)).toMatchObject(body ?? {});
});
