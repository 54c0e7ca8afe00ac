import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEmbeddingsEndpoint, type EmbeddingsOptions } from "../../src/model/embeddings-endpoint.ts";
import { modelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp-folder.ts";

const { signal } = new AbortController();

async function setUp(more: Partial<EmbeddingsOptions> = {}) {
  const server = await modelServer();
  const common = { endpoint: server.url, model: "tiny", keyFile: "", documentPrefix: "doc: ", queryPrefix: "ask: " };
  const embedder = createEmbeddingsEndpoint({ ...common, queryTimeoutMs: 2_000, retryMs: 1, ...more });
  return { ...server, embedder };
}

describe("an embeddings endpoint", () => {
  it("is asked in batches of 32, with the prefixes that the model wants, and gives vectors in order", async () => {
    const { asked, embedder } = await setUp();
    const texts = Array.from({ length: 70 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}`);
    const vectors = await embedder.embedDocuments(texts, signal);
    expect(vectors).toHaveLength(70);
    expect(vectors[0]).toEqual(vectors[26]);
    expect(vectors[0]).not.toEqual(vectors[1]);
    expect(asked.map(({ body }) => body.input?.length)).toEqual([32, 32, 6]);
    expect(asked[0]).toMatchObject({ path: "/v1/embeddings", authorization: undefined, body: { model: "tiny" } });
    expect(asked[0]?.body.input?.[0]).toBe("doc: worda");
    await embedder.embedQuery("where");
    expect(asked.at(-1)?.body.input).toEqual(["ask: where"]);
  });

  it("sends the key of its file, read anew each time", async () => {
    const keyFile = join(tempFolder(), "key");
    const { asked, embedder } = await setUp({ keyFile });
    writeFileSync(keyFile, "first\n");
    await embedder.embedQuery("a");
    writeFileSync(keyFile, "second\n");
    await embedder.embedQuery("a");
    expect(asked.map(({ authorization }) => authorization)).toEqual(["Bearer first", "Bearer second"]);
  });

  it("never tells the key", async () => {
    const keyFile = join(tempFolder(), "key");
    writeFileSync(keyFile, "very-secret\n");
    const { trouble, embedder } = await setUp({ keyFile });
    trouble.now = (_, response) => (response.writeHead(401).end("very-secret"), true);
    await expect(embedder.embedDocuments(["a"], signal)).rejects.toThrow(/status 401\.$/);
  });

  it("is asked again after a fault that may pass, and not after one that stays", async () => {
    const { asked, trouble, embedder } = await setUp();
    trouble.now = (_, response) => (asked.length < 3 ? (response.writeHead(500).end(), true) : undefined);
    expect(await embedder.embedDocuments(["a"], signal)).toHaveLength(1);
    expect(asked).toHaveLength(3);
    trouble.now = (_, response) => (response.writeHead(403).end(), true);
    await expect(embedder.embedDocuments(["a"], signal)).rejects.toThrow("status 403");
    expect(asked).toHaveLength(4);
  });

  it("is asked for less at once when that was too much", async () => {
    const { asked, trouble, embedder } = await setUp();
    trouble.now = ({ body }, response) =>
      (body.input?.length ?? 0) > 8 ? (response.writeHead(413).end(), true) : undefined;
    expect(
      await embedder.embedDocuments(
        Array.from({ length: 32 }, () => "a"),
        signal,
      ),
    ).toHaveLength(32);
    expect(asked.map(({ body }) => body.input?.length)).toEqual([32, 16, 8, 8, 16, 8, 8]);
  });

  it.each([
    ["no JSON", "<html>", /not JSON/],
    ["too few vectors", '{"data":[]}', /0 vectors for 1 texts/],
    ["no list", '{"error":"x"}', /no vectors for 1 texts/],
    ["what is no number", '{"data":[{"index":0,"embedding":[1,null]}]}', /no number/],
    ["zeros", '{"data":[{"index":0,"embedding":[0,0]}]}', /nothing but zeros/],
    ["a vector of another text", '{"data":[{"index":4,"embedding":[1]}]}', /not one for each text/],
    ["an empty vector", '{"data":[{"index":0,"embedding":[]}]}', /no list/],
  ])("refuses %s", async (_what, reply, message) => {
    const { trouble, embedder } = await setUp();
    trouble.now = (_, response) => (response.end(reply), true);
    await expect(embedder.embedQuery("a")).rejects.toThrow(message);
  });

  it("is waited for no longer than a query may take", async () => {
    const { trouble, embedder } = await setUp({ queryTimeoutMs: 30 });
    trouble.now = () => true;
    await expect(embedder.embedQuery("a")).rejects.toThrow("it took longer than 30 ms");
  });

  it("stops when it is told to", async () => {
    const { trouble, embedder } = await setUp();
    const controller = new AbortController();
    trouble.now = () => (controller.abort(), true);
    await expect(embedder.embedDocuments(["a"], controller.signal)).rejects.toMatchObject({ code: "stopped" });
  });
});
