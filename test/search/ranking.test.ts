import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SearchIndex } from "../../src/domain/ports.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import type { WrittenDocument } from "../contract/search-index.ts";
import { documentsOf, TestCorpus } from "../contract/search-index.ts";

let folder: string;
let file: string;
let corpus: TestCorpus;
let index: SearchIndex;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "carrel-ranking-"));
  file = join(folder, "index.db");
  corpus = new TestCorpus();
  index = openSearchIndex({ file, texts: corpus.texts });
});

afterEach(() => {
  index.close();
  rmSync(folder, { recursive: true });
});

async function add(...documents: WrittenDocument[]): Promise<void> {
  await index.apply(documents.map((document, i) => corpus.write(i + 1, document)));
}

async function find(query: string): Promise<number[]> {
  return documentsOf(await index.search(query, 20));
}

describe("ranking", () => {
  it("puts the entry that defines a name before those that use it", async () => {
    const use = "Raise `nest_size` when there are many eggs; `nest_size` costs room, and nest_size is kept.";
    await add(
      { title: "Eggs", passages: [`Eggs > Care: ${use}`, `Eggs > More: ${use}`] },
      { title: "Colonies", passages: [use] },
      {
        title: "Settings",
        passages: [
          "- `egg_colour` (`enum`): Sets the colour.\n- `nest_size` (`integer`): Sets how many fit. " +
            "Other birds have other needs, and much is to be said of each. ".repeat(8),
        ],
      },
    );
    expect((await find("nest_size"))[0]).toBe(3);
    expect((await find("what does nest_size do"))[0]).toBe(3);
  });

  it("finds the flag of the program that was named", async () => {
    const options = (other: string) =>
      `- \`-a\` \`--all\`: Takes all ${other}.\n- \`-s\` \`--size-only\`: Takes the sizes of ${other}.`;
    await add(
      {
        title: "nest_count",
        passages: ["Counts nests. With `--size-only` it calls nest_dump --size-only.", options("nests")],
      },
      { title: "nest_dump", passages: ["Writes nests to a file.", options("eggs")] },
      {
        title: "nest_dumpall",
        passages: ["Calls nest_dump for each, with nest_dump --size-only where asked.", options("colonies")],
      },
    );
    const [best] = await index.search("nest_dump --size-only", 5);
    expect(best?.documentId).toBe(2);
    expect(corpus.texts([best?.chunkRowId ?? 0])[0]?.content).toContain("`--size-only`: Takes");
  });

  it("prefers words that stand together", async () => {
    await add(
      { title: "A", passages: ["The pool is closed. Each thread of the carpet was counted by hand at night."] },
      { title: "B", passages: ["The carpet was counted at night. Each thread pool is closed by hand."] },
    );
    expect((await find("thread pool"))[0]).toBe(2);
  });

  it("prefers the page that has more of what is asked", async () => {
    const one = "Locks are taken in order, and a lock is freed at the end.";
    await add(
      { title: "A", passages: [one, "Nothing of the kind.", "Nor here.", "Nor here either."] },
      {
        title: "B",
        passages: [one, "More on locks and what a lock costs.", "A lock may be taken twice.", "Locks again."],
      },
    );
    expect((await find("locks"))[0]).toBe(2);
  });

  it("prefers the page to which others link, when they are alike", async () => {
    const about = "Queues hold what waits to be done.";
    const link = "See [the queues](https://docs.example.org/page-2.html#top).";
    await add(
      { title: "Queues", passages: [about] },
      { title: "Queues", passages: [about] },
      ...Array.from({ length: 12 }, (_, i) => ({ title: `Other ${i}`, passages: [link] })),
    );
    expect((await find("hold what waits"))[0]).toBe(2);
    await index.apply(
      Array.from({ length: 12 }, (_, i) => corpus.write(i + 3, { title: "Other", passages: ["None."] })),
    );
    expect((await find("hold what waits"))[0]).toBe(1);
  });

  it("prefers the page that others call what is asked for", async () => {
    const about = "It runs what it is given in a process of its own, and says what came of it.";
    const link = (text: string) => `See [${text}](https://docs.example.org/page-2.html).`;
    await add(
      { title: "Runner", passages: [`${about} A child process.`] },
      { title: "Runner", passages: [`${about} A child process.`] },
      ...Array.from({ length: 4 }, (_, i) => ({ title: `Other ${i}`, passages: [link("a page")] })),
    );
    const [, before] = await index.search("child process", 2);
    await index.apply(
      Array.from({ length: 4 }, (_, i) =>
        corpus.write(i + 3, { title: `Other ${i}`, passages: [link("Child `process`")] }),
      ),
    );
    const [after] = await index.search("child process", 2);
    expect(after?.documentId).toBe(2);
    expect(after?.score).toBeGreaterThan((before?.score ?? 1) + 0.01);
    await index.apply(Array.from({ length: 4 }, (_, i) => corpus.remove(i + 3)));
    expect((await find("child process"))[0]).toBe(1);
  });

  it("puts news below the page itself, unless news are asked for", async () => {
    const text = "The pickle protocol was extended, and the pickle module is faster.";
    await add(
      {
        title: "What's new in release 7",
        pageKind: "release-notes",
        passages: [text, text.replace("extended", "changed")],
      },
      { title: "Protocols", passages: [text.replace("extended", "described")] },
    );
    expect((await find("pickle protocol"))[0]).toBe(2);
    expect((await find("what's new in pickle protocol"))[0]).toBe(1);
  });

  it("forgives slips of spelling", async () => {
    await add(
      { title: "Connections", passages: ["How a connection is authenticated."] },
      { title: "B", passages: ["Other."] },
    );
    expect(await find("conection")).toEqual([1]);
    expect(await find("authetnicated")).toEqual([1]);
  });

  it("knows other words for the same thing", async () => {
    await add(
      { title: "A", passages: ["Removes an empty directory."] },
      { title: "B", passages: ["Paints it green."] },
    );
    expect((await find("delete folder"))[0]).toBe(1);
  });

  it("finds Chinese words that are cut otherwise in the text", async () => {
    await add({ title: "", passages: ["数据库管理系统的安装"] }, { title: "", passages: ["今天天气很好"] });
    expect((await find("管理系"))[0]).toBe(1);
  });
});

describe("what a query can ask for", () => {
  beforeEach(() =>
    add(
      {
        title: "A",
        uri: "https://docs.example.org/a/one.html",
        source: "first",
        passages: ["The connection was refused by the host."],
      },
      {
        title: "B",
        uri: "https://docs.example.org/b/two.html",
        source: "second",
        passages: ["It refused the connection; angular routes."],
      },
      {
        title: "C",
        uri: "https://example.com/a/three.html",
        source: "second",
        passages: ["Connection (refused) again, with `-exec`."],
      },
    ),
  );

  it.each([
    ["connection refused", [1, 2, 3]],
    ['"connection refused"', [3]],
    ['"connection was refused"', [1]],
    ['"Refused  the, connection"', [2]],
    ["“refused again”", [3]],
    ['"no such phrase" refused', [1, 2, 3]],
    ["refused -angular", [1, 3]],
    ["refused -hosts", [2, 3]],
    ["refused -exec", [1, 2, 3]],
    ["refused source:second", [2, 3]],
    ["refused source:first source:second", [1, 2, 3]],
    ["refused source:third", []],
    ["refused site:docs.example.org", [1, 2]],
    ["refused site:example.org", [1, 2]],
    ["refused site:https://docs.example.org/b/", [2]],
    ["refused site:example.com source:first", []],
    ["refused site:%", []],
    ["source:second", []],
  ])("%s", async (query, documents) => {
    expect((await find(query)).sort((a, b) => a - b)).toEqual(documents);
  });

  it("looks further down for passages that meet a condition", async () => {
    const common = Array.from({ length: 300 }, (_, i) =>
      corpus.write(10 + i, { title: "Refused", passages: [`Refused, refused: connection ${i}.`] }),
    );
    await index.apply(common);
    expect(await find('"connection was refused"')).toEqual([1]);
  });
});

describe("a reader", () => {
  it("goes over to an index that was deleted and made again", async () => {
    await add({ title: "A", passages: ["Pelicans."] });
    index.close();
    const reader = openSearchIndex({ file, texts: corpus.texts, readonly: true });
    expect(await reader.search("pelicans", 5)).toHaveLength(1);
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
    expect(existsSync(file)).toBe(false);
    expect(await reader.search("pelicans", 5)).toHaveLength(1);
    index = openSearchIndex({ file, texts: corpus.texts });
    await index.apply([corpus.write(2, { title: "B", passages: ["Herons."] })]);
    expect(await reader.search("pelicans", 5)).toEqual([]);
    expect(await reader.search("herons", 5)).toHaveLength(1);
    reader.close();
  });
});
