import { describe, expect, test } from "vitest";
import { masked, parseFieldMask } from "../../src/server/rest/field-mask.ts";
import { SCHEMAS } from "../../src/server/rest/schemas.ts";

const SEARCH = SCHEMAS.SearchDocumentChunksResponse;
const REPLY = {
  results: [
    { parent: "p", id: "c1", content: "x", document: { name: "n", title: "t", uri: "u" }, relevanceScore: 0.5 },
    { parent: "q", id: "c2", content: "y" },
  ],
  nextPageToken: "next",
};

describe("a field mask", () => {
  test.each([
    ["nextPageToken", { nextPageToken: "next" }],
    [
      "results(parent,content)",
      {
        results: [
          { parent: "p", content: "x" },
          { parent: "q", content: "y" },
        ],
      },
    ],
    [
      "results/parent,results/id",
      {
        results: [
          { parent: "p", id: "c1" },
          { parent: "q", id: "c2" },
        ],
      },
    ],
    ["results.document.name", { results: [{ document: { name: "n" } }, {}] }],
    [
      "results(document(name,title)),nextPageToken",
      { results: [{ document: { name: "n", title: "t" } }, {}], nextPageToken: "next" },
    ],
    ["results(relevance_score)", { results: [{ relevanceScore: 0.5 }, {}] }],
    ["*", REPLY],
    ["*/id", { results: [{ id: "c1" }, { id: "c2" }], nextPageToken: "next" }],
    ["results,results/id", REPLY.results.length > 0 ? { results: REPLY.results } : {}],
    [
      " results ( parent , id ) ",
      {
        results: [
          { parent: "p", id: "c1" },
          { parent: "q", id: "c2" },
        ],
      },
    ],
  ])("%s", (mask, expected) => {
    expect(masked(REPLY, parseFieldMask(mask, SEARCH))).toEqual(expected);
  });

  test.each([
    ["", /At its end: the name of a field/],
    ["results(", /At its end: the name of a field/],
    ["results(parent", /At its end: a closing parenthesis/],
    ["results(parent))", /At character 16, "\)": a comma/],
    ["results parent", /At character 9, "parent": a comma/],
    ["resultz", /At character 1, "resultz": the fields here are results, nextPageToken/],
    ["results(parent,nam)", /At character 16, "nam\)": the fields here are parent, id/],
    ["nextPageToken/x", /At character 15, "x": it has no fields of its own/],
    ["__proto__", /At character 1/],
    ["constructor", /At character 1/],
    [",", /At character 1/],
    ["a".repeat(1_001), /more than 1000/],
  ])("%j is refused", (mask, message) => {
    expect(() => parseFieldMask(mask, SEARCH)).toThrow(message);
  });
});
