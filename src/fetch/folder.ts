import { open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { CarrelError } from "../domain/errors.ts";
import { fileReasonOf } from "../domain/file-errors.ts";
import type { FetchOutcome } from "../domain/page.ts";
import type { FrontierEntry, Logger } from "../domain/ports.ts";
import type { FolderSource } from "../domain/source.ts";
import { listFiles } from "./folder-files.ts";
import { addressOf, compileLocalRules, pathOf } from "./folder-urls.ts";
import { addressed, documentsAmong, MAX_FILE_BYTES, renamed, type LocalReaderOf } from "./local-documents.ts";
import { isBlank, typeOfMedia } from "./media.ts";

/** The files that a URL with a slash at its end may stand for, as document names fold them. */
const INDEX_FILES = ["index.html", "index.htm"];

/**
 * Makes the reader of folder sources.
 *
 * Documents are the files below the root whose endings stand for a kind that the scope takes; see `documentsAmong`. Hidden
 * files are left out. Symbolic links that lead out of the root, or nowhere, are left out and counted for the log.
 *
 * Each file keeps its ending in its public URL, `.md` too, so that each file has one name and each name one file;
 * `dir/index.html` is `dir/`, as everywhere. See `addressOf`.
 */
export function createFolderReader(logger: Logger): LocalReaderOf<FolderSource> {
  return {
    async list(source) {
      const listing = await listFiles(await rootOf(source));
      sayLinks(logger, source, listing.strayLinks);
      const documents = documentsAmong(source, addressed(source.baseUrl, listing.files), logger);
      // What cannot be listed is asked for as a page, which fails and says why.
      const closed = addressed(source.baseUrl, listing.unreadable);
      return [...documents, ...closed].map(({ url }) => ({ url, depth: 0 }));
    },

    async read(source, frontier, signal) {
      const root = await rootOf(source);
      const { names } = compileLocalRules(source);
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
        frontier.record(entry, renamed(outcome, names));
      }
    },
  };
}

/** Files whose names have the query of a URL in them, by their URLs. */
async function mirroredFiles(source: FolderSource, root: string): Promise<ReadonlyMap<string, string>> {
  const files = addressed(source.baseUrl, (await listFiles(root)).files);
  return new Map(files.filter(({ hasQuery }) => hasQuery).map(({ url, path }) => [url, path]));
}

function sayLinks(logger: Logger, { id, folder }: FolderSource, links: readonly string[]): void {
  if (links.length === 0) return;
  const count = links.length === 1 ? "1 symbolic link is" : `${links.length} symbolic links are`;
  logger.warn(`${id}: ${count} left out, for they lead out of ${folder} or nowhere, such as ${links[0] ?? ""}`);
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
    `${source.folder}, the folder of the source ${source.id}, is a file; name the folder that it is in, or say "archive" in place of "folder" if it is one.`,
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
  const found = await stat(path);
  if (!found.isFile()) return undefined;
  // Most files of most runs: they are not even opened.
  if (entry.etag === `${found.size}-${found.mtimeMs}`) return { kind: "unchanged" };
  const file = await open(path);
  try {
    const { size, mtime, mtimeMs } = await file.stat();
    const etag = `${size}-${mtimeMs}`;
    if (size > MAX_FILE_BYTES) return { kind: "failed", reason: `larger than ${MAX_FILE_BYTES} bytes` };
    const body = await file.readFile();
    const after = await file.stat();
    // A generator may be at work. Half of a page, with the validator of the whole, would stay.
    if (after.size !== size || after.mtimeMs !== mtimeMs || body.length !== size)
      return { kind: "failed", reason: `${relative} changed while it was read` };
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
