import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createQueries } from "../../src/flow/query.ts";
import { DOCUMENTS_REPLY_CHARS, SEARCH_REPLY_CHARS } from "../../src/flow/queries.ts";
import { CarrelError } from "../../src/domain/errors.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { memoryCorpus } from "./support/memory-corpus.ts";
import type { MemoryPage } from "./support/memory-corpus.ts";
import { post, smallQueries, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const FILES = "documents/docs.kestrel.example/3/library/files.html";
const VACUUM = "documents/www.heron.example/docs/15/sql-vacuum.html";

/** The parts of a tool's result that these tests look at. */
interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: {
    readonly results?: readonly { readonly parent: string; readonly id: string; readonly content: string }[];
    readonly documents?: readonly Record<string, unknown>[];
    readonly errors?: readonly { readonly name: string; readonly message: string; readonly nearest: string[] }[];
    readonly note?: string;
  };
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function call(name: string, args?: object, on = server): Promise<ToolResult> {
  const response = await post(on, toolCall(name, args));
  expect(response.status).toBe(200);
  const reply: { readonly result: ToolResult } = await response.json();
  return reply.result;
}

describe("search_documents", () => {
  test("answers with passages of the contract's shape, as structured content and as the same text", async () => {
    const result = await call("search_documents", { query: "read file lines" });
    const first = result.structuredContent?.results?.[0];
    expect(first).toEqual({
      parent: FILES,
      id: "c1",
      content: expect.stringMatching(
        /^\[files — reading and writing\]\(https:\/\/docs\.kestrel\.example\/3\/library\/files\.html\)\n\nFiles are opened[^]*for line in open\(path\)/,
      ),
    });
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(result.structuredContent) }]);
    expect(result.isError).toBeUndefined();
  });

  test("takes page_size, pageSize and a number in quotes", async () => {
    for (const args of [{ page_size: 1 }, { pageSize: 1 }, { page_size: "1" }]) {
      const { structuredContent } = await call("search_documents", { query: "timeout", ...args });
      expect(structuredContent?.results).toHaveLength(1);
      expect(structuredContent?.note).toBeUndefined();
    }
  });

  test("says that nothing was found, rather than nothing", async () => {
    const { structuredContent } = await call("search_documents", { query: "zyzzyva" });
    expect(structuredContent).toEqual({ results: [], note: expect.stringMatching(/Nothing was found/) });
  });

  test("says what nothing speaks of, when what was found is hardly about the question", async () => {
    const query = "How does a Zebra timeout in the wild?";
    const { structuredContent } = await call("search_documents", { query });
    expect(structuredContent?.results?.length).toBeGreaterThan(0);
    expect(structuredContent?.note).toBe('Perhaps nothing here answers this: no passage speaks of "Zebra", "wild".');
    expect((await call("search_documents", { query: "What is the timeout?" })).structuredContent?.note).toBeUndefined();
  });

  test("says which arguments it does not know, and answers all the same", async () => {
    const { structuredContent } = await call("search_documents", { query: "timeout", lang: "en", num_results: 3 });
    expect(structuredContent?.results?.length).toBeGreaterThan(0);
    expect(structuredContent?.note).toMatch(
      /"lang, num_results"\. The arguments are query, page_size, page_token, filter, source, verbose\./,
    );
  });

  test.each([
    [undefined, /query is missing/],
    [{}, /query is missing/],
    [{ query: 5 }, /query is 5; give a text/],
    [{ query: null }, /query is null/],
    [{ query: ["a"] }, /query is a list/],
    [{ query: "" }, /query is empty/],
    [{ query: "a".repeat(501) }, /at most 500/],
    [{ query: "a", page_size: 1.5 }, /page_size is 1\.5; give a whole number/],
    [{ query: "a", page_size: -2 }, /page size is -2/],
    [{ query: "a", page_size: "many" }, /page_size is "many"/],
  ])("answers %j with an error that the model can act on", async (args, message) => {
    const result = await call("search_documents", args);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(message);
  });

  test("keeps within its budget whatever the passages are, and says what was left out", async () => {
    for (const size of [2_100, 4_000, 15_000, 60_000]) {
      const pages = Array.from({ length: 30 }, (_, i) => bigPage(i, size));
      const big = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
      for (const page_size of [1, 5, 30]) {
        const { content, structuredContent } = await call("search_documents", { query: "word", page_size }, big);
        const text = content[0]?.text ?? "";
        expect(text.length).toBeLessThanOrEqual(SEARCH_REPLY_CHARS);
        const shown = structuredContent?.results?.length ?? 0;
        const leftOut = /(\d+) more passages? did not fit/.exec(structuredContent?.note ?? "")?.[1];
        expect(shown + Number(leftOut ?? 0)).toBe(page_size);
        const cut = structuredContent?.results?.filter(({ content }) =>
          /\[\d+ more characters of this passage/.test(content),
        );
        expect(cut?.length ?? 0).toBe(size * page_size > SEARCH_REPLY_CHARS - 500 ? shown : 0);
      }
      await big.close();
    }
  });
});

test("the note on what was left out is within the budget, too, however long the names are", async () => {
  for (let chars = 400; chars <= 1_000; chars += 100) {
    const pages = Array.from({ length: 60 }, (_, i): MemoryPage => {
      return { ...bigPage(i, chars), uri: `https://x.example/${"long/".repeat(50 + (i % 30))}${i}` };
    });
    const big = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const { content, structuredContent } = await call("search_documents", { query: "word", page_size: 60 }, big);
    await big.close();
    expect(structuredContent?.note).toMatch(/did not fit.* and \d+ more\./);
    expect(content[0]?.text.length).toBeLessThanOrEqual(SEARCH_REPLY_CHARS);
  }
});

describe("get_documents", () => {
  test("answers with documents of the contract's shape, as structured content and as the same text", async () => {
    const result = await call("get_documents", { names: [VACUUM, FILES] });
    expect(result.structuredContent?.documents).toEqual([
      {
        name: VACUUM,
        uri: "https://www.heron.example/docs/15/sql-vacuum.html",
        content: expect.stringContaining("## Parameters"),
        description: "",
        title: "VACUUM",
      },
      expect.objectContaining({ name: FILES, description: "How to open, read and write files." }),
    ]);
    expect(result.content[0]?.text).toBe(JSON.stringify(result.structuredContent));
  });

  test("one bad name does not fail the others, and is answered with the nearest names", async () => {
    const missing = "documents/docs.kestrel.example/3/timeouts-of-sockets.html";
    const { structuredContent, isError } = await call("get_documents", { names: [missing, FILES, "ftp://x"] });
    expect(isError).toBeUndefined();
    expect(structuredContent?.documents?.map((document) => document["name"])).toEqual([FILES]);
    expect(structuredContent?.errors).toEqual([
      {
        name: missing,
        message: expect.stringContaining("kept here"),
        nearest: expect.arrayContaining(["documents/docs.kestrel.example/3/library/sockets.html"]),
      },
      expect.objectContaining({ name: "ftp://x" }),
    ]);
  });

  test("is an error when no name gives a document, with the nearest names in its text", async () => {
    const result = await call("get_documents", { names: ["documents/docs.kestrel.example/sockets"] });
    expect(result.isError).toBe(true);
    const nearest = "documents/docs.kestrel.example/3/library/sockets.html";
    expect(result.content[0]?.text).toContain(`Nearest: ${nearest}`);
    // Some clients show a model nothing but the structured content.
    expect(result.structuredContent).toMatchObject({
      documents: [],
      errors: [{ name: "documents/docs.kestrel.example/sockets", nearest: expect.arrayContaining([nearest]) }],
    });
  });

  test("gives a name that is given twice once", async () => {
    const { structuredContent } = await call("get_documents", { names: [FILES, FILES] });
    expect(structuredContent?.documents).toHaveLength(1);
  });

  test.each([
    [{}, /names is missing; give a list/],
    [{ names: [] }, /give 1 to 20/],
    [{ names: [1] }, /names\[0\] is 1/],
    [{ names: { a: 1 } }, /names is an object/],
    [{ names: Array.from({ length: 21 }, (_, i) => `${FILES}#${i}`) }, /21 names/],
    [{ names: [FILES], start: 1_000_000 }, /behind its end/],
    [{ names: [FILES, VACUUM], start: 3 }, /one at a time/],
    [{ names: [FILES], max_chars: 0 }, /at least 1/],
  ])("answers %j with an error that the model can act on", async (args, message) => {
    const result = await call("get_documents", args);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(message);
  });

  test("takes one name where a list is asked for", async () => {
    const { structuredContent } = await call("get_documents", { names: FILES });
    expect(structuredContent?.documents).toHaveLength(1);
  });

  test("a long document comes in parts, each with a note at both ends that says how to read on", async () => {
    const page = bigPage(1, 100_000);
    const big = await startTestServer({ queries: createQueries(memoryCorpus([page])) });
    const names = [page.uri];
    let read = "";
    for (let start = 0, parts = 0; start < page.content.length; parts++) {
      const result = await call("get_documents", { names, start }, big);
      expect(result.content[0]?.text.length).toBeLessThanOrEqual(DOCUMENTS_REPLY_CHARS);
      const document = result.structuredContent?.documents?.[0];
      const lines = String(document?.["content"]).split("\n\n");
      const [note] = lines;
      expect(lines.at(-1)).toBe(note);
      expect(note).toMatch(
        new RegExp(`^\\[Characters ${start} to \\d+ of the ${page.content.length} of this document`),
      );
      read += `${lines.slice(1, -1).join("\n\n")}\n\n`;
      const next = document?.["nextStart"];
      const onwards = typeof next === "number" ? `start ${next}.` : "This is its end.";
      expect(note).toContain(onwards);
      start = typeof next === "number" ? next : page.content.length;
      expect(parts).toBeLessThan(5);
    }
    await big.close();
    expect(read).toBe(page.content);
  });

  test("keeps within its budget for twenty long documents, and for names that are not kept", async () => {
    const pages = Array.from({ length: 20 }, (_, i) => bigPage(i, 30_000));
    const big = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const known = await call("get_documents", { names: pages.map(({ uri }) => uri) }, big);
    expect(known.structuredContent?.documents).toHaveLength(20);
    expect(known.content[0]?.text.length).toBeLessThanOrEqual(DOCUMENTS_REPLY_CHARS);
    expect(known.content[0]?.text.length).toBeGreaterThan(DOCUMENTS_REPLY_CHARS / 2);
    const unknown = Array.from({ length: 18 }, (_, i) => `documents/x.example/${"w".repeat(450)}${i}`);
    const mixed = await call("get_documents", { names: [...unknown, "x.example/1", "x.example/2"] }, big);
    await big.close();
    expect(mixed.structuredContent?.errors).toHaveLength(18);
    expect(mixed.content[0]?.text.length).toBeLessThanOrEqual(DOCUMENTS_REPLY_CHARS);
  });

  test("max_chars asks for more or less", async () => {
    const page = bigPage(1, 100_000);
    const big = await startTestServer({ queries: createQueries(memoryCorpus([page])) });
    const length = async (max_chars: number) => {
      const { structuredContent } = await call("get_documents", { names: [page.uri], max_chars }, big);
      return String(structuredContent?.documents?.[0]?.["content"]).length;
    };
    expect(await length(1_000)).toBeLessThan(1_500);
    expect(await length(200_000)).toBe(page.content.length);
    await big.close();
  });
});

describe("retired tools", () => {
  test("search_document_chunks answers as search_documents", async () => {
    const args = { query: "read file lines" };
    expect(await call("search_document_chunks", args)).toEqual(await call("search_documents", args));
  });

  test("batch_get_documents answers as get_documents", async () => {
    const args = { names: [FILES, "documents/nowhere"] };
    expect(await call("batch_get_documents", args)).toEqual(await call("get_documents", args));
  });

  test("get_document answers with one document", async () => {
    const result = await call("get_document", { name: FILES });
    expect(result.structuredContent).toMatchObject({ name: FILES, title: "files — reading and writing" });
    expect((await call("get_document", { name: "documents/nowhere" })).isError).toBe(true);
  });
});

describe("failures", () => {
  test("an unknown tool is an error of the protocol that names the tools", async () => {
    for (const name of ["nope", "__proto__", "constructor"]) {
      const reply: { readonly error: object } = await (await post(server, toolCall(name, {}))).json();
      expect(reply.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining("search_documents, answer_query, get_documents"),
      });
    }
  });

  const ADVICE = new Map<ErrorCode, RegExp>([
    ["invalid", /^Because\.$/],
    ["config", /operator has to mend its settings/],
    ["not-found", /^Because\.$/],
    ["busy", /Try again in a moment/],
    ["store", /carrel doctor/],
    ["unavailable", /Try again in a moment/],
    ["stopped", /is stopping/],
    ["internal", /^Something went wrong\. It is a fault of the server/],
  ]);

  test.each([...ADVICE])("%s is told with what to do", async (code, advice) => {
    const broken = await startTestServer({
      queries: {
        ...smallQueries(),
        searchDocuments: () => Promise.reject(new CarrelError(code, "Because.")),
      },
    });
    const result = await call("search_documents", { query: "a" }, broken);
    await broken.close();
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(advice);
  });

  test("details of a fault go to the log, and not to the caller", async () => {
    const broken = await startTestServer({
      queries: {
        ...smallQueries(),
        searchDocuments: () => Promise.reject(new Error("SQLITE_CORRUPT /srv/data/corpus.db")),
        describeCorpus() {
          throw new Error("SQLITE_CORRUPT too");
        },
      },
    });
    const result = await call("search_documents", { query: "a" }, broken);
    await broken.close();
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain("SQLITE");
    expect(broken.warnings.join("\n")).toMatch(/corpus\.db/);
  });

  test("a call that takes too long is given up with a text that says so", async () => {
    const slow = await startTestServer({
      queries: { ...smallQueries(), searchDocuments: () => new Promise(() => {}) },
      toolDeadlineMs: 20,
    });
    const result = await call("search_documents", { query: "a" }, slow);
    await slow.close();
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("given up") }] });
  });
});

/** Paragraphs of a page, each with quotes and line ends, which take more room as JSON. */
function bigPage(number: number, chars: number): MemoryPage {
  const paragraph = `The word "${number}" is said\nagain and again.\n\n`;
  return { uri: `https://x.example/${number}`, content: paragraph.repeat(Math.ceil(chars / paragraph.length)) };
}
