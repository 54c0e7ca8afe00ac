import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SearchIndex } from "../../src/domain/ports.ts";
import { CircuitBreaker } from "../../src/model/circuit-breaker.ts";
import { createEmbeddingsEndpoint } from "../../src/model/embeddings-endpoint.ts";
import { createRerankEndpoint } from "../../src/model/rerank-endpoint.ts";
import { rerankedIndex } from "../../src/search/reranked-index.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import { cosine, differingSigns, wholeNumbers, writeSigns } from "../../src/search/vectors/codes.ts";
import { nearest } from "../../src/search/vectors/nearest.ts";
import { VectorFile } from "../../src/search/vectors/vector-file.ts";
import { modelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { TestCorpus } from "../contract/search-index.ts";
import { seededRandom } from "../../src/search/lsa/svd.ts";

const { signal } = new AbortController();

/** A corpus of birds and a server for which "waterfowl" and "pelican" mean the same. */
async function setUp() {
  const server = await modelServer({ pelicans: "bird", pelican: "bird", waterfowl: "bird" });
  const folder = tempFolder();
  const corpus = new TestCorpus();
  const said: string[] = [];
  let now = 0;
  const logger = { info: (message: string) => said.push(message), warn: (message: string) => said.push(message) };
  const open = ({ model = "tiny", readonly = false, file = "index.db" } = {}): SearchIndex => {
    const common = { endpoint: server.url, keyFile: "", documentPrefix: "", queryPrefix: "", retryMs: 1 };
    const embedder = createEmbeddingsEndpoint({ ...common, model, queryTimeoutMs: 1_000 });
    const breaker = new CircuitBreaker("The embeddings endpoint", logger, () => new Date(now));
    const queryVector = (query: string) => breaker.try(() => embedder.embedQuery(query));
    const embeddings = { embedder, file: join(folder, "vectors.db"), logger, queryVector };
    const index = openSearchIndex({ file: join(folder, file), texts: corpus.texts, readonly, embeddings });
    onTestFinished(() => index.close());
    return index;
  };
  const embedded = (): readonly string[] => server.asked.flatMap(({ body }) => body.input ?? []);
  const birds = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      corpus.write(i + 1, {
        title: `Page ${i}`,
        passages: [i === 3 ? "Pelicans nest on islands." : `Stones of kind ${i}.`],
      }),
    );
  return { ...server, corpus, said, open, embedded, birds, wait: (ms: number) => (now += ms) };
}

async function find(index: SearchIndex, query: string, within?: ReadonlySet<number>) {
  return (await index.search(query, 5, within)).map(({ documentId }) => documentId);
}

const vectorsOf = (index: SearchIndex) => index.notes().find(({ about }) => about === "vectors")?.says;

describe("a search with a model for meaning", () => {
  it("finds what has none of the words, also in another process, within documents, and not where a phrase is asked for", async () => {
    const { open, birds } = await setUp();
    const index = open();
    await index.apply(birds(10));
    expect(await find(index, "waterfowl")).toEqual([]);
    await index.enrich(signal);
    expect(vectorsOf(index)).toBe("10 of 10 passages have vectors of 64 numbers");
    const reader = open({ readonly: true });
    expect((await find(reader, "waterfowl"))[0]).toBe(4);
    expect((await find(reader, "waterfowl", new Set([4, 5])))[0]).toBe(4);
    expect(await find(reader, "waterfowl", new Set([5]))).toEqual([5]);
    expect(await find(reader, "waterfowl -nest")).not.toContain(4);
    expect(await find(reader, '"stones of kind"')).not.toContain(4);
    expect(await find(reader, "?!")).toEqual([]);
    for (const { score } of await reader.search("waterfowl islands", 5)) expect(score).toBeLessThanOrEqual(1);
  });

  it("computes no vector twice: after a kill in the middle, a change, a removal, and an index made anew", async () => {
    const { open, corpus, birds, asked, trouble, embedded } = await setUp();
    const index = open();
    await index.apply(birds(200));
    const controller = new AbortController();
    trouble.now = () => (asked.length > 2 ? (controller.abort(), true) : undefined);
    await index.enrich(controller.signal);
    const before = Number(/^\d+/.exec(vectorsOf(index) ?? "")?.[0]);
    expect(before).toBe(64);
    expect(vectorsOf(index)).toBe(
      "64 of 200 passages have vectors of 64 numbers; 136 wait, and `carrel index` goes on with them",
    );
    trouble.now = () => undefined;
    const cut = embedded().length;
    await open().enrich(signal);
    expect(embedded().length - cut).toBe(136);
    const change = corpus.write(1, { title: "Page 0", passages: ["Granite."] });
    await index.apply([change, corpus.remove(2)]);
    await index.enrich(signal);
    expect(embedded().length - cut).toBe(137);
    expect(vectorsOf(index)).toBe("199 of 199 passages have vectors of 64 numbers");
    // The same row with another title is another text.
    await index.apply([{ ...change, revision: 999, title: "Rocks" } as typeof change]);
    await index.enrich(signal);
    expect(embedded().length - cut).toBe(138);
    const anew = open({ file: "index.db.new" });
    await anew.apply([change]);
    await anew.enrich(signal);
    expect(embedded().length - cut).toBe(138);
  });

  it("computes all anew for another model, and for other dimensions", async () => {
    const { open, birds, embedded, given } = await setUp();
    const index = open();
    await index.apply(birds(100));
    await index.enrich(signal);
    expect(embedded()).toHaveLength(100);
    const other = open({ model: "another" });
    expect(vectorsOf(open({ model: "a third", readonly: true }))).toMatch(/^0 of 100/);
    await other.enrich(signal);
    expect(embedded()).toHaveLength(200);
    given.dimensions = 48;
    const [first] = birds(1);
    await other.apply(first === undefined ? [] : [first]);
    await other.enrich(signal);
    expect(vectorsOf(other)).toBe("100 of 100 passages have vectors of 48 numbers");
    expect((await find(other, "waterfowl"))[0]).toBe(4);
  });

  it("leaves the rest working when the server fails, and says how many passages wait", async () => {
    const { open, birds, trouble, said } = await setUp();
    const index = open();
    await index.apply(birds(10));
    trouble.now = (_, response) => (response.writeHead(500).end(), true);
    await index.enrich(signal);
    expect(said.join()).toMatch(/^10 passages wait for their vectors.*status 500/);
    expect(await find(index, "pelicans")).toEqual([4]);
  });

  it("answers by words when the server is gone, says so, and does not wait for it with each query", async () => {
    const { open, birds, asked, trouble, said, wait } = await setUp();
    const index = open();
    await index.apply(birds(10));
    await index.enrich(signal);
    trouble.now = (_, response) => (response.writeHead(503).end(), true);
    const before = asked.length;
    for (let i = 0; i < 3; i++) {
      const hits = await index.search("pelicans", 5);
      expect(hits.map(({ documentId }) => documentId)).toEqual([4]);
      expect(await index.reading("pelicans", hits)).toMatchObject({ without: ["embeddings"] });
    }
    expect(asked.length - before).toBe(1);
    expect(said).toHaveLength(1);
    trouble.now = () => undefined;
    wait(60_000);
    const hits = await index.search("pelicans", 5);
    expect(await index.reading("pelicans", hits)).not.toHaveProperty("without");
  });
});

describe("a search with a model that orders passages", () => {
  it("orders them, keeps scores descending, and falls back", async () => {
    const { url, trouble } = await modelServer();
    const folder = tempFolder();
    const corpus = new TestCorpus();
    const own = openSearchIndex({ file: join(folder, "index.db"), texts: corpus.texts });
    onTestFinished(() => own.close());
    await own.apply(
      ["Queues, queues and queues, and what else there is.", "A queue is long.", "Queues."].map((passage, i) =>
        corpus.write(i + 1, { title: "", passages: [passage] }),
      ),
    );
    const reranker = createRerankEndpoint({ endpoint: url, model: "tiny", keyFile: "", timeoutMs: 2_000 });
    const logger = { info() {}, warn() {} };
    const breaker = new CircuitBreaker("The rerank endpoint", logger, () => new Date(0));
    const index = rerankedIndex(own, {
      texts: corpus.texts,
      scores: (query, passages) => breaker.try(() => reranker.scores(query, passages)),
    });
    const hits = await index.search("queues", 5);
    expect(hits.map(({ documentId }) => documentId)).toEqual([3, 2, 1]);
    expect(hits.map(({ score }) => score)).toEqual((await own.search("queues", 5)).map(({ score }) => score));
    trouble.now = (_, response) => (response.end("nonsense"), true);
    const fallback = await index.search("queues", 5);
    expect(fallback).toEqual(await own.search("queues", 5));
    expect(await index.reading("queues", fallback)).toMatchObject({ without: ["reranking"] });
  });
});

describe("vectors", () => {
  it("are found by signs and then by numbers as an exhaustive comparison finds them", () => {
    const random = seededRandom(7);
    const of = (): Float32Array => Float32Array.from({ length: 384 }, () => random() - 0.5);
    const file = VectorFile.open(join(tempFolder(), "vectors.db"), "model", false);
    if (file === undefined) throw new Error("not opened");
    onTestFinished(() => file.close());
    const query = of();
    const stored = Array.from({ length: 5_000 }, (_, i) => {
      const near = i % 97 === 0 ? 0.5 + (i % 11) / 20 : 0;
      return {
        row: i * 3 + 1,
        document: i % 40,
        textHash: Buffer.alloc(12),
        vector: wholeNumbers(of().map((value, k) => value + near * (query[k] ?? 0))),
      };
    });
    file.put(stored);
    const whole = wholeNumbers(query);
    const expected = stored
      .map(({ row, vector }) => ({ row, cosine: cosine(whole, vector) }))
      .sort((a, b) => b.cosine - a.cosine || a.row - b.row)
      .slice(0, 10);
    expect(nearest(file, whole, 10, undefined).map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
    const within = new Set([3, 4]);
    for (const { document } of nearest(file, whole, 10, within)) expect(within).toContain(document);
    file.drop(expected.map(({ row }) => row));
    const rest = nearest(file, whole, 10, undefined).map(({ row }) => row);
    expect(rest).toHaveLength(10);
    expect(rest.filter((row) => expected.some((each) => each.row === row))).toEqual([]);
  });

  it("differ in as many signs as are other", () => {
    const signs = new Uint32Array(4);
    writeSigns(
      Float32Array.from({ length: 64 }, (_, i) => (i < 40 ? 1 : -1)),
      signs,
      0,
    );
    writeSigns(
      Float32Array.from({ length: 64 }, (_, i) => (i < 33 ? 1 : -1)),
      signs,
      2,
    );
    expect(differingSigns(signs, 2, signs.subarray(0, 2))).toBe(7);
  });
});
