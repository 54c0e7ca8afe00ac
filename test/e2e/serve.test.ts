import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { carrel, finished, startCarrel, written } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** What a reply of search_documents holds. */
interface SearchReply {
  readonly structuredContent: { readonly results: readonly { readonly parent: string }[] };
}

/** The documents that a reply of search_documents names, whichever client read it. */
function parentsIn(reply: unknown): readonly string[] {
  return (reply as SearchReply).structuredContent.results.map(({ parent }) => parent);
}

const QUESTION = { name: "search_documents", arguments: { query: "How do I list a documentation site?" } };
const DOCUMENT = { name: "get_documents", arguments: { names: ["carrel.internal/manual/pipelines.md"] } };

describe("carrel serve", () => {
  let data: string;
  let url: string;

  // A machine with an empty data folder.
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "carrel-serve-"));
    const { CARREL_DATA: _, ...environment } = process.env;
    const server = spawn(process.execPath, [PROGRAM, "serve", "--port", "0", "--data", data], { env: environment });
    const said = await new Promise<string>((resolve, reject) => {
      let text = "";
      server.stderr.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.includes("/mcp")) resolve(text);
      });
      server.once("exit", (code) => reject(new Error(`carrel serve ended with ${String(code)}: ${text}`)));
    });
    expect(said).toContain("indexing the manual");
    url = /http:\S+\/mcp/.exec(said)?.[0] ?? "";
    return async () => {
      server.kill("SIGTERM");
      const code = await new Promise((resolve) => server.once("exit", resolve));
      rmSync(data, { recursive: true, force: true });
      expect(code).toBe(0);
    };
  }, 120_000);

  it("answers the bare call of the contract, with no initialize and any Accept", async () => {
    for (const accept of ["*/*", "application/json", "text/event-stream, application/json"]) {
      const reply = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: QUESTION }),
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
      const { result } = (await reply.json()) as { result: SearchReply };
      expect(parentsIn(result)[0]).toMatch(/\/manual\/(?:getting-started|pipelines)/);
    }
  });

  it(
    "lists and answers both tools for the official clients of both eras, over HTTP and stdio",
    { timeout: 120_000 },
    async () => {
      const command = { command: process.execPath, args: [PROGRAM, "serve", "--stdio", "--data", data] };
      const modern = async (transport: ModernHttp | ModernStdio) => {
        const client = new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
        await client.connect(transport);
        onTestFinished(() => client.close());
        return client;
      };
      const earlier = async (transport: EarlierHttp | EarlierStdio) => {
        const client = new EarlierClient({ name: "test", version: "1" });
        await client.connect(transport);
        onTestFinished(() => client.close());
        return client;
      };
      for (const client of [
        await modern(new ModernHttp(new URL(url))),
        await modern(new ModernStdio(command)),
        await earlier(new EarlierHttp(new URL(url))),
        await earlier(new EarlierStdio(command)),
      ]) {
        const names = (await client.listTools()).tools.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(["search_documents", "get_documents"]));
        expect(parentsIn(await client.callTool(QUESTION))[0]).toMatch(/\/manual\//);
        const { structuredContent } = await client.callTool(DOCUMENT);
        expect(structuredContent).toMatchObject({
          documents: [{ name: "documents/carrel.internal/manual/pipelines.md", title: "Pipelines: list a site" }],
        });
      }
    },
  );

  it("refuses a port that is taken, and an address beyond loopback, before it indexes anything", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void holder.close());
    const { port } = holder.address() as AddressInfo;
    const taken = await carrel(["serve", "--port", String(port), "--data", data]);
    expect(taken).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining(String(port)) });
    const exposed = await carrel(["serve", "--host", "0.0.0.0", "--data", tempFolder()]);
    expect(exposed).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--insecure") });
    expect(exposed.stderr).not.toContain("indexing");
  });
});

describe("carrel serve --stdio", () => {
  it("writes nothing but JSON to standard output, and ends with its input", { timeout: 60_000 }, async () => {
    const child = startCarrel(["serve", "--stdio", "--data", tempFolder()]);
    const end = finished(child);
    child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: QUESTION })}\n`);
    const { code, stdout } = await end;
    expect(code).toBe(0);
    const [line = "", ...others] = stdout.trim().split("\n");
    expect(others).toEqual([]);
    expect(parentsIn((JSON.parse(line) as { result: SearchReply }).result)[0]).toMatch(/\/manual\//);
  });

  it("goes on after SIGHUP, and stops on Ctrl-C", { timeout: 60_000 }, async () => {
    const child = startCarrel(["serve", "--port", "0", "--data", tempFolder()]);
    await written(child, "/mcp");
    child.kill("SIGHUP");
    await written(child, "there is nothing to reload");
    child.kill("SIGINT");
    expect((await finished(child)).code).toBe(0);
  });
});
