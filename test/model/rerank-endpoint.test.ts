import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "../../src/model/circuit-breaker.ts";
import { CarrelError } from "../../src/domain/errors.ts";
import { createRerankEndpoint } from "../../src/model/rerank-endpoint.ts";
import { modelServer } from "../support/model-server.ts";

describe("a rerank endpoint", () => {
  it.each([
    ["", "/v1/rerank"],
    ["/v1", "/v1/rerank"],
    ["/v1/rerank", "/v1/rerank"],
    ["/rerank", "/rerank"],
  ])("at %j scores passages in their order", async (path, askedAt) => {
    const { url, asked } = await modelServer();
    const reranker = createRerankEndpoint({ endpoint: url + path, model: "tiny", keyFile: "", timeoutMs: 2_000 });
    expect(await reranker.scores("which", ["bbb", "a", "cc"])).toEqual([-3, -1, -2]);
    expect(asked[0]?.path).toBe(askedAt);
  });

  it("refuses a reply that leaves a passage out", async () => {
    const { url, trouble } = await modelServer();
    trouble.now = (_, response) => (response.end('{"results":[{"index":0,"relevance_score":1}]}'), true);
    const reranker = createRerankEndpoint({ endpoint: url, model: "tiny", keyFile: "", timeoutMs: 2_000 });
    await expect(reranker.scores("which", ["a", "b"])).rejects.toThrow("no score for some of 2 passages");
  });
});

describe("a circuit breaker", () => {
  it("leaves a server alone that failed, longer each time, and says so once", async () => {
    const said: string[] = [];
    let now = 0;
    let asked = 0;
    let works = false;
    const log = (message: string): void => void said.push(message);
    const breaker = new CircuitBreaker("The server", { info: log, warn: log }, () => new Date(now));
    const ask = () =>
      breaker.try(async () => {
        asked++;
        if (!works) throw new CarrelError("unavailable", "It is down.");
        return "answer";
      });
    expect(await ask()).toBeUndefined();
    expect(await ask()).toBeUndefined();
    expect(asked).toBe(1);
    now += 10_000;
    expect(await ask()).toBeUndefined();
    now += 10_000;
    expect(await ask()).toBeUndefined();
    expect(asked).toBe(2);
    works = true;
    now += 10_000;
    expect(await ask()).toBe("answer");
    expect(await ask()).toBe("answer");
    expect(said).toEqual([
      "The server fails, and searches do without until it answers. It is down.",
      "The server answers again.",
    ]);
  });
});
