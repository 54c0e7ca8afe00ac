import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FetchOutcome } from "../../src/domain/page.ts";
import type { ArchiveSource } from "../../src/domain/source.ts";
import { createArchiveReader } from "../../src/fetch/archive/archive-reader.ts";
import { ARCHIVE_LIMITS } from "../../src/fetch/archive/archive-limits.ts";
import { tarFile, zipFile, type Member } from "./support/archives.ts";
import { memoryFrontier, type Known } from "./support/memory-frontier.ts";

const BASE = "https://docs.example.org/3/";
const never = new AbortController().signal;
let folder: string;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-archive-"));
  said = [];
});
afterEach(() => rm(folder, { recursive: true }));

function source(name: string, more: Partial<ArchiveSource> = {}): ArchiveSource {
  return {
    kind: "archive",
    id: "kept",
    title: "Kept",
    archive: join(folder, name),
    baseUrl: BASE,
    convert: { remove: [] },
    freshness: { maxRecheckDays: 0, maxLoss: 1 },
    scope: { type: "prefix", include: [], exclude: [] },
    ...more,
  };
}

function reader(limits = ARCHIVE_LIMITS) {
  const say = (line: string): void => void said.push(line);
  return createArchiveReader({ info: say, warn: say }, limits);
}

/** Lists and reads an archive as a run does. @returns texts of pages, or what else came of them, by path. */
async function readAll(from: ArchiveSource, known: readonly Known[] = [], limits = ARCHIVE_LIMITS) {
  const local = reader(limits);
  const links = await local.list(from);
  const frontier = memoryFrontier(
    links.map(({ url }) => url),
    known,
  );
  await local.read(from, frontier, never);
  return Object.fromEntries(
    [...frontier.outcomes].map(([name, outcome]) => [name.replace(/^docs.example.org\/3\/?/, ""), told(outcome)]),
  );
}

function told(outcome: FetchOutcome): string {
  if (outcome.kind === "page") return Buffer.from(outcome.page.body).toString();
  return "reason" in outcome ? `${outcome.kind}: ${outcome.reason}` : outcome.kind;
}

const PAGES: readonly Member[] = [
  { name: "docs-1.2/index.html", body: "<p>home" },
  { name: "docs-1.2/guide/a.html", body: "<p>a" },
  { name: "docs-1.2/logo.png", body: "picture" },
];

const KINDS = [
  ["a.zip", zipFile],
  ["a.tar", tarFile],
  ["a.tar.gz", (members: readonly Member[]) => gzipSync(tarFile(members))],
  ["a.tgz", (members: readonly Member[]) => gzipSync(tarFile(members))],
  ["a.jar", zipFile],
] as const;

describe.each(KINDS)("%s", (name, make) => {
  test("pages are read from below the root, and nothing is unpacked", async () => {
    await writeFile(join(folder, name), make(PAGES));
    const pages = { "": "<p>home", "guide/a.html": "<p>a" };
    expect(await readAll(source(name, { root: "docs-1.2" }))).toEqual(pages);
    expect(await readAll(source(name, { root: "*" }))).toEqual(pages);
    expect(Object.keys(await readAll(source(name))).sort()).toEqual(["docs-1.2", "docs-1.2/guide/a.html"]);
    expect(await readdir(folder)).toEqual([name]);
    await expect(readAll(source(name, { root: "doc" }))).rejects.toThrow(
      /no folder "doc" in it, which begins with docs-1.2/,
    );
    await writeFile(join(folder, name), make([...PAGES, { name: "other/b.html", body: "b" }]));
    await expect(readAll(source(name, { root: "*" }))).rejects.toThrow(/may be docs-1.2 or other; name one/);
  });

  test("an archive that is as it was is not read; one that is another is read, and says what is gone", async () => {
    const from = source(name, { root: "*" });
    await writeFile(join(folder, name), make(PAGES));
    const local = reader();
    const urls = (await local.list(from)).map(({ url }) => url);
    const frontier = memoryFrontier(urls);
    await local.read(from, frontier, never);
    const [page] = frontier.outcomes.values();
    const etag = page?.kind === "page" ? (page.page.etag ?? "") : "";
    const known = urls.map((url) => ({ url, etag }));
    expect(Object.values(await readAll(from, known))).toEqual(["unchanged", "unchanged"]);
    await utimes(join(folder, name), new Date(0), new Date(0));
    expect(Object.values(await readAll(from, known)).sort()).toEqual(["<p>a", "<p>home"]);
    await writeFile(join(folder, name), make(PAGES.slice(1)));
    expect(await readAll(from, known)).toEqual({ "": "gone", "guide/a.html": "<p>a" });
  });

  test("paths that lead out, names that are no UTF-8, duplicates and archives in it are left out, and counted", async () => {
    const bad: Member[] = ["../up.html", "/etc/abs.html", "C:/drive.html", "back\\slash.html", "a/../../b.html"].map(
      (path) => ({
        name: path,
        body: "bad",
      }),
    );
    const members = [
      { name: "same.html", body: "old" },
      ...bad,
      { name: Buffer.from([0x67, 0xfc, ...Buffer.from(".html")]), body: "latin" },
      { name: "same.html", body: "new" },
      { name: "more.zip", body: "zip" },
      { name: ".hidden.html", body: "hidden" },
      { name: "./plain//b.html", body: "b" },
    ];
    await writeFile(join(folder, name), make(members));
    expect(await readAll(source(name))).toEqual({ "same.html": "new", "plain/b.html": "b" });
    expect(said).toEqual([
      "kept: 5 members are left out: their paths lead out of the archive, such as ../up.html",
      expect.stringMatching(/^kept: 1 member is left out: their names are not UTF-8, such as g.n?.*html$/),
      "kept: 1 member is left out: another one of the same name comes after them, such as same.html",
      "kept: 1 member is left out: they are archives themselves, and are not opened, such as more.zip",
    ]);
  });

  test("a page that is too large, or empty, is told of by its name", async () => {
    const body = "x".repeat(2000);
    await writeFile(
      join(folder, name),
      make([
        { name: "a.html", body },
        { name: "b.html", body: " \n" },
        { name: "c.html", body: "c" },
      ]),
    );
    expect(await readAll(source(name), [], { ...ARCHIVE_LIMITS, maxMemberBytes: 1000 })).toEqual({
      "a.html": "failed: larger than 1000 bytes",
      "b.html": "skipped: empty file",
      "c.html": "c",
    });
  });

  test("a damaged or cut-off archive is an error, and so is one that is none", async () => {
    const whole = make([
      { name: "a.html", body: "a".repeat(3000) },
      { name: "b.html", body: "b" },
    ]);
    const file = join(folder, name);
    for (const end of [0.1, 0.5, 0.9]) {
      await writeFile(file, whole);
      await truncate(file, Math.floor(whole.length * end));
      await expect(readAll(source(name))).rejects.toThrow(/^The archive .* cannot be read: .*; what was there is kept/);
    }
    await writeFile(file, "<p>not an archive".repeat(100));
    await expect(readAll(source(name))).rejects.toThrow(/cannot be read/);
    await rm(file);
    await expect(readAll(source(name))).rejects.toThrow(/cannot be read: it is not there; nothing was changed/);
  });

  test("what expands too far is refused", async () => {
    await writeFile(join(folder, name), make([{ name: "a.html", body: "x".repeat(200_000) }]));
    const limits = { ...ARCHIVE_LIMITS, ratioFromBytes: 100_000 };
    if (name !== "a.tar")
      await expect(readAll(source(name), [], limits)).rejects.toThrow(/more than 200 times its size, as a zip bomb/);
    else expect(await readAll(source(name), [], limits)).toHaveProperty("a.html");
    await expect(readAll(source(name), [], { ...limits, maxExpandedBytes: 1000 })).rejects.toThrow(
      /expands to more than 1000 bytes/,
    );
    await writeFile(
      join(folder, name),
      make([
        { name: "a.html", body: "a" },
        { name: "b.html", body: "b" },
      ]),
    );
    await expect(readAll(source(name), [], { ...ARCHIVE_LIMITS, maxMembers: 1 })).rejects.toThrow(
      /more than 1 members/,
    );
  });

  test("one that changes while it is read is an error", async () => {
    const from = source(name);
    await writeFile(join(folder, name), make(PAGES));
    const local = reader();
    const links = await local.list(from);
    await writeFile(join(folder, name), make([...PAGES, { name: "more.html", body: "more" }]));
    const frontier = memoryFrontier(links.map(({ url }) => url));
    await expect(local.read(from, frontier, never)).rejects.toThrow(
      /changed while it was read; what was there is kept/,
    );
  });
});

test("links in a tar lead to files inside, and nowhere else", async () => {
  const link = (name: string, to: string, type = "2"): Member => ({ name, link: to, type });
  await writeFile(
    join(folder, "a.tar"),
    tarFile([
      { name: "docs/a.html", body: "a" },
      link("docs/soft.html", "a.html"),
      link("docs/hard.html", "docs/a.html", "1"),
      link("docs/chain.html", "soft.html"),
      link("docs/out.html", "../../etc/passwd"),
      link("docs/abs.html", "/etc/passwd"),
      link("docs/hardout.html", "../x", "1"),
      link("docs/loop.html", "loop.html"),
      link("docs/nothing.html", "missing.html"),
      { name: "docs/tty.html", type: "3" },
      { name: "docs/pipe.html", type: "6" },
      { name: "docs/", type: "5" },
    ]),
  );
  expect(await readAll(source("a.tar", { root: "docs" }))).toEqual({
    "a.html": "a",
    "chain.html": "a",
    "hard.html": "a",
    "soft.html": "a",
  });
  expect(said).toEqual([
    "kept: 2 members are left out: they are devices, pipes or of a kind that is not known, such as docs/tty.html",
    "kept: 5 members are left out: they are links that lead out of the archive, to nothing or to a folder, such as docs/out.html",
  ]);
});

test("a tar that ends between two members is cut off", async () => {
  await writeFile(join(folder, "a.tar"), tarFile([{ name: "a.html", body: "a" }], Buffer.alloc(0)));
  await expect(readAll(source("a.tar"))).rejects.toThrow(/it is cut off: the blocks at its end are missing/);
});

test("members of a zip that cannot be read fail by their names", async () => {
  const link = 0o120777;
  await writeFile(
    join(folder, "a.zip"),
    zipFile([
      { name: "good.html", body: "good" },
      { name: "secret.html", body: "secret", flags: 1 },
      { name: "odd.html", body: "odd", method: 93 },
      { name: "crc.html", body: "crc", crc: 7 },
      { name: "lies.html", body: "much more than it says", size: 3 },
      { name: "soft.html", body: "good.html", mode: link },
      { name: "out.html", body: "../../etc/passwd", mode: link },
      { name: "tty.html", mode: 0o020644 },
    ]),
  );
  expect(await readAll(source("a.zip"))).toEqual({
    "good.html": "good",
    "soft.html": "good",
    "secret.html": "failed: it is encrypted; make an archive without a password",
    "odd.html": "failed: it is compressed by the method 93, which is not read; make the archive with deflate",
    "crc.html": "failed: damaged in the archive: its checksum is another",
    "lies.html": expect.stringMatching(/^failed: damaged in the archive: too many bytes/) as string,
  });
  expect(said).toHaveLength(2);
  await writeFile(join(folder, "a.zip"), zipFile([{ name: "a.html", body: "a", flags: 1 }]));
  await expect(readAll(source("a.zip"))).rejects.toThrow(/it is encrypted; make one without a password/);
});

test("a member that is too large takes no memory, however large it is", { timeout: 60_000 }, async () => {
  // A file with a hole: nothing but zeros follows the header. Larger ones take longer, and no more memory.
  const size = 512 * 1024 ** 2;
  const file = join(folder, "a.tar");
  const big = tarFile([{ name: "big.html", size }], Buffer.alloc(0));
  await writeFile(file, Buffer.concat([tarFile([{ name: "a.html", body: "a" }], Buffer.alloc(0)), big]));
  await truncate(file, 1024 + 512 + size + 1024);
  const before = process.memoryUsage().arrayBuffers;
  expect(await readAll(source("a.tar"))).toEqual({
    "a.html": "a",
    "big.html": `failed: larger than ${64 * 1024 * 1024} bytes`,
  });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
});

test("an abort stops between two members", async () => {
  await writeFile(
    join(folder, "a.tar"),
    tarFile(["a", "b", "c"].map((name) => ({ name: `${name}.html`, body: name }))),
  );
  const from = source("a.tar");
  const local = reader();
  const abort = new AbortController();
  const frontier = memoryFrontier((await local.list(from)).map(({ url }) => url));
  const record: typeof frontier.record = (entry, outcome) => {
    frontier.record(entry, outcome);
    abort.abort();
  };
  await local.read(from, { ...frontier, record }, abort.signal);
  expect(frontier.outcomes.size).toBe(1);
});
