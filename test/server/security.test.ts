import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createQueries } from "../../src/flow/query.ts";
import { memoryCorpus, SMALL_PAGES, SMALL_TITLES } from "./support/memory-corpus.ts";
import { rawConnection, rawRequest } from "./support/raw-http.ts";
import { post, rpc, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const JSON_TYPE = { "content-type": "application/json" };
const CALL = toolCall("search_documents", { query: "vacuum" });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("what is posted", () => {
  test.each([
    undefined,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
  ])("the Content-Type %s is refused with 415", async (type) => {
    const headers = type === undefined ? {} : { "content-type": type };
    expect((await rawRequest(server, { headers, body: CALL })).status).toBe(415);
  });

  test("a compressed body is refused with 415", async () => {
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    expect((await rawRequest(server, { headers, body: CALL })).status).toBe(415);
  });

  test("a preflight of a page is not granted", async () => {
    const headers = { origin: "http://localhost:5173", "access-control-request-method": "POST" };
    const answer = await rawRequest(server, { method: "OPTIONS", headers });
    expect(answer.status).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    ["a batch", `[${rpc("ping")},${rpc("ping", {}, 2)}]`, -32600],
    [
      "a batch with a notification",
      `[${CALL},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]`,
      -32600,
    ],
    ["[]", "[]", -32600],
    ["{}", "{}", -32600],
    ["null", "null", -32600],
    ["a text", '"ping"', -32600],
    ["nothing", "", -32700],
    ["half of a message", '{"jsonrpc":', -32700],
    ["the id null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ])("%s is answered at once with 400", async (_, body, code) => {
    const response = await fetch(`${server.url}mcp`, {
      method: "POST",
      body,
      headers: JSON_TYPE,
      signal: AbortSignal.timeout(5_000),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
  });

  test.each([
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ["an unknown notification", '{"jsonrpc":"2.0","method":"notifications/nothing","params":{"a":1}}'],
    ["an answer to nothing", '{"jsonrpc":"2.0","id":3,"result":{}}'],
    ["an error about nothing", '{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}'],
  ])("%s is accepted with 202 and no body", async (_, body) => {
    const response = await post(server, body);
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });

  test("a body over the cap is refused with 413, whether or not its length is told", async () => {
    const small = await startTestServer({ limits: { maxBodyBytes: 1_000 } });
    const body = toolCall("search_documents", { query: "a".repeat(2_000) });
    const told = await rawRequest(small, {
      headers: { ...JSON_TYPE, "content-length": Buffer.byteLength(body) },
      body,
    });
    const untold = await rawRequest(small, { headers: { ...JSON_TYPE, "transfer-encoding": "chunked" }, body });
    const huge = await rawConnection(
      small,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{`,
    );
    await small.close();
    expect([told.status, untold.status]).toEqual([413, 413]);
    expect(huge).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("slow headers and slow bodies are cut", async () => {
    const strict = await startTestServer({ limits: { headersTimeoutMs: 50, requestTimeoutMs: 100 } });
    const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const [headers, body] = await Promise.all([
      rawConnection(strict, start),
      rawConnection(strict, `${start}Content-Length: 100\r\n\r\n{"jsonrpc"`),
    ]);
    await strict.close();
    expect(headers).toMatch(/^HTTP\/1\.1 408 /);
    expect(body).toMatch(/^HTTP\/1\.1 408 /);
    expect(strict.warnings).toEqual([]);
  });

  test("a client that goes away in the middle of its body does no harm", async () => {
    const controller = new AbortController();
    const body = new ReadableStream({
      pull(stream) {
        stream.enqueue(new TextEncoder().encode('{"jsonrpc"'));
        controller.abort();
      },
    });
    const init: RequestInit & { duplex: string } = { method: "POST", body, headers: JSON_TYPE, duplex: "half" };
    await expect(fetch(`${server.url}mcp`, { ...init, signal: controller.signal })).rejects.toThrow(/abort/);
    expect((await post(server, CALL)).status).toBe(200);
  });

  test("JSON that is 100,000 deep is answered", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const args of [
      `{"query":${deep}}`,
      `{"query":"vacuum","page_size":${deep}}`,
      `{"query":"vacuum","other":${deep}}`,
    ]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_documents","arguments":${args}}}`;
      const response = await post(server, body);
      expect(response.status).toBe(200);
      expect(await response.json()).toHaveProperty("result");
    }
    const inId = await post(server, `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`);
    expect(inId.status).toBe(400);
    const inMeta = await post(
      server,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${deep}}}}`,
    );
    expect(inMeta.status).toBe(200);
  });

  test("lone surrogates, NUL and control characters in a query are answered", async () => {
    for (const query of ["\\ud800", "\\udc00\\ud800 vacuum", "\\u0000vacuum", "vacuum\\u202e\\u0007"]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_documents","arguments":{"query":"${query}"}}}`;
      const response = await post(server, body);
      expect(response.status).toBe(200);
      expect(await response.json()).not.toMatchObject({ result: { isError: true } });
    }
  });

  test("__proto__ as an argument, a name and a key changes nothing", async () => {
    const args = '{"query":"timeout","__proto__":{"page_size":1},"constructor":{"prototype":{"polluted":1}}}';
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_documents","arguments":${args}}}`;
    const reply: {
      result: { structuredContent: { results: unknown[] } };
    } = await (await post(server, body)).json();
    expect(reply.result.structuredContent.results).toHaveLength(2);
    expect("polluted" in {}).toBe(false);
    const named = await post(
      server,
      toolCall("get_documents", { names: ["__proto__", "documents/__proto__/constructor"] }),
    );
    expect(await named.json()).toMatchObject({ result: { isError: true } });
  });

  test.each([
    "../../../../etc/passwd",
    "documents/../../etc/passwd",
    "documents/docs.kestrel.example/%2e%2e/%2e%2e/etc/passwd",
    "documents/docs.kestrel.example/..%2f..%2fetc%2fpasswd",
    "documents/x\u0000.example",
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "//etc/passwd",
    "javascript:alert(1)",
    "documents/",
    "documents/[::1",
    "documents/docs.kestrel.example/3/library/files.html\r\nX: y",
    "a".repeat(100_000),
  ])("the document name %j gives a clean error, and nothing but the corpus is read", async (name) => {
    const asked: string[] = [];
    const ports = memoryCorpus(SMALL_PAGES, SMALL_TITLES);
    const corpus = {
      ...ports.corpus,
      document(of: string) {
        asked.push(of);
        return ports.corpus.document(of);
      },
    };
    const watched = await startTestServer({ queries: createQueries({ ...ports, corpus }) });
    const response = await post(watched, toolCall("get_documents", { names: [name] }));
    await watched.close();
    const reply: { result: { isError: boolean; content: { text: string }[] } } = await response.json();
    expect(reply.result.isError).toBe(true);
    expect(reply.result.content[0]?.text.length).toBeLessThan(1_000);
    expect(asked.filter((of) => !of.startsWith("documents/"))).toEqual([]);
    expect(watched.warnings).toEqual([]);
  });
});
