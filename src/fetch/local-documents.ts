import { CarrelError } from "../domain/errors.ts";
import type { FetchOutcome, Link } from "../domain/page.ts";
import type { PageNames } from "../domain/page-names.ts";
import type { Frontier, Logger } from "../domain/ports.ts";
import type { LocalSource } from "../domain/source.ts";
import { addressOf, compileLocalRules, type FileAddress } from "./folder-urls.ts";
import { binaryEnding } from "./media.ts";

/** A reader of one kind of local source; see `LocalReader`. */
export interface LocalReaderOf<S extends LocalSource> {
  list(source: S): Promise<readonly Link[]>;
  read(source: S, frontier: Frontier, signal: AbortSignal): Promise<void>;
}

/** No page that people read is larger; a generated dump may be. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A file below the root of a folder or archive, with what it is called by. */
export interface LocalFile extends FileAddress {
  /** Below the root. */
  readonly path: string;
}

/** Programs of a server, whose output a mirror may have kept under their names. */
const PROGRAM = /\.(?:php\d?|aspx?|jspx?|cgi|cfm|do|action)$/i;

/** Paths below a root with their public URLs. */
export function addressed(baseUrl: string, paths: readonly string[]): readonly LocalFile[] {
  return paths.map((path) => ({ path, ...addressOf(baseUrl, path) }));
}

/**
 * The files that are documents in the scope of the source. A text, JSON or YAML file is one only when an include pattern with
 * its ending (`**\/*.txt`) matches it, for next to pages these are licences, data and the pages' own sources; text files also
 * where there is nothing else. Files that may be pages and do not say so are counted for the log.
 * @throws CarrelError `not-found` when there is none.
 */
export function documentsAmong(source: LocalSource, files: readonly LocalFile[], logger: Logger): readonly LocalFile[] {
  const { scope, media, isAsked } = compileLocalRules(source);
  sayUnknown(logger, source.id, files);
  const kinds = new Set(files.map((file) => file.media).filter((kind) => kind !== undefined));
  const onlyText = kinds.size === 1 && kinds.has("text");
  const documents = files.filter(({ url, media: kind }) => {
    if (kind === undefined) return false;
    const asked = (onlyText && kind === "text") || isAsked(url);
    return media.refusal(kind, asked) === undefined && scope.verdict(url).inScope;
  });
  if (documents.length === 0) throw holdsNothing(source);
  return documents;
}

/** Nothing is rather a disk that is not mounted, or the wrong root, than documentation that was withdrawn. */
export function holdsNothing(source: LocalSource): CarrelError {
  const { path, what } =
    source.kind === "folder"
      ? { path: source.folder, what: "folder" }
      : { path: source.archive, what: "archive, its root" };
  return new CarrelError(
    "not-found",
    `${path} (source ${source.id}) holds no documentation in scope: no HTML, Markdown, notebook, PDF or other file that is read; nothing was changed. Check the ${what} and the scope in the pipeline.`,
  );
}

function sayUnknown(logger: Logger, id: string, files: readonly LocalFile[]): void {
  const unknown = files.filter(
    ({ media, hasQuery, path, url }) =>
      media === undefined && (hasQuery ? binaryEnding(url) === undefined : PROGRAM.test(path)),
  );
  const [first] = unknown;
  if (first === undefined) return;
  const count = unknown.length === 1 ? "1 file is" : `${unknown.length} files are`;
  logger.warn(
    `${id}: ${count} left out, for the name does not say what is in it, such as ${first.path}; wget --adjust-extension gives pages of a mirror the ending .html`,
  );
}

/** The address that readers are given is the one that the rules of the source make of it. */
export function renamed(outcome: FetchOutcome, names: PageNames): FetchOutcome {
  if (outcome.kind !== "page") return outcome;
  return { ...outcome, page: { ...outcome.page, url: names.rewritten(outcome.page.url) } };
}
