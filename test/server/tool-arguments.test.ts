import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createQueries } from "../../src/flow/query.ts";
import { SEARCH_REPLY_CHARS } from "../../src/flow/queries.ts";
import { memoryCorpus, SMALL_PAGES } from "./support/memory-corpus.ts";
import type { MemoryPage } from "./support/memory-corpus.ts";
import { post, rpc, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const FILES = "documents/docs.kestrel.example/3/library/files.html";
const VACUUM = "documents/www.heron.example/docs/15/sql-vacuum.html";

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: {
    readonly results?: readonly ({ readonly parent: string; readonly content: string } & Record<string, unknown>)[];
    readonly documents?: readonly Record<string, unknown>[];
    readonly nextPageToken?: string;
    readonly answerText?: string;
    readonly references?: readonly string[];
    readonly note?: string;
  };
}

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function call(name: string, args: object, on = server): Promise<ToolResult> {
  const reply: { readonly result: ToolResult } = await (await post(on, toolCall(name, args))).json();
  return reply.result;
}

/** The content of a passage without the link to its place. */
function withoutOrigin(content: string): string {
  return content.slice(content.indexOf("\n\n") + 2);
}

async function withPages<T>(pages: readonly MemoryPage[], use: (on: TestServer) => Promise<T>): Promise<T> {
  const on = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
  try {
    return await use(on);
  } finally {
    await on.close();
  }
}

function numbered(count: number, chars: number): readonly MemoryPage[] {
  return Array.from({ length: count }, (_, i) => ({
    uri: `https://x.example/${i}`,
    content: `The word ${i} is said.\n\n`.repeat(Math.ceil(chars / 20)),
  }));
}

describe("search_documents", () => {
  test("without optional arguments the reply has nothing that the contract has not", async () => {
    const { structuredContent } = await call("search_documents", { query: "timeout" });
    expect(Object.keys(structuredContent ?? {})).toEqual(["results"]);
    for (const result of structuredContent?.results ?? [])
      expect(Object.keys(result)).toEqual(["parent", "id", "content"]);
  });

  test("verbose gives title, URL, headings and score as well", async () => {
    const { structuredContent } = await call("search_documents", { query: "socket timeout", verbose: true });
    expect(structuredContent?.results?.[0]).toMatchObject({
      title: "sockets — networking",
      uri: expect.stringContaining("sockets.html"),
      headings: expect.any(Array),
      score: expect.any(Number),
    });
    expect((await call("search_documents", { query: "a", verbose: "perhaps" })).content[0]?.text).toMatch(
      /true or false/,
    );
  });

  test.each([
    [{ filter: 'data_source = "www.heron.example"' }, [VACUUM]],
    [{ filter: "content_length_bytes > 100000" }, []],
    [{ filter: "" }, undefined],
    [{ source: "heron" }, [VACUUM]],
    [{ source: "Heron 15" }, [VACUUM]],
    [{ source: "WWW.heron.example" }, [VACUUM]],
    [{ source: "heron", filter: 'data_source = "docs.kestrel.example"' }, []],
  ])("%j narrows the search", async (args, expected) => {
    const { structuredContent } = await call("search_documents", { query: "timeout vacuum file", ...args });
    const found = [...new Set(structuredContent?.results?.map(({ parent }) => parent))];
    if (expected === undefined) expect(found.length).toBeGreaterThan(1);
    else expect(found).toEqual(expected);
  });

  test.each([
    [{ filter: "host = 'x'" }, /At character 1, "host": a field is expected: data_source/],
    [{ filter: 5 }, /filter is 5; give a text, such as "data_source/],
    [
      { source: "herons" },
      /no source "herons"\. Did you mean "heron"\? The sources are heron \(Heron 15\), kestrel \(Kestrel 3\); hosts do as well/,
    ],
    [{ page_token: "nonsense" }, /none of this server's/],
  ])("%j is refused with what would do", async (args, message) => {
    const result = await call("search_documents", { query: "timeout", ...args });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(message);
  });

  test("a search is paged to its end, each passage once, those that did not fit too", async () => {
    for (const chars of [100, 3_000, 20_000]) {
      await withPages(numbered(30, chars), async (on) => {
        const seen: string[] = [];
        let page_token: string | undefined;
        for (let page = 0; page < 40; page++) {
          const args = { query: "word", page_size: 12, ...(page_token !== undefined && { page_token }) };
          const { structuredContent, content } = await call("search_documents", args, on);
          expect(content[0]?.text.length).toBeLessThanOrEqual(SEARCH_REPLY_CHARS);
          seen.push(...(structuredContent?.results?.map(({ parent }) => parent) ?? []));
          page_token = structuredContent?.nextPageToken;
          if (page_token === undefined) break;
        }
        expect(seen).toHaveLength(30);
        expect(new Set(seen).size).toBe(30);
      });
    }
  });

  test("passages that follow one another are one, in the place of the better", async () => {
    const pages = [
      { uri: "https://x.example/1", content: "Alpha.\n\n## B\n\nWord beta.\n\n## C\n\nWord gamma word.\n" },
      { uri: "https://x.example/2", content: "Word.\n\n## D\n\nNo.\n\n## E\n\nWord." },
    ];
    await withPages(pages, async (on) => {
      const { structuredContent } = await call("search_documents", { query: "word" }, on);
      const contents = structuredContent?.results?.map(({ content }) => content);
      expect(contents?.[0]).toBe(
        "[Untitled › B](https://x.example/1)\n\n## B\n\nWord beta.\n\n\n\n## C\n\nWord gamma word.\n",
      );
      expect(contents?.slice(1).map(withoutOrigin)).toEqual(["Word.\n\n", "## E\n\nWord."]);
    });
  });

  test("long neighbours stay apart when they do not fit together: the end of two could be the better one", async () => {
    const long = "filler text goes on. ".repeat(400);
    const pages = [{ uri: "https://x.example/1", content: `## B\n\nword ${long}\n\n## C\n\nword needle ${long}` }];
    await withPages(pages, async (on) => {
      const { structuredContent } = await call("search_documents", { query: "word needle" }, on);
      expect(structuredContent?.results?.map(({ content }) => withoutOrigin(content).slice(0, 4))).toEqual([
        "## C",
        "## B",
      ]);
    });
  });

  test("unknown arguments are within the budget, too", async () => {
    await withPages(numbered(30, 3_000), async (on) => {
      const args = { query: "word", page_size: 30, ["x".repeat(150)]: 1 };
      const { content, structuredContent } = await call("search_documents", args, on);
      expect(structuredContent?.note).toMatch(/Not known here/);
      expect(content[0]?.text.length).toBeLessThanOrEqual(SEARCH_REPLY_CHARS);
    });
  });
});

describe("answer_query", () => {
  test("answers in the contract's shape, with the documents that it rests on", async () => {
    const { structuredContent, content } = await call("answer_query", { query: "How do I read a file line by line?" });
    expect(structuredContent).toEqual({
      answerText: expect.stringContaining("for line in open(path)"),
      references: [FILES],
    });
    expect(content[0]?.text).toBe(JSON.stringify(structuredContent));
  });

  test("says that nothing answers, keeps within its budget, and refuses an empty question", async () => {
    expect((await call("answer_query", { query: "zyzzyva" })).structuredContent?.references).toEqual([]);
    await withPages(numbered(5, 30_000), async (on) => {
      const { content } = await call("answer_query", { query: "word" }, on);
      expect(content[0]?.text.length).toBeLessThanOrEqual(SEARCH_REPLY_CHARS);
    });
    expect((await call("answer_query", {})).isError).toBe(true);
  });

  test("its description says who answers", async () => {
    const written = await startTestServer({
      queries: createQueries({
        ...memoryCorpus(SMALL_PAGES),
        writer: { write: () => Promise.resolve("It does [1].") },
      }),
    });
    const listed: { result: { tools: { name: string; description: string }[] } } = await (
      await post(written, rpc("tools/list"))
    ).json();
    expect(listed.result.tools[1]).toMatchObject({
      name: "answer_query",
      description: expect.stringMatching(/language model on the server's own network/),
    });
    const { structuredContent } = await call("answer_query", { query: "vacuum" }, written);
    await written.close();
    expect(structuredContent).toEqual({ answerText: "It does [1].", references: [VACUUM] });
  });
});

describe("get_documents", () => {
  test("a section comes with a note that says which, and how to read on", async () => {
    const { structuredContent } = await call("get_documents", { names: [`${FILES}#reading-lines`] });
    const [document] = structuredContent?.documents ?? [];
    const next = String(document?.["nextStart"]);
    expect(document?.["content"]).toMatch(
      new RegExp(
        `^\\[Section "Reading lines"\\. Characters \\d+ to ${next} of the \\d+ of this document\\. The section ends here; for what follows, call get_documents with this name and start ${next}\\.\\]\n\n## Reading lines`,
      ),
    );
    const last = await call("get_documents", { names: [FILES], section: "Writing" });
    expect(last.structuredContent?.documents?.[0]?.["content"]).toMatch(/"Writing"\. [^]* This is its end\.\]$/);
    expect(last.structuredContent?.documents?.[0]).not.toHaveProperty("nextStart");
  });

  test("a fragment that leads nowhere gives the whole page, and says so", async () => {
    const { structuredContent } = await call("get_documents", { names: [`${FILES}#nowhere`] });
    expect(structuredContent?.documents?.[0]?.["content"]).toMatch(
      /^\[There is no section "nowhere" here; `sections` names [^.]*\. Characters 0 to \d+ of the \d+ of this document\. This is its end\.\]\n\nFiles are/,
    );
    expect(structuredContent?.documents?.[0]).toMatchObject({
      unknownFragment: "nowhere",
      sections: ["Reading lines", "Writing"],
    });
  });

  test("of a long page it gives the beginning, and the sections that are nearest first", async () => {
    const content = Array.from({ length: 60 }, (_, i) => `## Chapter ${i}\n\n${"words of it ".repeat(50)}\n`).join(
      "\n",
    );
    await withPages([{ uri: "https://x.example/long", content }], async (on) => {
      const result = await call("get_documents", { names: ["https://x.example/long#chaper-17"] }, on);
      expect(result.content[0]?.text.length).toBeLessThan(8_000);
      const [document] = result.structuredContent?.documents ?? [];
      expect(document).toMatchObject({ sections: expect.arrayContaining(["Chapter 17"]) });
      expect(JSON.stringify(document?.["sections"])).toMatch(/^\["Chapter 17",/);
      expect(document?.["nextStart"]).toBeGreaterThan(3_000);
      const all = await call("get_documents", { names: ["https://x.example/long#x"], max_chars: 100_000 }, on);
      expect(all.structuredContent?.documents?.[0]?.["nextStart"]).toBeUndefined();
    });
  });

  test("a section that is not there is an error that names those that are", async () => {
    const result = await call("get_documents", { names: [FILES], section: "Closing" });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(/its sections, nearest first, are "[RW][^"]*", "[RW][^"]*"\./);
  });
});

describe("resources", () => {
  const read = async (uri: string): Promise<{ result?: { contents: { text: string }[] }; error?: { code: number } }> =>
    (await post(server, rpc("resources/read", { uri }))).json();

  test("a document is read by its name, whole or a section of it", async () => {
    expect((await read(`carrel://${FILES}`)).result?.contents).toEqual([
      { uri: `carrel://${FILES}`, mimeType: "text/markdown", text: expect.stringMatching(/^# files — [^]*## Writing/) },
    ]);
    expect((await read(`carrel://${FILES}#writing`)).result?.contents[0]?.text).toMatch(/^## Writing\n\nWrite with/);
  });

  test.each(["carrel://documents/x.example/no", "carrel://", "carrel://../etc/passwd", "file:///etc/passwd", "x"])(
    "%s is an error of the protocol",
    async (uri) => {
      expect((await read(uri)).error?.code).toBeLessThan(0);
    },
  );
});
