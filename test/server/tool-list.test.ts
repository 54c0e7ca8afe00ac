import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createQueries } from "../../src/flow/query.ts";
import { memoryCorpus } from "./support/memory-corpus.ts";
import type { MemoryPage } from "./support/memory-corpus.ts";
import { post, rpc, startTestServer } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("the tools as they are listed", () => {
  interface Listed {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly required: readonly string[] };
    readonly outputSchema: object;
    readonly annotations: object;
  }

  async function list(on = server): Promise<readonly Listed[]> {
    const response = await post(on, rpc("tools/list"));
    const reply: { readonly result: { readonly tools: readonly Listed[] } } = await response.json();
    return reply.result.tools;
  }

  test("stand in the order of the contract, without the retired ones", async () => {
    expect((await list()).map((tool) => tool.name)).toEqual(["search_documents", "answer_query", "get_documents"]);
  });

  test("have the contract's arguments, annotations and an output schema, and name no schema dialect", async () => {
    const tools = await list();
    expect(tools.map((tool) => tool.inputSchema.required)).toEqual([["query"], ["query"], ["names"]]);
    for (const tool of tools) {
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool.outputSchema).toMatchObject({ type: "object" });
      expect(JSON.stringify(tool)).not.toContain("$schema");
    }
  });

  test("say what is covered, what to do next and to cite, in what agents read of a description", async () => {
    const [search, answer, get] = await list();
    expect(search?.description).toContain(
      "Covered: Heron 15: www.heron.example, 1 page; Kestrel 3: docs.kestrel.example, 2 pages.",
    );
    expect(answer?.description).toMatch(/made of quotations[^]*No model/);
    for (const tool of [search, answer, get]) {
      expect(tool?.description.slice(0, 1_500)).toMatch(
        /parent[^]*get_documents|references[^]*get_documents|names that search_documents/,
      );
      expect(tool?.description.slice(0, 1_500)).toMatch(/cite/);
      expect(tool?.description.length).toBeLessThan(2_048);
    }
  });

  test("stay within 2,048 characters with a hundred sources", async () => {
    const pages = Array.from({ length: 100 }, (_, i): MemoryPage => {
      return { uri: `https://host-${i}.example/`, content: "x", source: `s${i}` };
    });
    const crowded = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const [search] = await list(crowded);
    await crowded.close();
    expect(search?.description.length).toBeLessThan(2_048);
    expect(search?.description.indexOf("Covered:")).toBeLessThan(1_500);
  });

  test("are the same byte for byte each time", async () => {
    const texts = await Promise.all([1, 2].map(async () => (await post(server, rpc("tools/list"))).text()));
    expect(texts[0]).toBe(texts[1]);
  });
});
