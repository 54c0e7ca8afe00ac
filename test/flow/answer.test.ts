import { describe, expect, test } from "vitest";
import { CarrelError } from "../../src/domain/errors.ts";
import type { AnswerPassage, AnswerWriter } from "../../src/domain/ports.ts";
import { citedAnswer } from "../../src/flow/cited-answer.ts";
import { jsonLength } from "../../src/flow/excerpt.ts";
import type { Answer, QueryPorts } from "../../src/flow/queries.ts";
import { createQueries } from "../../src/flow/query.ts";
import { memoryCorpus } from "../server/support/memory-corpus.ts";
import type { MemoryPage } from "../server/support/memory-corpus.ts";

const PAGES: readonly MemoryPage[] = [
  { uri: "https://x.example/lock", title: "Locking", content: "A lock is held until the transaction ends — always." },
  { uri: "https://x.example/free", title: "Freeing", content: "Freeing a lock early is not possible.\n" },
  { uri: "https://x.example/moon", title: "Moon", content: "The moon is made of rock." },
];

function ask(query: string, pages = PAGES, writer?: AnswerWriter): Promise<Answer> & { readonly warnings: string[] } {
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (message: string) => void warnings.push(message) };
  const queries = createQueries({ ...memoryCorpus(pages), logger, ...(writer !== undefined && { writer }) });
  return Object.assign(queries.answerQuery({ query }), { warnings });
}

function cited({ text, citations }: Answer): readonly string[] {
  const bytes = Buffer.from(text);
  return citations.map(({ startByte, endByte }) => bytes.subarray(startByte, endByte).toString());
}

describe("an answer that quotes", () => {
  test("gives the best passages word for word, each with where it is from", async () => {
    const answer = await ask("lock");
    expect(answer.references.map(({ title }) => title)).toEqual(["Locking", "Freeing"]);
    expect(cited(answer)).toEqual([PAGES[0]?.content, PAGES[1]?.content.trim()]);
    expect(answer.citations.map(({ references }) => references)).toEqual([[0], [1]]);
    expect(answer.text).toMatch(/^From \*\*Locking\*\* \(https:\/\/x\.example\/lock\):\n\nA lock/);
  });

  test("leaves out what says the same, and what is much further from the question", async () => {
    const line = "The lock is held until the end of the transaction.";
    const twins = [
      { uri: "https://x.example/1", content: `${line}\n\nFirst.` },
      { uri: "https://x.example/2", content: `${line}\n\nSecond.` },
      { uri: "https://x.example/3", content: "A held lock of another kind, for whole tables and more." },
      { uri: "https://x.example/4", content: "The end." },
    ];
    const answer = await ask("lock held until end transaction", twins);
    expect(answer.references.map(({ uri }) => uri.at(-1))).toEqual(["1"]);
  });

  test("keeps within its room and says where a passage goes on", async () => {
    const long = Array.from({ length: 5 }, (_, i) => ({
      uri: `https://x.example/${i}`,
      content: `Word number ${i} of many.\n\n`.repeat(400),
    }));
    const queries = createQueries(memoryCorpus(long));
    for (const maxChars of [1_000, 4_000, 8_000]) {
      const answer = await queries.answerQuery({ query: "word", maxChars });
      expect(jsonLength(answer.text)).toBeLessThanOrEqual(maxChars);
      expect(answer.references).toHaveLength(4);
      for (const quotation of cited(answer)) expect(quotation).toMatch(/^Word[^]*\n\n\[…\]$/);
    }
  });

  test.each([
    [
      "How do I bake bread with sourdough in Moonscript?",
      /does not answer this\. Nothing .* speaks of "bake", "bread"/,
    ],
    ["How is the Lock of a Zebra freed?", /speaks of "Zebra"\. Nearest to it: documents\/x\.example\/lock, doc/],
    ["What does the lock of a Trans free?", /speaks of "Trans"/],
  ])(
    "%s is refused with what is missing and what is nearest, for its passages are about something else",
    async (query, said) => {
      const answer = await ask(query, [
        ...PAGES,
        { uri: "https://x.example/moon/2", content: "With the moon: do, how, a." },
      ]);
      expect(answer).toMatchObject({ text: expect.stringMatching(said), citations: [], references: [] });
    },
  );

  test.each(["When does the lock of a transaction end?", "lock", "Wann endet die lock?", "锁 lock 何时"])(
    "%s is answered, or cannot be judged",
    async (query) => expect((await ask(query)).references.length).toBeGreaterThan(0),
  );

  test("completes the best passage to its section", async () => {
    const chunks = ["It begins so.", "The needle is here.", "It ends so."];
    const answer = await createQueries(chunked(chunks)).answerQuery({ query: "needle" });
    expect(answer.text).toContain(chunks.join("\n\n"));
  });

  test("says that there is nothing, and refuses what no search takes", async () => {
    expect(await ask("zyzzyva")).toMatchObject({ citations: [], references: [] });
    await expect(ask(" ")).rejects.toThrow(/query is empty/);
    const queries = createQueries(memoryCorpus(PAGES));
    await expect(queries.answerQuery({ query: "a", filter: "b" })).rejects.toThrow(/At character 1/);
    const filtered = await queries.answerQuery({ query: "lock", filter: 'uri = "https://x.example/free"' });
    expect(filtered.references.map(({ title }) => title)).toEqual(["Freeing"]);
  });
});

/** A page whose one section is several chunks. */
function chunked(contents: readonly string[]): QueryPorts {
  const ports = memoryCorpus([{ uri: "https://x.example/1", content: contents.join("\n\n") }]);
  const chunks = contents.map((content, i) => ({ id: `c${i + 1}`, content, headings: [], anchor: "", anchors: [] }));
  const parent = "documents/x.example/1";
  const at = chunks.findIndex(({ content }) => content.includes("needle"));
  return {
    corpus: {
      ...ports.corpus,
      chunks: () => chunks,
      passages: (hits) =>
        hits.map(({ score }) => {
          const { id, content, headings } = chunks[at] ?? { id: "", content: "", headings: [] };
          return { parent, id, content, headings, title: "One", uri: "https://x.example/1", ordinal: at, score };
        }),
    },
    index: { ...ports.index, search: () => Promise.resolve([{ chunkRowId: 1, documentId: 1, score: 0.5 }]) },
  };
}

describe("an answer that is written", () => {
  const writing = (text: string | undefined): AnswerWriter => ({ write: () => Promise.resolve(text) });

  test("is told the passages with their place, and cites them", async () => {
    let given: readonly AnswerPassage[] = [];
    const answer = await ask("lock", PAGES, {
      write(question, passages) {
        expect(question).toBe("lock");
        given = passages;
        return Promise.resolve("It is not freed early [2]. It ends with the transaction [1].");
      },
    });
    expect(given.map(({ path }) => path)).toEqual([["Locking"], ["Freeing"]]);
    expect(answer.text).toBe("It is not freed early [1]. It ends with the transaction [2].");
    expect(answer.references.map(({ title }) => title)).toEqual(["Freeing", "Locking"]);
    expect(cited(answer)).toEqual(["It is not freed early", "It ends with the transaction"]);
  });

  test("refuses when the passages do not answer, and names the nearest documents", async () => {
    const answer = await ask("lock", PAGES, writing(undefined));
    expect(answer.text).toMatch(/does not answer this\. Nearest to it: documents\/x\.example\/lock, documents\/x/);
    expect(answer).toMatchObject({ citations: [], references: [] });
  });

  test.each([
    ["it fails", { write: () => Promise.reject(new CarrelError("unavailable", "Gone.")) }, /Gone/],
    ["it cites nothing", writing("Surely so."), /cites no passage/],
    ["it cites what is not there", writing("Surely so [9]."), /cites no passage/],
    ["it is far too long", writing(`${"So it is. ".repeat(2_000)}[1]`), /too long/],
  ])("falls back to quoting when %s, and the log says why", async (_, writer, warning) => {
    const asked = ask("lock", PAGES, writer);
    const answer = await asked;
    expect(answer.text).toMatch(/^The language model .* gave none .*\n\nFrom \*\*Locking/);
    expect(cited(answer)[0]).toBe(PAGES[0]?.content);
    expect(asked.warnings.join()).toMatch(warning);
  });

  test("is not asked for when nothing is found", async () => {
    const writer = { write: () => Promise.reject(new Error("asked")) };
    expect((await ask("zyzzyva", PAGES, writer)).text).toMatch(/has nothing/);
  });

  test("gives a writer no more than it can read", async () => {
    const long = Array.from({ length: 6 }, (_, i) => ({
      uri: `https://x.example/${i}`,
      content: `Word number ${i} of many.\n\n`.repeat(400),
    }));
    let size = 0;
    await ask("word", long, {
      write(_, passages) {
        size = passages.reduce((sum, { content }) => sum + content.length, 0);
        return Promise.resolve("x [1]");
      },
    });
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThanOrEqual(14_000);
  });
});

describe("the citations of a written answer", () => {
  const evidence = [1, 2, 3].map((number) => ({
    parent: `documents/x.example/${number}`,
    id: `c${number}`,
    content: "",
    title: "",
    uri: "",
    headings: [],
    ordinal: 0,
    score: 1,
  }));

  test.each([
    ["Größe 🙂 [3].", "Größe 🙂 [1].", ["Größe 🙂"], [[0]]],
    [
      "One [1][2]. Two [2, 3].",
      "One [1] [2]. Two [2, 3].",
      ["One", "Two"],
      [
        [0, 1],
        [1, 2],
      ],
    ],
    ["Uncited.\n\nCited [1].", "Uncited.\n\nCited [1].", ["Cited"], [[0]]],
    ["`a[1]` is read [2].", "`a[1]` is read [1].", ["`a[1]` is read"], [[0]]],
    ["```c\nx = a[1];\n```\n\nSo [1].", "```c\nx = a[1];\n```\n\nSo [1].", ["So"], [[0]]],
    ["See [1](https://x.example/) [2].", "See [1](https://x.example/) [1].", ["See [1](https://x.example/)"], [[0]]],
    ["One [1] two [7] three [1, 9].", "One [1] two three [1].", ["One", "two three"], [[0], [0]]],
    ["Open `code and [1]", "Open `code and [1]", ["Open `code and"], [[0]]],
  ])("%j", (written, text, words, references) => {
    const answer = citedAnswer(written, evidence);
    expect(answer.text).toBe(text);
    expect(cited(answer)).toEqual(words);
    expect(answer.citations.map((citation) => citation.references)).toEqual(references);
  });
});
