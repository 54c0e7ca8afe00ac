import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChunkText, DocumentChange, Hit } from "../../src/domain/chunk.ts";
import type { PageKind } from "../../src/domain/document.ts";
import type { SearchIndex } from "../../src/domain/ports.ts";

/** Opens the index that a test writes to, or another connection to it that reads. The suite closes what it opened. */
export interface SearchIndexStore {
  open(texts: TextReader): SearchIndex;
  openReader(texts: TextReader): SearchIndex;
  dispose(): void;
}

type TextReader = (chunkRowIds: readonly number[]) => readonly ChunkText[];

/** A document as a test writes it: each passage is `Heading > Heading: text`, or text alone. */
export interface WrittenDocument {
  readonly title: string;
  readonly uri?: string;
  readonly source?: string;
  readonly language?: string;
  readonly pageKind?: PageKind;
  readonly passages: readonly string[];
}

/** A small corpus that hands out row ids as the real one does: never one twice. */
export class TestCorpus {
  readonly #texts = new Map<number, ChunkText>();
  #rows = 0;
  #revision = 0;

  readonly texts: TextReader = (rows) =>
    rows.flatMap((row) => {
      const text = this.#texts.get(row);
      return text === undefined ? [] : [text];
    });

  write(documentId: number, written: WrittenDocument): DocumentChange {
    this.#forget(documentId);
    const rows: number[] = [];
    const chunks = written.passages.map((passage, i) => {
      const at = passage.indexOf(": ");
      const headings = at > 0 && passage.slice(0, at).includes(" > ") ? passage.slice(0, at).split(" > ") : [];
      const content = headings.length > 0 ? passage.slice(at + 2) : passage;
      const rowId = ++this.#rows;
      this.#texts.set(rowId, { rowId, title: written.title, headings, content });
      rows.push(rowId);
      return { rowId, id: `c${i + 1}`, anchor: "", anchors: [], headings, content };
    });
    this.#rowsOf.set(documentId, rows);
    const uri = written.uri ?? `https://docs.example.org/page-${documentId}.html`;
    return {
      kind: "document",
      revision: ++this.#revision,
      documentId,
      name: uri.replace("https://", "documents/"),
      uri,
      source: written.source ?? "example",
      title: written.title,
      language: written.language ?? "en",
      pageKind: written.pageKind ?? "guide",
      chunks,
    };
  }

  remove(documentId: number): DocumentChange {
    this.#forget(documentId);
    return { kind: "removed", revision: ++this.#revision, documentId };
  }

  /** The least row id of a document's passages. */
  firstRow(documentId: number): number {
    return this.#rowsOf.get(documentId)?.[0] ?? 0;
  }

  readonly #rowsOf = new Map<number, readonly number[]>();

  #forget(documentId: number): void {
    for (const row of this.#rowsOf.get(documentId) ?? []) this.#texts.delete(row);
    this.#rowsOf.delete(documentId);
  }
}

/** Documents of hits, each once, best first. */
export function documentsOf(hits: readonly Hit[]): number[] {
  return [...new Set(hits.map((hit) => hit.documentId))];
}

/**
 * What every index behind the port does.
 * @param cannot tests by name that an implementation cannot pass, each with the reason.
 */
export function describeSearchIndex(
  name: string,
  makeStore: () => SearchIndexStore,
  cannot: Readonly<Record<string, string>> = {},
): void {
  describe(`${name} keeps the contract of SearchIndex`, () => {
    let store: SearchIndexStore;
    let corpus: TestCorpus;
    let index: SearchIndex;
    const opened: SearchIndex[] = [];

    function open(how: "open" | "openReader" = "open"): SearchIndex {
      const made = store[how](corpus.texts);
      opened.push(made);
      return made;
    }

    async function add(...documents: WrittenDocument[]): Promise<void> {
      await index.apply(documents.map((document, i) => corpus.write(i + 1, document)));
    }

    async function find(query: string, limit = 10): Promise<number[]> {
      return documentsOf(await index.search(query, limit));
    }

    beforeEach(({ skip, task }) => {
      skip(Object.hasOwn(cannot, task.name), cannot[task.name]);
      store = makeStore();
      corpus = new TestCorpus();
      index = open();
    });

    afterEach(() => {
      for (const one of opened.splice(0)) one.close();
      store?.dispose();
    });

    it("is empty at first", async () => {
      expect(index.revision()).toBe(0);
      expect(index.stats()).toEqual({ chunks: 0, revision: 0 });
      expect(await index.search("anything at all", 10)).toEqual([]);
    });

    it("finds a passage, and says which", async () => {
      await index.apply([
        corpus.write(7, { title: "Sockets", passages: ["Opening one.", "Closing a socket frees it."] }),
      ]);
      const [hit] = await index.search("closing", 10);
      expect(hit).toMatchObject({ chunkRowId: 2, documentId: 7 });
      expect(index.stats()).toEqual({ chunks: 2, revision: 1 });
    });

    it("ranks a match in the title first", async () => {
      await add(
        { title: "Reading files", passages: ["Compression is not done here; see compression elsewhere."] },
        { title: "Compression", passages: ["How data is made smaller, and how it is made whole again."] },
        { title: "Writing files", passages: ["There is compression for this as well."] },
      );
      expect((await find("compression"))[0]).toBe(2);
    });

    it("ranks a match in a heading over one in the text", async () => {
      await add(
        { title: "One", passages: ["Guide > Locks: Of their own accord they are freed when the holder ends."] },
        { title: "Two", passages: ["Guide > Threads: They take locks, which are freed when the holder ends."] },
      );
      expect(await find("locks")).toEqual([1, 2]);
    });

    it("prefers passages with all words, and needs none of them", async () => {
      await add(
        { title: "One", passages: ["A timeout is set for the whole request."] },
        { title: "Two", passages: ["A request has a body, and each request has headers."] },
        { title: "Three", passages: ["The moon is made of rock."] },
      );
      expect(await find("timeout for requests, somehow")).toEqual([1, 2]);
    });

    it("gives scores from 0 to 1, best first, and no more than asked for", async () => {
      await add(
        ...Array.from({ length: 30 }, (_, i) => ({
          title: `Page ${i}`,
          passages: [`Words about queues, ${"queues ".repeat(i % 5)}`],
        })),
      );
      const hits = await index.search("queues", 12);
      expect(hits).toHaveLength(12);
      for (const [i, { score }] of hits.entries()) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(i === 0 ? 1 : (hits[i - 1]?.score ?? 0));
      }
    });

    it("finds only in the documents that are given, however many better ones there are", async () => {
      await index.apply(
        Array.from({ length: 300 }, (_, i) => corpus.write(i + 1, { title: "Queues", passages: ["Queues, queues."] })),
      );
      await index.apply([
        corpus.write(400, { title: "Other", passages: ["It has long been said of them that a queue is meant."] }),
        corpus.write(401, { title: "Other", passages: ["Nothing of the kind."] }),
      ]);
      const found = async (...ids: number[]) => documentsOf(await index.search("queues", 10, new Set(ids)));
      expect(await found(400, 401)).toEqual([400]);
      expect(await found(7, 400)).toEqual([7, 400]);
      expect(await found()).toEqual([]);
      expect(await found(999)).toEqual([]);
      expect(await find("queues")).toHaveLength(10);
    });

    it("gives two passages of a document before others, and then the rest", async () => {
      await add(
        { title: "Queues", passages: ["A queue.", "Two queues.", "More of queues.", "Queues again."] },
        { title: "Lists", passages: ["A list is no queue."] },
      );
      const hits = await index.search("queues", 10);
      expect(
        hits
          .map(({ documentId }) => documentId)
          .slice(0, 3)
          .sort((a, b) => a - b),
      ).toEqual([1, 1, 2]);
      expect(hits.map(({ documentId }) => documentId).slice(3)).toEqual([1, 1]);
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });

    it("answers the same question in the same way", async () => {
      await add(
        ...Array.from({ length: 20 }, (_, i) => ({ title: `Page ${i}`, passages: ["The same words everywhere."] })),
      );
      const first = await index.search("same words", 10);
      expect(await index.search("same words", 10)).toEqual(first);
      expect(await open("openReader").search("same words", 10)).toEqual(first);
    });

    it("replaces a document", async () => {
      await index.apply([corpus.write(1, { title: "Old", passages: ["Pelicans live here.", "And herons."] })]);
      await index.apply([corpus.write(1, { title: "New", passages: ["Ostriches live here."] })]);
      expect(await find("pelicans herons")).toEqual([]);
      expect(await find("ostriches")).toEqual([1]);
      expect(index.stats()).toEqual({ chunks: 1, revision: 2 });
    });

    it("keeps the row ids of passages that stay as they were", async () => {
      const change = corpus.write(1, { title: "Birds", passages: ["Pelicans live here.", "And herons."] });
      await index.apply([change]);
      await index.apply([{ ...change, revision: 9, title: "Waterfowl" } as DocumentChange]);
      expect(await find("waterfowl")).toEqual([1]);
      expect(await find("birds")).toEqual([]);
      expect((await index.search("herons", 10))[0]?.chunkRowId).toBe(2);
      expect(index.stats()).toEqual({ chunks: 2, revision: 9 });
    });

    it("removes a document, also one that it never had", async () => {
      await add({ title: "One", passages: ["Pelicans."] }, { title: "Two", passages: ["Pelicans too."] });
      await index.apply([corpus.remove(1), corpus.remove(99)]);
      expect(await find("pelicans")).toEqual([2]);
      expect(index.stats().chunks).toBe(1);
    });

    it("takes the last of several changes to one document in a batch", async () => {
      await index.apply([
        corpus.write(1, { title: "One", passages: ["Pelicans."] }),
        corpus.write(1, { title: "One", passages: ["Ostriches."] }),
        corpus.write(2, { title: "Two", passages: ["Pelicans."] }),
        corpus.remove(2),
      ]);
      expect(await find("pelicans")).toEqual([]);
      expect(await find("ostriches")).toEqual([1]);
      expect(index.stats()).toEqual({ chunks: 1, revision: 4 });
    });

    it("ranks as if what was removed had never been", async () => {
      const rare = { title: "One", passages: ["A heron and a stork."] };
      const common = { title: "Two", passages: ["A stork and a swan."] };
      const kept = [corpus.write(1, rare), corpus.write(2, common)];
      await index.apply(kept);
      const expected = await index.search("heron stork swan", 10);
      await index.apply(
        Array.from({ length: 30 }, (_, i) => corpus.write(10 + i, { title: "Heron", passages: ["The heron again."] })),
      );
      expect(await index.search("heron stork swan", 10)).not.toEqual(expected);
      await index.apply(Array.from({ length: 30 }, (_, i) => corpus.remove(10 + i)));
      expect(await index.search("heron stork swan", 10)).toEqual(expected);
    });

    it("is there again when it is opened again, with its revision", async () => {
      await add({ title: "One", passages: ["Pelicans."] }, { title: "Two", passages: ["Herons."] });
      opened.splice(0).forEach((one) => one.close());
      index = open();
      expect(index.revision()).toBe(2);
      expect(await find("herons")).toEqual([2]);
    });

    it("shows each commit to readers that are open", async () => {
      await add({ title: "One", passages: ["Pelicans."] });
      const reader = open("openReader");
      expect(documentsOf(await reader.search("pelicans", 10))).toEqual([1]);
      await index.apply([corpus.write(2, { title: "Two", passages: ["Pelicans as well."] })]);
      expect(reader.revision()).toBe(2);
      expect(new Set(documentsOf(await reader.search("pelicans", 10)))).toEqual(new Set([1, 2]));
      await index.apply([corpus.remove(1)]);
      expect(documentsOf(await reader.search("pelicans", 10))).toEqual([2]);
      expect(reader.stats()).toEqual({ chunks: 1, revision: 3 });
    });

    it("changes nothing when a batch fails", async () => {
      await add({ title: "One", passages: ["Pelicans."] });
      const broken = corpus.write(2, { title: "Two", passages: ["Herons."] });
      const chunks = [
        {
          rowId: 50,
          id: "c1",
          anchor: "",
          anchors: [],
          headings: [],
          get content(): string {
            throw new Error("torn");
          },
        },
      ];
      await expect(index.apply([corpus.remove(1), { ...broken, chunks } as DocumentChange])).rejects.toThrow("torn");
      expect(await find("pelicans")).toEqual([1]);
      expect(index.stats()).toEqual({ chunks: 1, revision: 1 });
    });

    describe("finds names as they are written", () => {
      const names: Record<string, string> = {
        max_file_size: "Set `max_file_size` to limit uploads.",
        setOnClickListener: "Call `setOnClickListener(view)` on the button.",
        "--no-address": "With `--no-address` the host is given none.",
        "std::vector": "A `std::vector<int>` grows as needed.",
        "C++": "Parts of it are written in C++.",
        "C#": "There is a binding for C#, too.",
        ".NET": "It runs on .NET and elsewhere.",
        "node:fs/promises": 'Import it from "node:fs/promises".',
        "v1.2.3": "This is since v1.2.3 the default.",
        ERR_CONN_42: "Then ERR_CONN_42 is raised.",
        "@property": "Mark it with @property to compute it.",
        "a->next": "Follow `a->next` to the end.",
        "<=>": "The operator `<=>` compares three ways.",
        constructor: "Its constructor takes no arguments.",
        __proto__: "The key __proto__ is refused.",
        toString: "What toString gives is for people.",
      };
      const queries = Object.keys(names);

      it.each(queries)("%s", async (query) => {
        await add(...queries.map((name) => ({ title: "Notes", passages: [names[name] ?? ""] })));
        expect((await find(query))[0]).toBe(queries.indexOf(query) + 1);
      });

      it.each([
        ["file size", "max_file_size"],
        ["on click listener", "setOnClickListener"],
        ["no-address", "--no-address"],
        ["max\\_file\\_size", "max_file_size"],
        ["SETONCLICKLISTENER", "setOnClickListener"],
        ["fs promises", "node:fs/promises"],
        ["vector", "std::vector"],
      ])("%s, a part or another spelling of one", async (query, name) => {
        await add(...queries.map((each) => ({ title: "Notes", passages: [names[each] ?? ""] })));
        expect((await find(query))[0]).toBe(queries.indexOf(name) + 1);
      });
    });

    it.each([
      ["Chinese", "文件系统", ["本章介绍如何读取文件系统中的文件。", "本章介绍网络连接。"]],
      ["Japanese", "設定ファイル", ["設定ファイルを編集してください。", "ネットワークに接続します。"]],
      ["Korean", "데이터베이스", ["데이터베이스에 연결하는 방법입니다.", "파일을 읽는 방법입니다."]],
      ["Thai", "ฐานข้อมูล", ["วิธีเชื่อมต่อกับฐานข้อมูลของคุณ", "วิธีอ่านไฟล์จากเครื่อง"]],
      ["Arabic", "قاعدة البيانات", ["كيفية الاتصال بقاعدة البيانات", "كيفية قراءة الملفات"]],
      ["Hindi", "डेटाबेस", ["डेटाबेस से कैसे जुड़ें", "फ़ाइल कैसे पढ़ें"]],
      ["Bengali", "তথ্যভাণ্ডার", ["তথ্যভাণ্ডার ব্যবহারের নিয়ম", "ফাইল পড়ার নিয়ম"]],
      ["Russian", "база данных", ["База данных открывается здесь.", "Файлы читаются там."]],
      ["Greek", "ΒΑΣΗ", ["Η βάση ανοίγει εδώ.", "Τα αρχεία είναι εκεί."]],
      ["French", "élève", ["L'élève ouvre le fichier.", "Le maître ferme la porte."]],
      ["French without accents", "eleve", ["L’élève ouvre le fichier.", "Le maître ferme la porte."]],
      ["German", "strasse", ["Die Straße ist gesperrt.", "Das Haus ist offen."]],
      ["full-width Latin", "ＣＯＮＦＩＧ", ["The config is read here.", "Nothing is read there."]],
    ])("finds %s", async (_language, query, passages) => {
      await add(...passages.map((passage) => ({ title: "", passages: [passage] })));
      expect((await find(query))[0]).toBe(1);
    });

    it("answers a question of stop words only", async () => {
      await add(
        { title: "Hamlet", passages: ["To be, or not to be."] },
        { title: "Other", passages: ["Nothing of it."] },
      );
      expect((await find("to be or not to be"))[0]).toBe(1);
    });

    it.each(["", "   ", "?!", "¿…?", "(((", "\u0000", "\ud800"])("finds nothing for %j", async (query) => {
      await add({ title: "One", passages: ["Pelicans (and herons)… are here!"] });
      expect(await index.search(query, 10)).toEqual([]);
    });

    it.each([
      ["文件系统 mount options", 1],
      ["mount 选项", 1],
      ["настройка timeout для сокета", 2],
      ["C++ базы данных", 3],
    ])("finds words of several scripts together: %s", async (query, expected) => {
      await add(
        { title: "", passages: ["文件系统的 mount 命令有很多选项 (options)。"] },
        { title: "", passages: ["Настройка `timeout` для сокета описана здесь."] },
        { title: "", passages: ["Привязка C++ для базы данных."] },
        { title: "", passages: ["Nothing of the kind stands here."] },
      );
      expect((await find(query))[0]).toBe(expected);
    });

    it.each(["!!! ??? ...", "… — «»", "😀", "- - -", '""', '"?!"'])(
      "finds nothing for punctuation alone: %j",
      async (query) => {
        await add({ title: "One", passages: ["Pelicans (and herons)… are here!"] });
        expect(await index.search(query, 10)).toEqual([]);
        expect(await index.reading(query, [])).toEqual({ corrected: [], relaxed: [], nearest: [] });
      },
    );

    it("answers 500 characters and many more", async () => {
      await add(
        { title: "One", passages: ["Pelicans live here."] },
        { title: "Two", passages: ["Herons live there."] },
      );
      const words = "where do the pelicans live and why ".repeat(15).slice(0, 500);
      expect((await find(words))[0]).toBe(1);
      expect((await find(words.repeat(40)))[0]).toBe(1);
    });

    it.each([
      ["ModuleNotFoundError: No module named 'frobnicate'", 1],
      ["fatal: unable to access 'https://example.com/x.git/': error 403", 2],
      ['ERROR:  relation "users" does not exist', 3],
    ])("finds the page about an error by its whole text: %s", async (query, expected) => {
      await add(
        { title: "Imports", passages: ["`ModuleNotFoundError` is raised when no module of that name is found."] },
        { title: "Remotes", passages: ["When the remote says 403: `fatal: unable to access` it, with an error."] },
        { title: "Tables", passages: ['`relation "x" does not exist` is an error about tables that are nowhere.'] },
        { title: "Users", passages: ["Users have names, and access to modules."] },
      );
      expect((await find(query))[0]).toBe(expected);
    });

    describe("tells what was made of a query", () => {
      const nothing = { corrected: [], relaxed: [], nearest: [] };
      async function reading(query: string, within?: ReadonlySet<number>) {
        return index.reading(query, await index.search(query, 10, within), within);
      }

      beforeEach(() =>
        add(
          { title: "Nesting", passages: ["Pelicans nest on islands. Pelicans fish.", "Each pelican has a beak."] },
          { title: "Herons", passages: ["Herons stand in water and wait."] },
        ),
      );

      it("a word that was taken for another, both as they are written", async () => {
        expect(await reading("where do Pelicnas nest")).toEqual({
          ...nothing,
          corrected: [{ written: "Pelicnas", taken: "pelicans" }],
        });
      });

      it("a phrase that no passage has", async () => {
        expect(await reading('"fish islands"')).toEqual({ ...nothing, relaxed: ["fish islands"] });
        expect(await reading('"pelican herons"')).toEqual({ ...nothing, relaxed: ["pelican herons"] });
      });

      it("words that are nearest when nothing is found", async () => {
        expect(await reading("hrenos")).toEqual({ ...nothing, nearest: ["herons"] });
        expect(await reading("quartz")).toEqual(nothing);
      });

      it("nothing when it was taken as it is written", async () => {
        for (const query of ["pelicans nest", '"nest on islands"', "pelican -water", "?!"])
          expect(await reading(query)).toEqual(nothing);
      });

      it("nothing of documents that may not be found", async () => {
        expect(await reading("pelicnas", new Set([2]))).toEqual(nothing);
        expect(await reading("hrenos", new Set([1]))).toEqual(nothing);
      });
    });

    it("finds a phrase far down, and only passages without a word, by what they say", async () => {
      await add(
        ...Array.from({ length: 150 }, (_, i) => ({
          title: "lock timeout",
          passages: [`A timeout of the lock ${i}.`],
        })),
        {
          title: "Waiting",
          passages: ["Here naïve clients meet a *lock*, timeout: as said of page's ends, in a long text.".repeat(4)],
        },
        { title: "Page", uri: "https://docs.example.org/hidden/word.html", passages: ["Only herons."] },
      );
      expect(await find('"lock timeout as said"')).toEqual([151]);
      expect(await find('"page\'s ends"')).toEqual([151]);
      expect(await find('"naive clients"')).toEqual([151]);
      // Of an address it is not what a passage says.
      expect(await find("herons -hidden")).toEqual([152]);
      expect(await find("herons -heron")).toEqual([]);
    });

    it("gives nothing when nothing is asked for", async () => {
      await add({ title: "One", passages: ["Pelicans."] });
      expect(await index.search("pelicans", 0)).toEqual([]);
    });
  });
}
