import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeKeys, makeKey } from "../../src/server/keys.ts";
import { rawRequest } from "./support/raw-http.ts";
import { post, rpc, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const NOW = new Date("2026-06-01T00:00:00Z");
const CALL = toolCall("search_documents", { query: "timeout" });
const SEARCH = "v1/documents:searchDocumentChunks?query=timeout";
const HIDDEN = "documents/www.heron.example/docs/15/sql-vacuum.html";

const folder = mkdtempSync(join(tmpdir(), "carrel-keys-"));
const file = join(folder, "keys.json");
const whole = makeKey({ label: "whole" }, NOW);
const limited = makeKey({ label: "limited", sources: ["kestrel"] }, NOW);
const expired = makeKey({ label: "expired", expires: "2026-05-01T00:00:00Z" }, NOW);
const lines: string[] = [];
let server: TestServer;

beforeAll(async () => {
  changeKeys(file, () => [whole.stored, limited.stored, expired.stored]);
  server = await startTestServer({
    keysFile: file,
    clock: () => NOW,
    accessLog: { write: (line) => void lines.push(line), logQueries: true },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function called(key: string, name: string, args: object): Promise<{ text: string; result: Result }> {
  const text = await (await post(server, toolCall(name, args), bearer(key))).text();
  return { text, result: (JSON.parse(text) as { result: Result }).result };
}

interface Result {
  readonly isError?: boolean;
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
}

async function rest(path: string, key: string): Promise<{ status: number; body: Readonly<Record<string, unknown>> }> {
  const response = await fetch(server.url + path, { headers: { "x-goog-api-key": key } });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}

describe("a server with keys", () => {
  test.each([
    ["no key", {}, "CREDENTIALS_MISSING"],
    ["a wrong key", { "x-goog-api-key": "carrel_x" }, "API_KEY_INVALID"],
    ["a wrong Bearer", bearer("carrel_x"), "API_KEY_INVALID"],
    ["the hash of a key", bearer(whole.stored.sha256), "API_KEY_INVALID"],
    ["an expired key", bearer(expired.key), "API_KEY_EXPIRED"],
  ])("answers REST with %s by Google's 401, and MCP by its own", async (_, headers, reason) => {
    const answer = await fetch(server.url + SEARCH, { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer realm="carrel"/);
    expect(await answer.json()).toMatchObject({
      error: {
        code: 401,
        status: "UNAUTHENTICATED",
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "carrel" }],
      },
    });
    const called = await post(server, CALL, headers);
    expect(called.status).toBe(401);
    expect(called.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await called.json()).toMatchObject({
      jsonrpc: "2.0",
      error: { code: -32000, data: { details: [{ reason }] } },
    });
  });

  test("takes a key as X-Goog-Api-Key, as Bearer, and of REST in the URL; one good one is enough", async () => {
    const ways: [string, Record<string, string>][] = [
      [SEARCH, { "x-goog-api-key": whole.key }],
      [SEARCH, { authorization: `bearer ${whole.key}` }],
      [`${SEARCH}&key=${whole.key}`, {}],
      [SEARCH, { "x-goog-api-key": whole.key, authorization: "Bearer ya29.of-another-service" }],
    ];
    for (const [path, headers] of ways) expect((await fetch(server.url + path, { headers })).status).toBe(200);
    expect((await post(server, CALL, { "x-goog-api-key": whole.key })).status).toBe(200);
    expect((await post(server, CALL, bearer(whole.key))).status).toBe(200);
    const inUrl = await rawRequest(server, {
      path: `/mcp?key=${whole.key}`,
      body: CALL,
      headers: { "content-type": "application/json" },
    });
    expect(inUrl.status).toBe(401);
  });

  test("lists its tools to everyone, without saying what there is", async () => {
    const listed = await post(server, rpc("tools/list"));
    expect(listed.status).toBe(200);
    const text = await listed.text();
    expect(text).toContain("search_documents");
    expect(text).not.toMatch(/kestrel|heron/i);
    for (const method of ["initialize", "server/discover", "resources/read", "tools/call", "prompts/list"]) {
      expect((await post(server, rpc(method))).status).toBe(401);
    }
    expect((await post(server, `[${rpc("tools/list")}]`)).status).toBe(401);
  });

  test("takes a key that is added, and refuses one that is revoked, without a restart", async () => {
    const { key, stored } = makeKey({ label: "new" }, NOW);
    expect((await post(server, CALL, bearer(key))).status).toBe(401);
    changeKeys(file, (keys) => [...keys, stored]);
    expect((await post(server, CALL, bearer(key))).status).toBe(200);
    changeKeys(file, (keys) => keys.filter(({ label }) => label !== "new"));
    expect((await post(server, CALL, bearer(key))).status).toBe(401);
  });

  test("never logs or echoes a key", async () => {
    const shown = "carrel_shown-by-mistake";
    const texts = await Promise.all([
      (await fetch(`${server.url}${SEARCH}&key=${shown}`)).text(),
      (await fetch(`${server.url}v1/nothing?key=${whole.key}`)).text(),
      (await fetch(`${server.url}${SEARCH}&key=${whole.key}`)).text(),
      (await post(server, CALL, bearer(shown))).text(),
      (await post(server, CALL, bearer(whole.key))).text(),
    ]);
    const all = [...texts, ...lines, ...server.warnings].join("\n");
    expect(all).not.toContain(shown);
    expect(all).not.toContain(whole.key);
    expect(all).toContain('"key":"whole"');
    expect(all).toContain('"query":"timeout"');
  });

  test("says to nobody without a key how much there is", async () => {
    const open = await (await fetch(`${server.url}readyz`)).json();
    expect(open).toEqual({ status: "ready", caughtUp: true });
    expect(await (await fetch(`${server.url}healthz`)).json()).toEqual({ status: "ok" });
    expect((await rest("readyz", whole.key)).body).toMatchObject({ documents: 3 });
    expect((await rest("readyz", limited.key)).body).toMatchObject({ documents: 2 });
    expect((await fetch(`${server.url}metrics`)).status).toBe(401);
    expect((await rest("metrics", limited.key)).status).toBe(403);
    const metrics = await fetch(`${server.url}metrics`, { headers: bearer(whole.key) });
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('source="heron"')]);
  });
});

describe("a key that is limited to sources", () => {
  test("finds in these alone, over MCP and REST", async () => {
    const all = await called(whole.key, "search_documents", { query: "timeout" });
    expect(all.text).toContain("heron");
    const some = await called(limited.key, "search_documents", { query: "timeout vacuum storage" });
    expect(some.result.structuredContent["results"]).toHaveLength(1);
    expect(some.text).not.toContain("heron");
    const found = await rest(
      `v1/documents:searchDocumentChunks?query=timeout+vacuum+storage&pageSize=100`,
      limited.key,
    );
    expect(JSON.stringify(found.body)).toContain("kestrel");
    expect(JSON.stringify(found.body)).not.toContain("heron");
    for (const filter of ['data_source = "www.heron.example"', 'NOT data_source = "docs.kestrel.example"']) {
      const path = `v1/documents:searchDocumentChunks?query=timeout&filter=${encodeURIComponent(filter)}`;
      expect((await rest(path, limited.key)).body).toEqual({ results: [] });
    }
  });

  test("does not learn of another source by asking for it", async () => {
    const asked = await called(limited.key, "search_documents", { query: "timeout", source: "heron" });
    expect(asked.result.isError).toBe(true);
    expect(asked.result.content[0]?.text).toBe(
      'There is no source "heron". The sources are kestrel (Kestrel 3); hosts do as well.',
    );
  });

  test("reads these alone: 403 where nothing may be read, whether or not there is anything", async () => {
    const hidden = await rest(`v1/${HIDDEN}`, limited.key);
    const nowhere = await rest("v1/documents/www.nowhere.example/page.html", limited.key);
    expect([hidden.status, nowhere.status]).toEqual([403, 403]);
    expect(hidden.body).toMatchObject({ error: { code: 403, status: "PERMISSION_DENIED" } });
    const inside = await rest("v1/documents/docs.kestrel.example/3/library/none.html", limited.key);
    expect(inside.status).toBe(404);
    const batch = `v1/documents:batchGet?names=documents/docs.kestrel.example/3/library/files.html&names=${HIDDEN}`;
    expect((await rest(batch, limited.key)).status).toBe(403);
    const over = await called(limited.key, "get_documents", {
      names: [HIDDEN, "documents/docs.kestrel.example/3/library/files.html"],
    });
    expect(over.result.structuredContent["documents"]).toHaveLength(1);
    expect(over.text).not.toContain("reclaims");
    const resource = await post(server, rpc("resources/read", { uri: `carrel://${HIDDEN}` }), bearer(limited.key));
    expect(await resource.text()).not.toContain("reclaims");
  });

  test("is suggested names of these alone", async () => {
    const { text } = await called(limited.key, "get_documents", {
      names: ["documents/www.heron.example/docs/15/sql-vacuum", "documents/docs.kestrel.example/3/library/file.html"],
    });
    expect(text).toContain("documents/docs.kestrel.example/3/library/files.html");
    expect(text).not.toContain("sql-vacuum.html");
  });

  test("is answered from these alone", async () => {
    const { text } = await called(limited.key, "answer_query", {
      query: "How does VACUUM reclaim storage and timeout?",
    });
    expect(text).not.toMatch(/heron|reclaims/);
    const body = JSON.stringify({ query: "How does VACUUM reclaim storage and timeout?" });
    const headers = { ...bearer(limited.key), "content-type": "application/json" };
    const answer = await fetch(`${server.url}v1:answerQuery`, { method: "POST", body, headers });
    expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringMatching(/heron|reclaims/)]);
  });

  test("reads descriptions and instructions that name these alone", async () => {
    const initialize = rpc("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    });
    for (const body of [rpc("tools/list"), initialize]) {
      const text = await (await post(server, body, bearer(limited.key))).text();
      expect(text).toContain("Kestrel 3");
      expect(text).not.toMatch(/heron/i);
    }
  });

  test("has page tokens of its own", async () => {
    const path = "v1/documents:searchDocumentChunks?query=timeout+files+lines&pageSize=1";
    const tokenOf = async (key: string) => String((await rest(path, key)).body["nextPageToken"]);
    const [own, other] = [await tokenOf(limited.key), await tokenOf(whole.key)];
    expect((await rest(`${path}&pageToken=${own}`, limited.key)).status).toBe(200);
    expect((await rest(`${path}&pageToken=${other}`, limited.key)).status).toBe(400);
    expect((await rest(`${path}&pageToken=${own}`, whole.key)).status).toBe(400);
  });
});

describe("a server with a limiter", () => {
  test("answers 429 with Retry-After in the shape of each protocol, each key for itself", async () => {
    const limits = await startTestServer({ keysFile: file, clock: () => NOW, now: () => 0, ratePerMinute: 2 });
    const ask = (key: string) => fetch(limits.url + SEARCH, { headers: bearer(key) });
    expect([(await ask(whole.key)).status, (await ask(whole.key)).status]).toEqual([200, 200]);
    const refused = await ask(whole.key);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await refused.json()).toMatchObject({
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        details: [{ reason: "RATE_LIMIT_EXCEEDED" }, { retryDelay: "30s" }],
      },
    });
    const overMcp = await post(limits, CALL, bearer(whole.key));
    expect([overMcp.status, overMcp.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await overMcp.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 } });
    expect((await ask(limited.key)).status).toBe(200);
    const unknown = await Promise.all([1, 2, 3].map(async () => (await ask("guess")).status));
    expect(unknown.sort((a, b) => a - b)).toEqual([401, 401, 429]);
    expect((await fetch(`${limits.url}healthz`)).status).toBe(200);
    await limits.close();
  });
});

describe("no bind beyond loopback", () => {
  test("without keys; with them it listens, and asks for one", async () => {
    await expect(startTestServer({ host: "0.0.0.0", allowedHosts: ["localhost"] })).rejects.toThrow(/no keys/);
    await expect(startTestServer({ host: "0.0.0.0", keysFile: file })).rejects.toThrow(/--allowed-host/);
    const open = await startTestServer({
      host: "0.0.0.0",
      keysFile: file,
      allowedHosts: ["docs.lan"],
      clock: () => NOW,
    });
    const { port } = new URL(open.url);
    const near = { ...open, url: `http://127.0.0.1:${port}/` };
    expect((await post(near, CALL)).status).toBe(401);
    expect((await post(near, CALL, bearer(whole.key))).status).toBe(200);
    expect(open.warnings.join()).toContain("in the clear");
    await open.close();
  });
});
