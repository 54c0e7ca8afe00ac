import { describe, expect, test } from "vitest";
import { createQueries } from "../../src/flow/query.ts";
import { memoryCorpus, SMALL_PAGES } from "./support/memory-corpus.ts";
import { post, smallQueries, startTestServer, toolCall } from "./support/running-server.ts";

const CALL = toolCall("search_documents", { query: "vacuum" });

describe("health", () => {
  test("/healthz says that the process is alive, /readyz what it can answer from", async () => {
    const server = await startTestServer();
    const [health, ready, posted] = await Promise.all([
      fetch(`${server.url}healthz`),
      fetch(`${server.url}readyz?verbose`),
      fetch(`${server.url}readyz`, { method: "POST" }),
    ]);
    await server.close();
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: "ready",
      caughtUp: true,
      documents: 3,
      revision: 3,
      indexRevision: 3,
    });
    expect(posted.status).toBe(405);
  });

  test("/readyz is 503 while there is nothing to ask", async () => {
    const empty = await startTestServer({ queries: createQueries(memoryCorpus([])) });
    const noDocuments = await fetch(`${empty.url}readyz`);
    await empty.close();
    expect([noDocuments.status, await noDocuments.json()]).toEqual([
      503,
      { status: "no documents yet", caughtUp: true, documents: 0, revision: 0, indexRevision: 0 },
    ]);
    const ports = memoryCorpus(SMALL_PAGES);
    const index = { ...ports.index, stats: () => ({ chunks: 0, revision: 0 }) };
    const building = await startTestServer({ queries: createQueries({ ...ports, index }) });
    const noIndex = await fetch(`${building.url}readyz`);
    await building.close();
    expect([noIndex.status, await noIndex.json()]).toMatchObject([503, { status: "the index is being built" }]);
  });

  test("/readyz is an error without details when the stores cannot be read", async () => {
    const status = () => {
      throw new Error("/srv/secret/corpus.db: disk I/O error");
    };
    const broken = await startTestServer({ queries: { ...smallQueries(), status } });
    const response = await fetch(`${broken.url}readyz`);
    await broken.close();
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(broken.warnings.join()).toContain("secret");
  });
});

describe("starting", () => {
  test("a port that is taken is said with what to do", async () => {
    const first = await startTestServer();
    const port = Number(new URL(first.url).port);
    const error: unknown = await startTestServer({ port }).catch((thrown: unknown) => thrown);
    await first.close();
    expect(error).toMatchObject({ code: "busy" });
    expect(String(error)).toMatch(new RegExp(`port ${port} of 127\\.0\\.0\\.1: another program.*--port`));
  });

  test("an address of another machine is said with what to do", async () => {
    const error: unknown = await startTestServer({ host: "192.0.2.1", insecure: true }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "config" });
    expect(String(error)).toMatch(/192\.0\.2\.1.*--host/);
  });
});

describe("stopping", () => {
  test("what is being answered is finished, what comes then is refused, and what was idle is closed", async () => {
    let release: () => void = () => {};
    let asked: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const inFlight = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const queries = smallQueries();
    const server = await startTestServer({
      // Longer than this test may take: nothing but the end of the answer may let the server stop.
      limits: { shutdownGraceMs: 120_000 },
      queries: {
        ...queries,
        async searchDocuments(request) {
          asked();
          await gate;
          return queries.searchDocuments(request);
        },
      },
    });
    // An idle connection, kept open by the client.
    await (await fetch(`${server.url}healthz`)).text();
    const answer = post(server, CALL);
    await inFlight;
    const closed = server.close();
    await expect(fetch(`${server.url}healthz`)).rejects.toThrow("fetch failed");
    release();
    expect((await answer).status).toBe(200);
    await closed;
  });

  test("a call that never ends does not keep the server from stopping", async () => {
    let asked: () => void = () => {};
    const inFlight = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await startTestServer({
      limits: { shutdownGraceMs: 20 },
      queries: {
        ...smallQueries(),
        searchDocuments() {
          asked();
          return new Promise(() => {});
        },
      },
    });
    const answer = post(server, CALL);
    await inFlight;
    const [settled] = await Promise.allSettled([answer, server.close()]);
    expect(settled.status).toBe("rejected");
  });
});
