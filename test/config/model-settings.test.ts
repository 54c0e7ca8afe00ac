import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/config/settings.ts";

describe("settings of models", () => {
  it("are nothing, unless they are set", () => {
    const { embeddingsEndpoint, rerankEndpoint, embeddingsTimeout, rerankTimeout, indexEngine } = readSettings({}, {});
    expect([embeddingsEndpoint, rerankEndpoint]).toEqual(["", ""]);
    expect([embeddingsTimeout, rerankTimeout, indexEngine]).toEqual([300, 1000, "postings"]);
  });

  it("keep the space at the end of a prefix", () => {
    const environment = { CARREL_EMBEDDINGS_QUERY_PREFIX: "search_query: " };
    expect(readSettings({}, environment).embeddingsQueryPrefix).toBe("search_query: ");
  });

  it.each([
    [{ CARREL_EMBEDDINGS_ENDPOINT: "http://127.0.0.1:1" }, /CARREL_EMBEDDINGS_MODEL is not/],
    [{ CARREL_RERANK_MODEL: "x" }, /CARREL_RERANK_ENDPOINT is not/],
    [{ CARREL_EMBEDDINGS_ENDPOINT: "http://u:p@h/", CARREL_EMBEDDINGS_MODEL: "x" }, /CARREL_EMBEDDINGS_KEY_FILE names/],
    [{ CARREL_RERANK_ENDPOINT: "ftp://h/", CARREL_RERANK_MODEL: "x" }, /no http or https URL/],
    [{ CARREL_EMBEDDINGS_TIMEOUT: "0" }, /from 1 to 60000/],
    [{ CARREL_RERANK_TIMEOUT: "soon" }, /whole number of milliseconds/],
    [{ CARREL_INDEX_ENGINE: "lucene" }, /postings or orama-memory/],
    [
      {
        CARREL_INDEX_ENGINE: "orama-memory",
        CARREL_EMBEDDINGS_ENDPOINT: "http://127.0.0.1:1",
        CARREL_EMBEDDINGS_MODEL: "x",
      },
      /keeps no vectors/,
    ],
  ])("refuse %j", (environment, message) => {
    expect(() => readSettings({}, environment)).toThrow(message);
  });
});
