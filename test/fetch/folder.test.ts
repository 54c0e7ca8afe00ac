import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FolderSource } from "../../src/domain/source.ts";
import { createLocalReader } from "../../src/fetch/local-reader.ts";
import { checkLocalUrl } from "../../src/fetch/folder-urls.ts";
import { reason } from "./support/crawl.ts";
import { memoryFrontier, type Known, type MemoryFrontier } from "./support/memory-frontier.ts";

const BASE = "https://docs.example.org/3/";
const reader = createLocalReader();
const never = new AbortController().signal;
let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "carrel-folder-")));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text = `# ${path}`): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

function source(scope: Partial<FolderSource["scope"]> = {}): FolderSource {
  return {
    kind: "folder",
    id: "folder",
    title: "Folder",
    folder: root,
    baseUrl: BASE,
    convert: { remove: [] },
    freshness: { maxRecheckDays: 0, maxLoss: 1 },
    scope: { type: "prefix", include: [], exclude: [], ...scope },
  };
}

async function list(scope?: Partial<FolderSource["scope"]>): Promise<string[]> {
  return (await reader.list(source(scope))).map(({ url }) => url.slice(BASE.length));
}

async function read(known: readonly Known[], signal = never): Promise<MemoryFrontier> {
  const frontier = memoryFrontier([], known);
  await reader.read(source(), frontier, signal);
  return frontier;
}

test("HTML and Markdown below the root are listed in order, and nothing else", async () => {
  for (const path of ["b.html", "a.md", "sub/index.html", "sub/C.HTM", "sub/d.markdown", "x.xhtml"]) await write(path);
  for (const path of ["logo.png", "LICENSE.txt", "_sources/a.rst.txt", ".hidden.html", ".git/x.html", "noending"])
    await write(path);
  expect(await list()).toEqual(["a.md", "b.html", "sub/C.HTM", "sub/d.markdown", "sub/index.html", "x.xhtml"]);
  expect(await reader.list(source())).toContainEqual({ url: `${BASE}a.md`, depth: 0 });
});

test("text files are documents when there is nothing else, or when an include asks for them", async () => {
  await write("one.txt");
  await write("two.txt");
  expect(await list()).toEqual(["one.txt", "two.txt"]);
  await write("page.html");
  expect(await list()).toEqual(["page.html"]);
  expect(await list({ include: ["**/*.html", "**/one.txt"] })).toEqual(["one.txt", "page.html"]);
  await write("guide.ipynb");
  await write("api/openapi.yaml");
  await write("package.json");
  expect(await list()).toEqual(["guide.ipynb", "page.html"]);
  expect(await list({ include: ["**/*.html", "**/api/*.yaml"] })).toEqual(["api/openapi.yaml", "page.html"]);
  expect(await list({ include: ["**"] })).toEqual(["guide.ipynb", "page.html"]);
});

test("a file whose name is not UTF-8 is a failure, and not gone", async () => {
  await writeFile(Buffer.concat([Buffer.from(`${root}/gr`), Buffer.from([0xfc]), Buffer.from("n.html")]), "<p>x");
  const [link] = await reader.list(source());
  const frontier = memoryFrontier([link?.url ?? ""]);
  await reader.read(source(), frontier, new AbortController().signal);
  expect([...frontier.outcomes.values()]).toMatchObject([{ kind: "failed", reason: expect.stringContaining("UTF-8") }]);
});

test("scope is by public URL", async () => {
  for (const path of ["a.html", "old/b.html", "genindex.html"]) await write(path);
  expect(await list({ exclude: ["https://docs.example.org/3/old/**", "**/genindex*"] })).toEqual(["a.html"]);
});

test("names that URLs cannot hold as they are come back to the same file", async () => {
  const names = [
    "a b.html",
    "100%.html",
    "what?.html",
    "c#.html",
    "café.html",
    "a+b,c.html",
    "%41.html",
    "back\\slash.html",
  ];
  for (const name of names) await write(name, `text of ${name}`);
  const urls = (await reader.list(source())).map(({ url }) => url);
  expect(urls).toContain(`${BASE}a%20b.html`);
  expect(urls).toContain(`${BASE}100%25.html`);
  expect(urls).toContain(`${BASE}a+b,c.html`);
  const frontier = await read(urls.map((url) => ({ url })));
  const texts = [...frontier.outcomes.values()].map(
    (outcome) => outcome.kind === "page" && Buffer.from(outcome.page.body).toString(),
  );
  expect(new Set(texts)).toEqual(new Set(names.map((name) => `text of ${name}`)));
});

test("a page has the type of its ending, its public URL and a validator; read again it is unchanged until it changes", async () => {
  await write("a.md", "# A");
  const url = `${BASE}a.md`;
  const first = (await read([{ url }])).outcomes.get("docs.example.org/3/a.md");
  expect(first).toMatchObject({ kind: "page", page: { url, contentType: "text/markdown", status: 200 }, links: [] });
  const etag = first?.kind === "page" ? first.page.etag : undefined;
  const known = [{ url, ...(etag === undefined ? {} : { etag }) }];
  expect([...(await read(known)).outcomes.values()]).toEqual([{ kind: "unchanged" }]);
  await utimes(join(root, "a.md"), new Date(0), new Date(0));
  expect([...(await read(known)).outcomes.values()]).toMatchObject([{ kind: "page" }]);
});

test("a folder's name is its index file", async () => {
  await write("index.html", "<p>home");
  await write("sub/index.htm", "<p>sub");
  const frontier = await read([{ url: BASE }, { url: `${BASE}sub/` }]);
  expect(frontier.outcomes.get("docs.example.org/3")).toMatchObject({
    kind: "page",
    page: { contentType: "text/html" },
  });
  expect(frontier.outcomes.get("docs.example.org/3/sub")).toMatchObject({ kind: "page" });
});

test("a file that vanished is gone, an empty one is skipped, and what is no path below the base is a failure", async () => {
  await write("empty.md", " \n");
  await mkdir(join(root, "folder.html"));
  const frontier = await read([
    { url: `${BASE}vanished.html` },
    { url: `${BASE}empty.md` },
    { url: `${BASE}folder.html` },
    { url: `${BASE}empty.md/under` },
    { url: "https://elsewhere.example/a.html" },
  ]);
  const outcome = (path: string) => frontier.outcomes.get(`docs.example.org/3/${path}`);
  expect(outcome("vanished.html")).toEqual({ kind: "gone", status: 404 });
  expect(outcome("empty.md")).toMatchObject({ kind: "skipped", reason: "empty file" });
  expect(outcome("folder.html")).toEqual({ kind: "gone", status: 404 });
  expect(outcome("empty.md/under")).toEqual({ kind: "gone", status: 404 });
  expect(reason(frontier.outcomes.get("elsewhere.example/a.html"))).toContain("not a path below");
});

test("links lead nowhere outside the root, and cycles end", async () => {
  const outside = await mkdtemp(join(tmpdir(), "carrel-outside-"));
  try {
    await writeFile(join(outside, "secret.html"), "secret");
    await write("real/a.html", "a");
    await write(".versions/3/b.html", "b");
    await symlink(join(outside, "secret.html"), join(root, "secret.html"));
    await symlink(outside, join(root, "outside"));
    await symlink("real/a.html", join(root, "linked.html"));
    await symlink("..", join(root, "real/up"));
    await symlink("real", join(root, "again"));
    await symlink(".versions/3", join(root, "current"));
    await symlink("nowhere.html", join(root, "dangling.html"));
    const said: string[] = [];
    const logger = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) };
    await createLocalReader(logger).list(source());
    expect(said).toEqual([
      `folder: 3 symbolic links are left out, for they lead out of ${root} or nowhere, such as dangling.html`,
    ]);
    expect(await list()).toEqual(["current/b.html", "linked.html", "real/a.html"]);
    const frontier = await read([
      { url: `${BASE}secret.html` },
      { url: `${BASE}outside/secret.html` },
      { url: `${BASE}..%2f..%2fetc%2fpasswd` },
      { url: `${BASE}linked.html` },
      { url: `${BASE}current/b.html` },
    ]);
    expect([...frontier.outcomes.values()].map(({ kind }) => kind)).toEqual(["gone", "gone", "gone", "page", "page"]);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test("a folder that is missing, is a file or holds nothing is an error that says so, and nothing is gone", async () => {
  await write("only.png");
  await expect(list()).rejects.toThrow(/holds no documentation in scope: .*; nothing was changed/);
  const missing = { ...source(), folder: join(root, "missing") };
  await expect(reader.list(missing)).rejects.toThrow(
    /^The folder .*missing of the source folder cannot be read: it is not there; nothing was changed/,
  );
  await expect(reader.read(missing, memoryFrontier([BASE]), never)).rejects.toThrow(/cannot be read/);
  await expect(reader.list({ ...source(), folder: join(root, "only.png") })).rejects.toThrow(
    /only\.png, the folder of the source folder, is a file; name the folder that it is in/,
  );
});

test("an abort stops between two files", async () => {
  for (const name of ["a", "b", "c"]) await write(`${name}.html`);
  const abort = new AbortController();
  const frontier = memoryFrontier([`${BASE}a.html`, `${BASE}b.html`, `${BASE}c.html`]);
  const { outcomes } = frontier;
  await reader.read(
    source(),
    {
      ...frontier,
      record(entry, outcome) {
        frontier.record(entry, outcome);
        if (outcomes.size === 2) abort.abort();
      },
    },
    abort.signal,
  );
  expect(outcomes.size).toBe(2);
  expect(frontier.pending()).toEqual({ waiting: 1, inFlight: 0 });
});

test("every kind of document that is read has its type; a list of types narrows them", async () => {
  const files = ["a.html", "b.rst", "c.adoc", "d.pdf", "e.ipynb", "f.md"];
  for (const path of [...files, "g.json", "h.yaml"]) await write(path);
  expect(await list()).toEqual(files);
  expect(await list({ contentTypes: ["application/pdf", "application/yaml"] })).toEqual(["d.pdf", "h.yaml"]);
  expect(await list({ include: ["**", "/\\.json$/"] })).toEqual([...files, "g.json"]);
  const frontier = await read([...files, "g.json", "h.yaml"].map((path) => ({ url: BASE + path })));
  const types = [...frontier.outcomes.values()].map((outcome) => outcome.kind === "page" && outcome.page.contentType);
  expect(types).toEqual([
    "text/html",
    "text/x-rst",
    "text/asciidoc",
    "application/pdf",
    "application/x-ipynb+json",
    "text/markdown",
    "application/json",
    "application/yaml",
  ]);
});

test("files of a mirror whose names hold a query are read under their public names", async () => {
  const mirrored = {
    "view.html?page=7": "view.html?page=7",
    "list/index.php?cat=1&sort=a b.html": "list/index.php?cat=1&sort=a%20b",
    "wiki?title=A#b.html": "wiki?title=A%23b",
    "What next?.html": "What%20next%3F.html",
  };
  for (const path of Object.keys(mirrored)) await write(path);
  expect(await list()).toEqual([
    "What%20next%3F.html",
    "list/index.php?cat=1&sort=a%20b",
    "view.html?page=7",
    "wiki?title=A%23b",
  ]);
  const frontier = await read(Object.values(mirrored).map((url) => ({ url: BASE + url })));
  const found = [...frontier.outcomes.values()].map((outcome) =>
    outcome.kind === "page"
      ? [outcome.page.url, Buffer.from(outcome.page.body).toString(), outcome.page.contentType]
      : outcome,
  );
  expect(found).toEqual(Object.entries(mirrored).map(([path, url]) => [BASE + url, `# ${path}`, "text/html"]));
  const gone = await read([{ url: `${BASE}view.html?page=8` }]);
  expect([...gone.outcomes.values()]).toEqual([{ kind: "gone", status: 404 }]);
});

test("files that do not say what is in them are counted and said", async () => {
  for (const path of ["a.html", "view.php?page=7", "view.php?page=8", "old.asp", "logo.png?v=2", "data.bin"])
    await write(path);
  const said: string[] = [];
  const logger = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) };
  expect(await createLocalReader(logger).list(source())).toHaveLength(1);
  expect(said).toEqual([
    "folder: 3 files are left out, for the name does not say what is in it, such as old.asp; wget --adjust-extension gives pages of a mirror the ending .html",
  ]);
});

test("what a folder would do with a URL is said by rule", () => {
  const check = (path: string, scope?: Partial<FolderSource["scope"]>): unknown[] => {
    const { isAsked, rule, name } = checkLocalUrl(source(scope), BASE + path);
    return [isAsked, rule, name.slice("documents/docs.example.org/3/".length)];
  };
  expect(check("a/index.html")).toEqual([true, "type prefix", "a"]);
  expect(check("a.png")).toEqual([false, ".png is no document", "a.png"]);
  expect(check("a.json")[1]).toMatch(/^application\/json is no document, unless/);
  expect(check("a.json", { include: ["**/*.json"] })[0]).toBe(true);
  expect(check("a.html", { exclude: ["/a\\./"] })).toEqual([false, "exclude /a\\./", "a.html"]);
});
