import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asMeant, paramsProblem } from "../../src/server/request-check.ts";
import { post, rpc, startTestServer } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("params that are not what a method takes", () => {
  test.each([
    [
      "tools/call",
      { name: "search_documents", arguments: ["a"] },
      'params.arguments is a list; tools/call needs an object there, such as {"query": "how to read a file line by line"}.',
    ],
    [
      "tools/call",
      { name: "search_documents", arguments: "vacuum" },
      'params.arguments is "vacuum"; tools/call needs an object there, such as {"query": "how to read a file line by line"}.',
    ],
    [
      "tools/call",
      { name: 5, arguments: 6 },
      'params.name is 5; tools/call needs a text there. params.arguments is 6; tools/call needs an object there, such as {"query": "how to read a file line by line"}.',
    ],
    ["tools/call", undefined, "params.name is missing; tools/call needs a text there."],
    ["resources/read", {}, "params.uri is missing; resources/read needs a text there."],
    ["prompts/get", { name: null }, "params.name is null; prompts/get needs a text there."],
    ["tools/list", { cursor: 5 }, "params.cursor is 5; tools/list needs a text there."],
    [
      "initialize",
      { protocolVersion: "2025-11-25" },
      "params.capabilities is missing; initialize needs an object there. params.clientInfo is missing; initialize needs an object there.",
    ],
  ])("%s with %j is answered with a sentence for each", async (method, params, message) => {
    const response = await post(server, rpc(method, params));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32602, message } });
  });

  test("of the era of 2026-07-28 too", async () => {
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const response = await post(server, rpc("resources/read", { _meta: envelope }), {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "resources/read",
    });
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/^params\.uri is missing/) },
    });
  });

  test("are let pass where they are right, and of methods that are not known", () => {
    expect(paramsProblem({ method: "tools/call", params: { name: "a" } })).toBeUndefined();
    expect(paramsProblem({ method: "tools/list" })).toBeUndefined();
    expect(paramsProblem({ method: "__proto__", params: {} })).toBeUndefined();
    expect(paramsProblem({ method: "initialize", params: { _meta: {} } })).toBeUndefined();
    expect(paramsProblem({})).toBeUndefined();
  });
});

test.each([
  ['{"query":"vacuum"}', { query: "vacuum" }],
  [null, {}],
  ["vacuum", "vacuum"],
  ["[1]", "[1]"],
  [undefined, undefined],
])("arguments %j are taken as they are meant", (sent, meant) => {
  const request = { method: "tools/call", params: { name: "search_documents", arguments: sent } };
  expect(asMeant(request).params.arguments).toEqual(meant);
});

test("arguments as the text of an object are answered", async () => {
  const params = { name: "search_documents", arguments: '{"query":"vacuum"}' };
  const reply: { result: { structuredContent: { results: unknown[] } } } = await (
    await post(server, rpc("tools/call", params))
  ).json();
  expect(reply.result.structuredContent.results.length).toBeGreaterThan(0);
});
