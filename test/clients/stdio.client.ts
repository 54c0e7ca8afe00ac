import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, describe, expect, test } from "vitest";

/** Built by `npm run test:clients` before the suites run. */
const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const INFO = { name: "test-client", version: "1.0.0" };

const data = mkdtempSync(join(tmpdir(), "carrel-stdio-"));
afterAll(() => rmSync(data, { recursive: true }));

/** A server of its own, which answers from the manual. */
const server = {
  command: process.execPath,
  args: [MAIN, "serve", "--stdio", "--data", data],
  stderr: "ignore" as const,
};

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

async function useIt(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["search_documents", "answer_query", "get_documents"]);
  const found = await client.callTool({ name: "search_documents", arguments: { query: "exit code partial" } });
  expect(JSON.stringify(found["structuredContent"])).toContain("command-line");
}

describe("the command, started by a client", () => {
  test("of the 2025 revisions", async () => {
    const client = new LegacyClient(INFO);
    await client.connect(new LegacyStdio(server));
    expect(client.getServerVersion()).toMatchObject({ name: "carrel" });
    await useIt(client);
    await client.close();
  });

  test("that negotiates, and picks revision 2026-07-28", async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernStdio(server));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await useIt(client);
    await client.close();
  });
});
