import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SearchIndex } from "../../src/domain/ports.ts";
import { plainTitle, preferredFirst, versionOfAddress } from "../../src/search/page-versions.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import { likeness, signatureOf } from "../../src/search/signature.ts";
import { TestCorpus } from "../contract/search-index.ts";
import { randomNumbers } from "./random.ts";

/** Lines of made-up words; the same for the same seed. */
function lines(seed: number, count: number): string[] {
  const random = randomNumbers(seed);
  const word = (): string => `w${Math.floor(random() * 5_000).toString(36)}`;
  return Array.from({ length: count }, () => Array.from({ length: 12 }, word).join(" "));
}

describe("signatures", () => {
  const text = lines(1, 60);

  it("are like for texts that differ by a few lines, wherever they are cut", () => {
    const changed = [...text.slice(0, 20), ...lines(2, 2), ...text.slice(21)];
    expect(likeness(signatureOf(text), signatureOf(text))).toBe(1);
    expect(likeness(signatureOf(text), signatureOf([text.join("\n")]))).toBe(1);
    expect(likeness(signatureOf(text), signatureOf(changed))).toBeGreaterThan(0.8);
  });

  it("are not for others, nor for texts too short to tell", () => {
    expect(likeness(signatureOf(text), signatureOf(lines(3, 60)))).toBeLessThan(0.2);
    expect(likeness(signatureOf(text), signatureOf([...text.slice(0, 30), ...lines(4, 30)]))).toBeLessThan(0.6);
    expect(likeness(signatureOf(["one two three four"]), signatureOf(["one two three four"]))).toBe(0);
  });
});

describe("versions", () => {
  const page = (version: string, language = "en") => ({ version, language, signature: new Uint8Array(0) });
  const order = (query: string, ...versions: string[]): string[] =>
    versions
      .map((version) => page(version))
      .sort(preferredFirst(query))
      .map(({ version }) => version);

  it("have an order: the current one, the newest, what is not released", () => {
    expect(order("open a file", "2.9", "dev", "2.10", "latest", "3.0-rc1", "v1")).toEqual([
      "latest",
      "2.10",
      "2.9",
      "v1",
      "3.0-rc1",
      "dev",
    ]);
    expect(order("open a file", "1.0", "")).toEqual(["", "1.0"]);
  });

  it("come first when a query names them", () => {
    expect(order("open a file in 2.9", "2.10", "2.9.4", "2.9.1")).toEqual(["2.9.4", "2.9.1", "2.10"]);
    expect(order("what does V1 do.", "2.10", "v1")).toEqual(["v1", "2.10"]);
    expect(order("the dev version", "latest", "dev")).toEqual(["dev", "latest"]);
  });

  it("are read in English unless there is nothing else", () => {
    expect([page("1", "de"), page("1", "en-GB")].sort(preferredFirst("x"))[0]?.language).toBe("en-GB");
  });

  it.each([
    ["https://docs.example.org/v1.2/guide.html", "v1.2"],
    ["https://docs.example.org/en/latest/guide/", "latest"],
    ["https://docs.example.org/guide/v1.2", ""],
    ["https://docs.example.org/15/guide.html", ""],
    ["no address", ""],
  ])("are read from the address %s", (uri, version) => {
    expect(versionOfAddress(uri)).toBe(version);
  });

  it("are no part of a title", () => {
    expect(plainTitle("What’s in v2.10.1: Pelicans")).toBe(plainTitle("What’s in 3: Pelicans"));
  });
});

describe("a search", () => {
  let folder: string;
  let index: SearchIndex;
  let corpus: TestCorpus;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "carrel-versions-"));
    corpus = new TestCorpus();
    index = openSearchIndex({ file: join(folder, "index.db"), texts: corpus.texts });
  });
  afterEach(() => {
    index.close();
    rmSync(folder, { recursive: true });
  });

  async function add(versions: readonly string[], title = "Pelicans"): Promise<void> {
    const text = lines(7, 40);
    await index.apply(
      versions.map((version, i) => {
        const own = `Pelicans nest here since ${i + 1}. ${i === 0 ? "Pelicans nest." : ""}`;
        const passages = [[own, ...text.slice(0, 20)].join("\n"), text.slice(20).join("\n")];
        return {
          ...corpus.write(i + 1, { title: title.replace("#", version), passages, uri: `https://e.org/${version}/p` }),
          version: version === "x" ? "" : version,
        };
      }),
    );
  }

  const documents = async (query: string, within?: ReadonlySet<number>): Promise<number[]> => [
    ...new Set((await index.search(query, 20, within)).map(({ documentId }) => documentId)),
  ];

  it("gives of pages that differ by a few lines the newest, in the place of the best", async () => {
    await add(["1.0", "3.0", "2.0"]);
    const [best] = await index.search("pelicans nest", 1, new Set([1]));
    expect(await documents("pelicans nest")).toEqual([2]);
    const [shown] = await index.search("pelicans nest", 1);
    expect(shown?.score).toBeGreaterThanOrEqual((best?.score ?? 1) * 0.9);
    expect(shown?.score).toBeLessThanOrEqual(1);
  });

  it("gives of copies the one that others link to, else that with the shortest address", async () => {
    const text = [["Pelicans nest here.", ...lines(7, 40)].join("\n")];
    const copies = ["a/long", "b", "c/d"].map((path, i) =>
      corpus.write(i + 1, { title: "Pelicans", passages: text, uri: `https://e.org/${path}` }),
    );
    await index.apply(copies);
    expect(await documents("pelicans nest")).toEqual([2]);
    const hub = { title: "Hub", passages: ["See [them](https://e.org/c/d)."], uri: "https://e.org/hub" };
    await index.apply([corpus.write(4, hub)]);
    expect(await documents("pelicans nest")).toEqual([3]);
  });

  it("gives another when the query names it, or when only it may be found", async () => {
    await add(["1.0", "3.0", "2.0"]);
    expect(await documents("pelicans nest 2.0")).toEqual([3]);
    expect(await documents("pelicans nest", new Set([1]))).toEqual([1]);
  });

  it("gives the others again when the one that was shown is removed", async () => {
    await add(["1.0", "3.0", "2.0"]);
    await index.apply([corpus.remove(2)]);
    expect(await documents("pelicans nest")).toEqual([3]);
  });

  it("keeps pages apart that are alike and have other titles", async () => {
    await index.apply(
      ["Pelicans", "Herons"].map((title, i) =>
        corpus.write(i + 1, { title, passages: [["They nest.", ...lines(7, 40)].join("\n")] }),
      ),
    );
    expect((await documents("they nest")).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });
});
