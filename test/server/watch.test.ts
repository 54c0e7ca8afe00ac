import { describe, expect, test } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { NO_COUNTS } from "../../src/domain/run.ts";
import { Metrics } from "../../src/server/metrics.ts";
import { Turns } from "../../src/server/turns.ts";
import { rawRequest } from "./support/raw-http.ts";
import { post, smallQueries, startTestServer, toolCall } from "./support/running-server.ts";

const CALL = toolCall("search_documents", { query: "a private question" });
const LIVE = { "content-type": "application/json" };

/** The values of a metric by its labels. */
function valuesOf(text: string, name: string): Readonly<Record<string, number>> {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(name.length, at), Number(line.slice(at + 1))];
    }),
  );
}

describe("/metrics", () => {
  test("counts requests and their times by tool, and tells of the corpus and its runs", async () => {
    const run = (source: string, id: number, status: Run["status"], endedAt: string): Run => ({
      id,
      source,
      status,
      startedAt: endedAt,
      endedAt,
      durationMs: 1,
      counts: { ...NO_COUNTS, failed: status === "partial" ? 4 : 0 },
      note: "",
    });
    const runs = [
      run("kestrel", 3, "partial", "2026-06-02T00:00:00.000Z"),
      run("kestrel", 2, "complete", "2026-06-01T00:00:00.000Z"),
      run("heron", 1, "complete", "2026-05-01T00:00:00.000Z"),
    ];
    const server = await startTestServer({ runs: (_, source) => runs.filter((one) => one.source === source) });
    await (await post(server, CALL)).text();
    await (await post(server, toolCall("get_documents", { names: ["documents/x.example/none"] }))).text();
    await (await post(server, toolCall(`made-up-${Date.now()}`))).text();
    await (await fetch(`${server.url}v1/documents:searchDocumentChunks?query=files`)).text();
    const response = await fetch(`${server.url}metrics`);
    const text = await response.text();
    await server.close();
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(valuesOf(text, "carrel_requests_total")).toEqual({
      '{surface="mcp",call="search_documents",status="200"}': 1,
      '{surface="mcp",call="get_documents",status="200"}': 1,
      '{surface="mcp",call="other",status="200"}': 1,
      '{surface="rest",call="searchDocumentChunks",status="200"}': 1,
    });
    expect(valuesOf(text, "carrel_failed_calls_total")).toEqual({
      '{surface="mcp",call="get_documents"}': 1,
      '{surface="mcp",call="other"}': 1,
    });
    expect(valuesOf(text, "carrel_request_duration_seconds_count")).toMatchObject({
      '{surface="mcp",call="search_documents"}': 1,
    });
    expect(valuesOf(text, "carrel_request_duration_seconds_bucket")).toMatchObject({
      '{surface="mcp",call="search_documents",le="+Inf"}': 1,
    });
    expect(valuesOf(text, "carrel_source_documents")).toEqual({ '{source="heron"}': 1, '{source="kestrel"}': 2 });
    expect(valuesOf(text, "carrel_corpus_revision")).toEqual({ "": 3 });
    expect(valuesOf(text, "carrel_index_revision")).toEqual({ "": 3 });
    expect(valuesOf(text, "carrel_source_last_complete_run_timestamp_seconds")).toEqual({
      '{source="kestrel"}': Date.parse("2026-06-01T00:00:00Z") / 1000,
      '{source="heron"}': Date.parse("2026-05-01T00:00:00Z") / 1000,
    });
    expect(valuesOf(text, "carrel_source_last_run_failures")).toEqual({
      '{source="kestrel"}': 4,
      '{source="heron"}': 0,
    });
    expect(valuesOf(text, "carrel_source_last_run_complete")).toEqual({
      '{source="kestrel"}': 0,
      '{source="heron"}': 1,
    });
  });

  test("is the text format: one HELP and TYPE each, values that are numbers, buckets that only grow", () => {
    const metrics = new Metrics();
    for (const seconds of [0.0005, 0.003, 0.003, 99]) metrics.observe("mcp", 'a"\\\n', 200, seconds);
    const text = metrics.render([{ name: "one", help: "One.", type: "gauge", samples: [{ value: 1 }] }]);
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? [\d.e+-]+)$/,
      );
    }
    const counts = Object.values(valuesOf(text, "carrel_request_duration_seconds_bucket"));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBe(4);
    expect(counts[0]).toBe(1);
    const types = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(types).size).toBe(types.length);
  });
});

describe("the access log", () => {
  async function logged(logQueries: boolean): Promise<{ lines: readonly Record<string, unknown>[]; text: string }> {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line), logQueries };
    const server = await startTestServer({ accessLog: log, clock: () => new Date("2026-06-01T00:00:00Z") });
    await (await post(server, CALL)).text();
    await (await fetch(`${server.url}v1/documents:searchDocumentChunks?query=a+private+question&key=SECRET`)).text();
    await (await fetch(`${server.url}v1/documents/private.example/page`)).text();
    await (await fetch(`${server.url}healthz`)).text();
    await server.close();
    return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), text: lines.join("\n") };
  }

  test("has a line of JSON for each request, but for those of who watches, and no key", async () => {
    const { lines, text } = await logged(true);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toEqual({
      time: "2026-06-01T00:00:00.000Z",
      address: "127.0.0.1",
      method: "POST",
      path: "/mcp",
      status: 200,
      ms: expect.any(Number),
      surface: "mcp",
      call: "search_documents",
      query: "a private question",
    });
    expect(lines[1]).toMatchObject({ surface: "rest", call: "searchDocumentChunks", query: "a private question" });
    expect(lines[2]).toMatchObject({
      status: 404,
      call: "get",
      path: "/v1/documents/private.example/page",
      failed: true,
    });
    expect(text).not.toContain("SECRET");
  });

  test("without queries says nothing of what was asked", async () => {
    const { lines, text } = await logged(false);
    expect(lines).toHaveLength(3);
    expect(text).not.toMatch(/private|SECRET/);
  });

  test("a client that goes away is noted as 499", async () => {
    let noted: (line: string) => void = () => {};
    const line = new Promise<string>((resolve) => (noted = resolve));
    let asked: () => void = () => {};
    const inFlight = new Promise<void>((resolve) => (asked = resolve));
    const server = await startTestServer({
      accessLog: { write: noted, logQueries: true },
      queries: {
        ...smallQueries(),
        searchDocuments() {
          asked();
          return new Promise(() => {});
        },
      },
      limits: { shutdownGraceMs: 10 },
    });
    const controller = new AbortController();
    const call = fetch(`${server.url}mcp`, { method: "POST", body: CALL, headers: LIVE, signal: controller.signal });
    await inFlight;
    controller.abort();
    await expect(call).rejects.toThrow(/abort/);
    expect(JSON.parse(await line)).toMatchObject({ status: 499, call: "search_documents" });
    await server.close();
  });
});

describe("origins", () => {
  const asked = { ...LIVE, origin: "https://portal.example.com" };

  test("that are listed may ask, preflight and call; others may not", async () => {
    const server = await startTestServer({ corsOrigins: ["https://portal.example.com"] });
    const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
    const granted = await rawRequest(server, { method: "OPTIONS", headers: { ...asked, ...preflight } });
    expect([granted.status, granted.headers["access-control-allow-origin"]]).toEqual([
      204,
      "https://portal.example.com",
    ]);
    expect(granted.headers["access-control-allow-headers"]).toMatch(/authorization/);
    expect(granted.headers["access-control-allow-credentials"]).toBeUndefined();
    const called = await rawRequest(server, { headers: asked, body: CALL });
    expect([called.status, called.headers["access-control-allow-origin"]]).toEqual([200, "https://portal.example.com"]);
    expect(called.headers["vary"]).toBe("origin");
    for (const origin of ["https://portal.example.com.evil.example", "http://portal.example.com", "null"]) {
      const refused = await rawRequest(server, { method: "OPTIONS", headers: { ...preflight, origin } });
      expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
    }
    await server.close();
  });
});

describe("a busy server", () => {
  test("says that it is alive between two calls, however many wait", async () => {
    const queries = smallQueries();
    let calls = 0;
    const server = await startTestServer({
      queries: {
        ...queries,
        searchDocuments(request) {
          calls++;
          // Work without a pause.
          const until = performance.now() + 5;
          while (performance.now() < until);
          return queries.searchDocuments(request);
        },
      },
    });
    const answers = Promise.all(Array.from({ length: 100 }, () => post(server, CALL)));
    const health = await fetch(`${server.url}healthz`);
    const before = calls;
    expect(health.status).toBe(200);
    expect((await answers).every(({ status }) => status === 200)).toBe(true);
    expect(before).toBeLessThan(100);
    await server.close();
  });

  test("takes turns in their order, one in each round of the event loop", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const all = ["a", "b", "c"].map(async (name) => {
      await turns.take();
      order.push(name);
      setImmediate(() => order.push(`after ${name}`));
    });
    await Promise.all(all);
    await turns.take();
    expect(order.slice(0, 5)).toEqual(["a", "b", "after a", "c", "after b"]);
  });

  test("refuses what is more than it may answer at once with 503 and Retry-After", async () => {
    let calls = 0;
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const queries = smallQueries();
    const server = await startTestServer({
      limits: { maxConcurrent: 1 },
      queries: {
        ...queries,
        async searchDocuments(request) {
          calls++;
          await gate;
          return queries.searchDocuments(request);
        },
      },
    });
    const first = post(server, CALL);
    const second = await post(server, CALL);
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    release();
    expect((await first).status).toBe(200);
    expect(calls).toBe(1);
    await server.close();
  });
});
