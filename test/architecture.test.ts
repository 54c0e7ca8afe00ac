import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/**
 * Who may import whom: the folders of src, and the files at its top. Everyone may import `domain`, and itself.
 * This table is the documentation of the structure.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  config: [],
  fetch: [],
  convert: [],
  store: [],
  search: [],
  answer: [],
  model: [],
  manual: [],
  connect: [],
  flow: [],
  server: ["flow"],
  cli: ["app.ts", "look.ts", "trial.ts", "version.ts", "config", "flow", "server", "manual", "connect"],
  bench: ["app.ts", "trial.ts", "cli", "convert", "fetch", "store", "search", "flow", "server", "config"],
  // The composition root: the only one that knows which technologies are in use.
  "app.ts": [
    "version.ts",
    "index-choice.ts",
    "config",
    "fetch",
    "convert",
    "store",
    "search",
    "answer",
    "model",
    "flow",
  ],
  // The part of it that chooses the index, and the models that it uses.
  "index-choice.ts": ["config", "search", "model"],
  // The same for a corpus and an index that are only there to be measured.
  "trial.ts": ["search", "flow"],
  // The same for a first look at what is not listed yet.
  "look.ts": ["version.ts", "config", "fetch", "convert"],
  // What each thread of the server that answers queries does.
  "query-worker.ts": ["app.ts", "config", "flow", "server"],
  "version.ts": [],
};

/** Packages that only some folders may use; all others are free. Node's own modules are not held. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  "better-sqlite3": ["store", "search", "bench"],
  crawlee: ["fetch"],
  "@crawlee/basic": ["fetch"],
  "playwright-core": ["fetch"],
  undici: ["fetch", "bench"],
  // Pure, and what holds a pattern of a pipeline to linear time.
  re2js: ["domain"],
  // Pure, and what knows when a cron expression comes in a time zone.
  croner: ["domain"],
  yauzl: ["fetch"],
  "tar-stream": ["fetch"],
  turndown: ["convert", "bench"],
  "@orama/orama": ["search", "bench"],
  commander: ["cli"],
  yaml: ["config", "convert", "manual"],
  "markdown-it": ["convert", "manual"],
  "@modelcontextprotocol/server": ["server"],
  "@modelcontextprotocol/client": ["cli"],
};

/** A file is a concept: past this it holds two. */
const MAX_LINES = 300;

const ROOT = fileURLToPath(new URL("../src/", import.meta.url));
const FILES = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .sort();

interface Import {
  readonly from: string;
  /** A file of src, or a package. */
  readonly to: string;
  readonly isLocal: boolean;
  readonly isTypeOnly: boolean;
  readonly isLazy: boolean;
}

const IMPORTS = FILES.flatMap(importsOf);

function importsOf(from: string): Import[] {
  const text = readFileSync(join(ROOT, from), "utf8");
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']/gm);
  const lazy = text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g);
  return [
    ...[...statements].map(([, type, to]) => ({ to: to ?? "", isTypeOnly: type !== undefined, isLazy: false })),
    ...[...lazy].map(([, to]) => ({ to: to ?? "", isTypeOnly: false, isLazy: true })),
  ].map((found) => {
    const isLocal = found.to.startsWith(".");
    const to = isLocal ? relative(ROOT, resolve(ROOT, dirname(from), found.to)) : packageOf(found.to);
    return { ...found, from, to, isLocal };
  });
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** The folder of src that a file is in; the file itself at the top. */
function roomOf(file: string): string {
  return file.split("/")[0] ?? file;
}

describe("src", () => {
  it("has only rooms that the table knows", () => {
    expect([...new Set(FILES.map(roomOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it("imports what the table allows", () => {
    const wrong = IMPORTS.filter(({ from, to, isLocal }) => {
      if (!isLocal) return false;
      const [room, target] = [roomOf(from), roomOf(to)];
      return target !== room && target !== "domain" && !(MAY_IMPORT[room] ?? []).includes(target);
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("uses each technology where it lives, and the domain none but what matches patterns", () => {
    const wrong = IMPORTS.filter(({ from, to, isLocal }) => {
      if (isLocal) return false;
      const home = PACKAGE_HOMES[to];
      return home === undefined ? roomOf(from) === "domain" : !home.includes(roomOf(from));
    });
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("loads Crawlee and Playwright lazily: each takes most of a second, and only a crawl needs them", () => {
    const eager = IMPORTS.filter(
      (one) => /crawlee|playwright/.test(one.to) && !one.isLocal && !one.isTypeOnly && !one.isLazy,
    );
    expect(eager.map(({ from }) => from)).toEqual([]);
    expect(IMPORTS.some(({ to, isLazy }) => /crawlee/.test(to) && isLazy)).toBe(true);
  });

  it("has no import cycle", () => {
    const next = new Map(
      FILES.map((file) => [file, IMPORTS.filter((one) => one.isLocal && one.from === file).map((one) => one.to)]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (done.has(file) || path.includes(file)) return;
      for (const target of next.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of FILES) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("reads the environment in config alone", () => {
    const readers = FILES.filter((file) => readFileSync(join(ROOT, file), "utf8").includes("process.env"));
    expect(readers.filter((file) => roomOf(file) !== "config")).toEqual([]);
  });

  it("has no long file", () => {
    const long = FILES.map((file) => ({ file, lines: readFileSync(join(ROOT, file), "utf8").split("\n").length }));
    expect(long.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it("takes no time that grows faster than a page: no pattern that backtracks over trailing space", () => {
    const wrong = FILES.filter((file) =>
      /\/(?:\\s|\\n|\[ \\t\]|\[\\s\])[+*]\$\//.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(wrong).toEqual([]);
  });
});
