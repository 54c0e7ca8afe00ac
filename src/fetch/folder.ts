import { open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { CarrelError } from "../domain/errors.ts";
import { fileReasonOf } from "../domain/file-errors.ts";
import type { FetchOutcome } from "../domain/page.ts";
import type { PageNames } from "../domain/page-names.ts";
import type { FolderReader, FrontierEntry, Logger } from "../domain/ports.ts";
import type { FolderSource } from "../domain/source.ts";
import { listFiles } from "./folder-files.ts";
import { addressOf, compileFolderRules, pathOf, type FileAddress } from "./folder-urls.ts";
import { binaryEnding, isBlank, typeOfMedia } from "./media.ts";

/** No page that people read is larger; a generated dump may be. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The files that a URL with a slash at its end may stand for, as document names fold them. */
const INDEX_FILES = ["index.html", "index.htm"];

/** Programs of a server, whose output a mirror may have kept under their names. */
const PROGRAM = /\.(?:php\d?|aspx?|jspx?|cgi|cfm|do|action)$/i;

const SILENT: Logger = { info() {}, warn() {} };

/**
 * Makes the reader of folder sources.
 *
 * Documents are the files below the root whose endings stand for a kind that the scope takes. A text, JSON or YAML file is one
 * only when an include pattern with its ending (`**\/*.txt`) matches it, for next to pages these are licences, data and the
 * pages' own sources; text files also where there is nothing else. Hidden files are left out, and so are symbolic links that
 * lead out of the root. Files that may be pages and do not say so are counted for the log.
 *
 * Each file keeps its ending in its public URL, `.md` too, so that each file has one name and each name one file;
 * `dir/index.html` is `dir/`, as everywhere. See `addressOf`.
 */
export function createFolderReader(logger: Logger = SILENT): FolderReader {
  return {
    async list(source) {
      const root = await rootOf(source);
      const { scope, media, isAsked } = compileFolderRules(source);
      const listing = await listFiles(root);
      const files = listing.files.map((path) => ({ path, ...addressOf(source.baseUrl, path) }));
      sayUnknown(logger, source, files);
      const kinds = new Set(files.map((file) => file.media).filter((kind) => kind !== undefined));
      const onlyText = kinds.size === 1 && kinds.has("text");
      const urls = files
        .filter((file) => file.media !== undefined)
        .filter(({ url, media: kind }) => {
          if (kind === undefined) return false;
          const asked = (onlyText && kind === "text") || isAsked(url);
          return media.refusal(kind, asked) === undefined && scope.verdict(url).inScope;
        })
        .map(({ url }) => url);
      if (urls.length === 0) {
        // An empty folder is rather a disk that is not mounted than documentation that was withdrawn.
        throw new CarrelError(
          "not-found",
          `${source.folder} (source ${source.id}) holds no documentation in scope: no HTML, Markdown, notebook, PDF or other file that is read; nothing was changed. Check the folder and the scope in the pipeline.`,
        );
      }
      // What cannot be listed is asked for as a page, which fails and says why.
      const closed = listing.unreadable.map((path) => addressOf(source.baseUrl, path).url);
      return [...urls, ...closed].map((url) => ({ url, depth: 0 }));
    },

    async read(source, frontier, signal) {
      const root = await rootOf(source);
      const { names } = compileFolderRules(source);
      let mirrored: Promise<ReadonlyMap<string, string>> | undefined;
      const pathsOf = async (url: string): Promise<readonly string[]> => {
        if (!url.includes("?")) return candidatesOf(source, url);
        const path = (await (mirrored ??= mirroredFiles(source, root))).get(url);
        return path === undefined ? [] : [path];
      };
      while (!signal.aborted) {
        const entry = frontier.next();
        if (entry === undefined) return;
        const outcome = await readEntry(source, root, entry, await pathsOf(entry.url));
        frontier.record(entry, outcome.kind === "page" ? renamed(outcome, names) : outcome);
      }
    },
  };
}

type PageOutcome = Extract<FetchOutcome, { kind: "page" }>;

/** The address that readers are given is the one that the rules of the source make of it. */
function renamed(outcome: PageOutcome, names: PageNames): PageOutcome {
  return { ...outcome, page: { ...outcome.page, url: names.rewritten(outcome.page.url) } };
}

/** Files whose names have the query of a URL in them, by their URLs. */
async function mirroredFiles(source: FolderSource, root: string): Promise<ReadonlyMap<string, string>> {
  const files = (await listFiles(root)).files.map((path) => ({ path, ...addressOf(source.baseUrl, path) }));
  return new Map(files.filter(({ hasQuery }) => hasQuery).map(({ url, path }) => [url, path]));
}

function sayUnknown(
  logger: Logger,
  source: FolderSource,
  files: readonly (FileAddress & { readonly path: string })[],
): void {
  const unknown = files.filter(
    ({ media, hasQuery, path, url }) =>
      media === undefined && (hasQuery ? binaryEnding(url) === undefined : PROGRAM.test(path)),
  );
  const [first] = unknown;
  if (first === undefined) return;
  const count = unknown.length === 1 ? "1 file is" : `${unknown.length} files are`;
  logger.warn(
    `${source.id}: ${count} left out, for the name does not say what is in it, such as ${first.path}; wget --adjust-extension gives pages of a mirror the ending .html`,
  );
}

async function rootOf(source: FolderSource): Promise<string> {
  try {
    const root = await realpath(source.folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    throw new CarrelError(
      "not-found",
      `The folder ${source.folder} of the source ${source.id} cannot be read: ${fileReasonOf(cause)}; nothing was changed. Check "folder" in its pipeline, or mount the disk.`,
    );
  }
  throw new CarrelError(
    "not-found",
    `${source.folder}, the folder of the source ${source.id}, is a file; name the folder that it is in.`,
  );
}

/** The paths below the root that may be the file of a URL without a query. */
function candidatesOf(source: FolderSource, url: string): readonly string[] {
  const relative = pathOf(source.baseUrl, url);
  if (relative === undefined) return [];
  return /(^|\/)$/.test(relative) ? INDEX_FILES.map((index) => relative + index) : [relative];
}

async function readEntry(
  source: FolderSource,
  root: string,
  entry: FrontierEntry,
  candidates: readonly string[],
): Promise<FetchOutcome> {
  for (const candidate of candidates) {
    try {
      const outcome = await readFile(source, root, candidate, entry);
      if (outcome !== undefined) return outcome;
    } catch (thrown) {
      return { kind: "failed", reason: `${candidate} cannot be read: ${fileReasonOf(thrown)}` };
    }
  }
  if (!entry.url.startsWith(source.baseUrl)) return { kind: "failed", reason: `not a path below ${source.baseUrl}` };
  // Node gives U+FFFD for what is not UTF-8 in a name, and no file is found by that: there it is, all the same.
  if (entry.url.includes("%EF%BF%BD")) {
    return { kind: "failed", reason: "the name of the file is not UTF-8; rename it, such as with convmv" };
  }
  return { kind: "gone", status: 404 };
}

/** Undefined when there is no such file inside the root. */
async function readFile(
  source: FolderSource,
  root: string,
  relative: string,
  entry: FrontierEntry,
): Promise<FetchOutcome | undefined> {
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
    const { media } = addressOf(source.baseUrl, relative);
    const page = {
      name: entry.name,
      url: entry.url,
      status: 200,
      contentType: media === undefined ? "" : typeOfMedia(media),
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
