import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LineClientTransport, startStdio } from "./support/stdio-streams.ts";
import { post, rpc, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const VACUUM = "documents/www.heron.example/docs/15/sql-vacuum.html";
const INFO = { name: "test-client", version: "1.0.0" };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What both clients have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listResources(): Promise<{ resources: unknown[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  listPrompts(): Promise<{ prompts: unknown[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

/** Lists and calls both tools; the clients check what they get against the output schemas that were listed. */
async function useEverything(client: AnyClient): Promise<void> {
  expect(client.getInstructions()).toContain("Kestrel 3: docs.kestrel.example");
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(["search_documents", "answer_query", "get_documents"]);
  const found = await client.callTool({ name: "search_documents", arguments: { query: "vacuum full" } });
  expect(found["structuredContent"]).toMatchObject({ results: [{ parent: VACUUM }] });
  const answered = await client.callTool({ name: "answer_query", arguments: { query: "what does vacuum full do?" } });
  expect(answered["structuredContent"]).toMatchObject({
    answerText: expect.stringContaining("rewrites the table"),
    references: [VACUUM],
  });
  const read = await client.callTool({ name: "get_documents", arguments: { names: [VACUUM, "documents/no"] } });
  expect(read["structuredContent"]).toMatchObject({
    documents: [{ name: VACUUM }],
    errors: [{ name: "documents/no" }],
  });
  const failed = await client.callTool({ name: "get_documents", arguments: { names: [] } });
  expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("1 to 20") }] });
  await expect(client.callTool({ name: "nope", arguments: {} })).rejects.toThrow(/no tool "nope"/);
  expect(await client.listResources()).toMatchObject({ resources: [] });
  expect(await client.listResourceTemplates()).toMatchObject({
    resourceTemplates: [{ uriTemplate: "carrel://{+name}" }],
  });
  expect(await client.readResource({ uri: `carrel://${VACUUM}` })).toMatchObject({
    contents: [{ mimeType: "text/markdown", text: expect.stringMatching(/^# VACUUM\n\nVACUUM reclaims/) }],
  });
  await expect(client.readResource({ uri: "carrel://documents/www.heron.example/no" })).rejects.toThrow(/kept here/);
  expect(await client.listPrompts()).toMatchObject({ prompts: [] });
}

describe("over HTTP", () => {
  test("the client of the 2025 revisions lists and calls both tools", async () => {
    const client = new LegacyClient(INFO);
    await client.connect(new LegacyTransport(new URL("mcp", server.url)));
    await useEverything(client);
    expect(await client.ping()).toEqual({});
    await client.close();
  });

  test("the client that negotiates picks revision 2026-07-28, and lists and calls both tools", async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernTransport(new URL("mcp", server.url)));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await useEverything(client);
    await client.close();
  });

  test("the client that does not negotiate gets the newest of the earlier revisions", async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: "legacy" } });
    await client.connect(new ModernTransport(new URL("mcp", server.url)));
    expect(client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
    await useEverything(client);
    await client.close();
  });

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "initialize echoes version %s",
    async (version) => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: INFO };
      const reply: { result: object } = await (await post(server, rpc("initialize", params))).json();
      expect(reply.result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: "carrel", version: "0.0.0-test" },
        capabilities: { tools: { listChanged: false } },
      });
    },
  );

  test("a bare call is answered with JSON, whatever Accept says and without initialize", async () => {
    for (const accept of ["*/*", "application/json", "text/event-stream", "text/html", ""]) {
      const response = await post(server, toolCall("search_documents", { query: "vacuum" }), { accept });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toMatchObject({
        id: 1,
        result: { structuredContent: { results: [{ parent: VACUUM }] } },
      });
    }
  });

  test("a proxy that lists the tools before each call, without initialize, is served", async () => {
    const accept = { accept: "*/*" };
    for (let i = 0; i < 3; i++) {
      expect((await post(server, rpc("tools/list", {}, i), accept)).status).toBe(200);
      const response = await post(server, toolCall("get_documents", { names: [VACUUM] }, `call-${i}`), accept);
      expect(await response.json()).toMatchObject({
        id: `call-${i}`,
        result: { structuredContent: { documents: [{}] } },
      });
    }
  });

  test("initialize after a good server/discover is answered", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": INFO,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const discovered = await post(server, rpc("server/discover", { _meta: meta }), {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "server/discover",
    });
    expect(await discovered.json()).toMatchObject({
      result: { resultType: "complete", supportedVersions: ["2026-07-28"] },
    });
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: INFO };
    const initialized = await post(server, rpc("initialize", params));
    expect(await initialized.json()).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  });

  test("lists of revision 2026-07-28 say how long they may be kept", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const response = await post(server, rpc("tools/list", { _meta: meta }), {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      result: { resultType: "complete", ttlMs: 300_000, cacheScope: "private" },
    });
  });
});

describe("over standard input and output", () => {
  test("the client of the 2025 revisions lists and calls both tools", async () => {
    const streams = startStdio();
    const client = new LegacyClient(INFO);
    await client.connect(new LineClientTransport(streams));
    expect(client.getServerVersion()).toMatchObject({ name: "carrel" });
    await useEverything(client);
    await client.close();
    await streams.served;
  });

  test("the client that negotiates picks revision 2026-07-28, and lists and calls both tools", async () => {
    const streams = startStdio();
    const client = new ModernClient(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new LineClientTransport(streams));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await useEverything(client);
    await client.close();
    await streams.served;
  });
});
