import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compileNames } from "../../src/domain/page-names.ts";
import { DEFAULT_NAMES, type ArchiveSource } from "../../src/domain/source.ts";
import { ARCHIVE_LIMITS } from "../../src/fetch/archive/archive-limits.ts";
import { createArchiveReader } from "../../src/fetch/archive/archive-reader.ts";
import { answer, warcRecord } from "./support/archives.ts";
import { memoryFrontier } from "./support/memory-frontier.ts";

const SITE = "https://docs.example.org/";
const LONG = "<p>words of a page</p>".repeat(50);
let folder: string;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-warc-"));
  said = [];
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes records as a file and reads it as a run does. @returns texts of pages, or what else came of them, by path. */
async function readAll(
  records: readonly Buffer[],
  { isGzip = true, ...more }: Partial<ArchiveSource> & { isGzip?: boolean } = {},
  limits = ARCHIVE_LIMITS,
) {
  const archive = join(folder, isGzip ? "a.warc.gz" : "a.warc");
  // Each record is a member of its own, as the standard recommends.
  await writeFile(archive, Buffer.concat(isGzip ? records.map((record) => gzipSync(record)) : records));
  const source: ArchiveSource = {
    kind: "archive",
    id: "kept",
    title: "Kept",
    archive,
    convert: { remove: [] },
    freshness: { maxRecheckDays: 0, maxLoss: 1 },
    scope: { type: "prefix", include: [], exclude: [] },
    ...more,
  };
  const say = (line: string): void => void said.push(line);
  const reader = createArchiveReader({ info: say, warn: say }, limits);
  const names = compileNames(source.names);
  const links = await reader.list(source);
  const frontier = memoryFrontier(
    links.map(({ url }) => url),
    [],
    undefined,
    names.name,
  );
  await reader.read(source, frontier, new AbortController().signal);
  const told = [...frontier.outcomes].map(([name, outcome]) => {
    const path = name.replace("docs.example.org/", "");
    if (outcome.kind === "page") return [path, Buffer.from(outcome.page.body).toString()];
    if (outcome.kind === "moved") return [path, `moved to ${outcome.to}`];
    return [path, "reason" in outcome ? `${outcome.kind}: ${outcome.reason}` : outcome.kind];
  });
  return { pages: Object.fromEntries(told) as Record<string, string>, outcomes: frontier.outcomes };
}

function page(path: string, body: string | Buffer, headers = {}, record = {}): Buffer {
  return warcRecord("response", SITE + path, answer(body, headers), record);
}

test("captures keep their own URLs; requests, pictures and other records are no pages", async () => {
  const records = [
    warcRecord("warcinfo", "", "software: test\r\n"),
    warcRecord("request", `${SITE}a`, "GET /a HTTP/1.1\r\n\r\n"),
    page("a", "<p>a", { "Last-Modified": "Mon, 05 Jan 2026 00:00:00 GMT" }),
    page("logo.png", "picture", { "Content-Type": "image/png" }),
    page("b.md", "# b", { "Content-Type": "text/plain" }),
    page("api.json", "{}", { "Content-Type": "application/json" }),
    warcRecord("response", "dns:docs.example.org", "20260101 127.0.0.1"),
    warcRecord("response", `<https://other.example/x>`, answer("<p>x")),
    warcRecord("resource", `${SITE}r.html`, "<p>r", { "Content-Type": "text/html" }),
    warcRecord("metadata", `${SITE}a`, "via: x"),
  ];
  for (const isGzip of [true, false]) {
    const { pages, outcomes } = await readAll(records, { isGzip });
    expect(pages).toEqual({ a: "<p>a", "b.md": "# b", "other.example/x": "<p>x", "r.html": "<p>r" });
    expect(outcomes.get("docs.example.org/a")).toMatchObject({
      page: { url: `${SITE}a`, contentType: "text/html", lastModified: "Mon, 05 Jan 2026 00:00:00 GMT" },
    });
    expect(outcomes.get("docs.example.org/b.md")).toMatchObject({ page: { contentType: "text/markdown" } });
  }
  const only = await readAll(records, { scope: { type: "prefix", include: ["**/b.*"], exclude: [] } });
  expect(Object.keys(only.pages)).toEqual(["b.md"]);
  expect(Object.keys((await readAll(records, { baseUrl: "https://other.example/" })).pages)).toEqual([
    "other.example/x",
  ]);
  await expect(readAll(records.slice(0, 2))).rejects.toThrow(/holds no documentation in scope/);
  expect(said).toEqual([]);
});

test("of several captures the newest counts, whatever their order", async () => {
  const at = (day: number) => ({ "WARC-Date": `2026-01-0${day}T00:00:00Z` });
  const gone = (path: string, day: number) =>
    warcRecord("response", SITE + path, answer("gone", {}, "404 Not Found"), at(day));
  const { pages } = await readAll([
    page("a", "2", {}, at(2)),
    page("a", "3", {}, at(3)),
    page("a", "1", {}, at(1)),
    page("b", "1", {}, at(1)),
    gone("b", 2),
    gone("c", 1),
    page("c", "2", {}, at(2)),
    page("d", "1", {}, at(1)),
    warcRecord("response", `${SITE}d`, answer("busy", {}, "503 Busy"), at(2)),
  ]);
  expect(pages).toEqual({ a: "3", c: "2", d: "1" });
  expect(said).toEqual([`kept: 1 member is left out: the site answered with an error, such as ${SITE}d`]);
});

test("redirects move pages", async () => {
  const redirect = (from: string, to: string) =>
    warcRecord("response", from, answer("", { Location: to }, "301 Moved Permanently"));
  const { pages } = await readAll([
    redirect(`${SITE}old`, "/new"),
    page("new", "new"),
    redirect(`${SITE}lost`, "/nowhere"),
    redirect("http://docs.example.org/new", `${SITE}new`),
    redirect(`${SITE}away`, "mailto:x@example.org"),
  ]);
  expect(pages).toEqual({ old: `moved to ${SITE}new`, new: "new", lost: `moved to ${SITE}nowhere`, nowhere: "gone" });
});

test("bodies are decoded, and those that are decoded already are taken as they are", async () => {
  const chunked = (text: string) =>
    `5\r\n${text.slice(0, 5)}\r\n${(text.length - 5).toString(16)};x=y\r\n${text.slice(5)}\r\n0\r\n\r\n`;
  const te = { "Transfer-Encoding": "chunked" };
  const encoded = (encoding: string) => ({ "Content-Encoding": encoding });
  const { pages } = await readAll([
    page("chunked", chunked(LONG), te),
    page("joined", LONG, te),
    page("gzip", gzipSync(LONG), encoded("gzip")),
    page("plain", LONG, { ...encoded("gzip"), "Content-Length": "99999" }),
    page("zlib", deflateSync(LONG), encoded("deflate")),
    page("raw", deflateRawSync(LONG), encoded("deflate")),
    page("br", brotliCompressSync(LONG), encoded("br")),
    page("br-plain", LONG, encoded("br")),
    page("odd", LONG, encoded("zstd")),
  ]);
  const whole = ["chunked", "joined", "gzip", "plain", "zlib", "raw", "br", "br-plain"];
  for (const path of whole) expect([path, pages[path]]).toEqual([path, LONG]);
  expect(pages["odd"]).toBe("failed: its content-encoding (zstd) cannot be undone");
});

test("captures that are cut off fail by name, unless there is a whole one", async () => {
  const truncated = { "WARC-Truncated": "length", "WARC-Date": "2026-02-01T00:00:00Z" };
  const { pages } = await readAll([
    page("cut", "<p>half", {}, truncated),
    page("short", "<p>half", { "Content-Length": "5000" }),
    page("chunks", "5\r\nhello\r\nff\r\nhal", { "Transfer-Encoding": "chunked" }),
    page("whole", "<p>whole"),
    page("whole", "<p>wh", {}, truncated),
  ]);
  expect(pages).toEqual({
    cut: "failed: the capture is cut off (length)",
    short: "failed: the capture is cut off: 7 of 5000 bytes are there",
    chunks: "failed: the capture is cut off: its last chunk is missing",
    whole: "<p>whole",
  });
});

test("a revisit stands for what it repeats", async () => {
  const digest = { "WARC-Payload-Digest": "sha1:ABC" };
  const head = answer("");
  const { pages } = await readAll([
    page("a", "<p>a", {}, digest),
    warcRecord("revisit", `${SITE}a`, head, { "WARC-Date": "2026-03-01T00:00:00Z" }),
    warcRecord("revisit", `${SITE}twin`, head, digest),
    warcRecord("revisit", `${SITE}lost`, head, { "WARC-Payload-Digest": "sha1:XYZ" }),
    warcRecord("continuation", `${SITE}a`, "more"),
  ]);
  expect(pages).toEqual({ a: "<p>a", twin: "<p>a" });
  expect(said).toEqual([
    `kept: 1 member is left out: they repeat captures that are not in this file, such as ${SITE}lost`,
    `kept: 1 member is left out: they are parts of captures that were split, such as ${SITE}a`,
  ]);
});

test("a page that is too large, before it is decoded or after, is told of by its name", async () => {
  const limits = { ...ARCHIVE_LIMITS, maxMemberBytes: 1_000 };
  const { pages } = await readAll(
    [
      page("a", "x".repeat(2_000)),
      page("b", gzipSync("x".repeat(2_000)), { "Content-Encoding": "gzip" }),
      page("c", "c"),
    ],
    {},
    limits,
  );
  expect(pages).toEqual({ a: "failed: larger than 1000 bytes", b: "failed: larger than 1000 bytes", c: "c" });
});

test("a damaged file, and one that is none, is an error", async () => {
  const record = page("a", LONG);
  const isGzip = false;
  await expect(readAll([record.subarray(0, -100)], { isGzip })).rejects.toThrow(
    /cut off: its last record is not whole; what was there is kept/,
  );
  await expect(readAll([record, Buffer.from("garbage\r\n")], { isGzip })).rejects.toThrow(
    /no record begins after record 1/,
  );
  await expect(readAll([Buffer.from("<p>page\n")], { isGzip })).rejects.toThrow(/it is no WARC/);
  await expect(readAll([Buffer.from("WARC/1.0\r\nWARC-Type: response\r\n\r\n")], { isGzip })).rejects.toThrow(
    /record 1 has no length/,
  );
  await expect(readAll([Buffer.from(`WARC/1.0\r\nX: ${"x".repeat(70_000)}\r\n\r\n`)], { isGzip })).rejects.toThrow(
    /a header is too long/,
  );
  await expect(readAll([record, record.subarray(0, 40)])).rejects.toThrow(/cut off/);
});

test("names.rewrite gives captures of a mirror their public names", async () => {
  const rewrite = [{ pattern: "/^http:\\/\\/127\\.0\\.0\\.1:9001\\//", replacement: SITE }];
  const { pages, outcomes } = await readAll([warcRecord("response", "http://127.0.0.1:9001/a.html", answer("<p>a"))], {
    names: { ...DEFAULT_NAMES, rewrite },
    scope: { type: "prefix", include: [`${SITE}**`], exclude: [] },
  });
  expect(pages).toEqual({ "a.html": "<p>a" });
  expect([...outcomes.values()]).toMatchObject([{ page: { url: `${SITE}a.html` } }]);
});
