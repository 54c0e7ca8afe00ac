import { open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { FetchOutcome } from "../domain/page.ts";
import type { FolderReader, FrontierEntry } from "../domain/ports.ts";
import { scopeVerdict } from "../domain/scope.ts";
import type { FolderSource } from "../domain/source.ts";
import { listFiles } from "./folder-files.ts";
import { isBlank } from "./media.ts";

/** What a file's ending stands for. */
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  md: "text/markdown",
  markdown: "text/markdown",
  ipynb: "application/x-ipynb+json",
  txt: "text/plain",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
};

/** What is more often data than documentation: it has to be asked for. */
const ONLY_IF_ASKED: ReadonlySet<string | undefined> = new Set(["text/plain", "application/json", "application/yaml"]);

/** No page that people read is larger; a generated dump may be. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The files that a URL with a slash at its end may stand for, as document names fold them. */
const INDEX_FILES = ["index.html", "index.htm"];

/**
 * Makes the reader of folder sources.
 *
 * Documents are the HTML and Markdown files and the notebooks below the root. A text, JSON or YAML file is one only when an
 * include glob with its ending (`**\/*.txt`) matches it, for next to pages these are licences, data and the pages' own sources;
 * text files also where there is nothing else. Hidden files are left out, and so are symbolic links that lead out of the root.
 *
 * The public URL of a file is the base URL and its path, percent-encoded. It keeps the file's ending, `.md` too, so that each
 * file has one name and each name one file; `dir/index.html` is `dir/`, as everywhere.
 */
export function createFolderReader(): FolderReader {
  return {
    async list(source) {
      const root = await rootOf(source);
      const files = (await listFiles(root)).filter((file) => typeOf(file) !== undefined);
      const onlyText = files.every((file) => typeOf(file) === "text/plain");
      const urls = files
        .filter((file) => {
          const asked = source.scope.include.filter((glob) => glob.endsWith(endingOf(file)));
          const mustBeAsked = ONLY_IF_ASKED.has(typeOf(file)) && !onlyText;
          if (mustBeAsked && asked.length === 0) return false;
          const scope = mustBeAsked ? { ...source.scope, include: asked } : source.scope;
          return scopeVerdict({ seeds: [source.baseUrl], scope }, urlOf(source, file)).inScope;
        })
        .map((file) => urlOf(source, file));
      if (urls.length === 0) {
        // An empty folder is rather a disk that is not mounted than documentation that was withdrawn.
        throw new CarrelError(
          "not-found",
          `${source.folder} (source ${source.id}) holds no HTML, Markdown, notebook or text file in scope; nothing was changed. Check the folder and the scope in the pipeline.`,
        );
      }
      return urls.map((url) => ({ url, depth: 0 }));
    },

    async read(source, frontier, signal) {
      const root = await rootOf(source);
      while (!signal.aborted) {
        const entry = frontier.next();
        if (entry === undefined) return;
        frontier.record(entry, await readEntry(source, root, entry));
      }
    },
  };
}

async function rootOf(source: FolderSource): Promise<string> {
  try {
    const root = await realpath(source.folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    throw new CarrelError("not-found", `${source.folder} (source ${source.id}) cannot be read: ${reasonOf(cause)}`, {
      cause,
    });
  }
  throw new CarrelError("not-found", `${source.folder} (source ${source.id}) is not a folder.`);
}

async function readEntry(source: FolderSource, root: string, entry: FrontierEntry): Promise<FetchOutcome> {
  const relative = pathOf(source, entry.url);
  if (relative === undefined) return { kind: "failed", reason: `not a path below ${source.baseUrl}` };
  const candidates = /(^|\/)$/.test(relative) ? INDEX_FILES.map((index) => relative + index) : [relative];
  for (const candidate of candidates) {
    try {
      const outcome = await readFile(root, candidate, entry);
      if (outcome !== undefined) return outcome;
    } catch (thrown) {
      return { kind: "failed", reason: `${candidate} cannot be read: ${reasonOf(thrown)}` };
    }
  }
  // Node gives U+FFFD for what is not UTF-8 in a name, and no file is found by that: there it is, all the same.
  if (entry.url.includes("%EF%BF%BD")) {
    return { kind: "failed", reason: "the name of the file is not UTF-8; rename it, such as with convmv" };
  }
  return { kind: "gone", status: 404 };
}

/** Undefined when there is no such file inside the root. */
async function readFile(root: string, relative: string, entry: FrontierEntry): Promise<FetchOutcome | undefined> {
  const path = await realpath(join(root, relative)).catch(absent);
  if (path === undefined || !path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  // Opening a pipe would wait for whoever writes to it.
  if (!(await stat(path)).isFile()) return undefined;
  const file = await open(path);
  try {
    const { size, mtime, mtimeMs } = await file.stat();
    const etag = `${size}-${mtimeMs}`;
    if (entry.etag === etag) return { kind: "unchanged" };
    if (size > MAX_FILE_BYTES) return { kind: "failed", reason: `larger than ${MAX_FILE_BYTES} bytes` };
    const body = await file.readFile();
    if (isBlank(body)) return { kind: "skipped", reason: "empty file", links: [] };
    const page = {
      name: entry.name,
      url: entry.url,
      status: 200,
      contentType: typeOf(relative) ?? "",
      etag,
      lastModified: mtime.toUTCString(),
      body,
    };
    return { kind: "page", page, links: [] };
  } finally {
    await file.close();
  }
}

/** For `catch`: what is not there, or cannot be there, is undefined. */
function absent(thrown: unknown): undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : "";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ERR_INVALID_ARG_VALUE")
    return undefined;
  throw thrown;
}

function typeOf(path: string): string | undefined {
  return TYPES[endingOf(path).slice(1).toLowerCase()];
}

/** The ending of a path with its dot, such as ".md". */
function endingOf(path: string): string {
  return path.slice(path.lastIndexOf("."));
}

/** The public URL of a file, given its path below the root. Only what would change the URL's meaning is escaped by hand. */
function urlOf(source: FolderSource, path: string): string {
  const escaped = path
    .split(sep)
    .map((segment) => segment.replace(/[%?#\\]/g, encodeURIComponent))
    .join("/");
  return new URL(source.baseUrl + escaped).href;
}

/** The path below the root that a public URL stands for; undefined when it stands for none. */
function pathOf(source: FolderSource, url: string): string | undefined {
  const base = new URL(source.baseUrl).href;
  if (!url.startsWith(base) || url.includes("?")) return undefined;
  try {
    const path = decodeURIComponent(url.slice(base.length));
    return path.includes("\0") ? undefined : path;
  } catch {
    return undefined;
  }
}
