import { open, stat, type FileHandle } from "node:fs/promises";
import { archiveFormat, type ArchiveFormat } from "../../domain/archive-format.ts";
import { CarrelError, reasonOf } from "../../domain/errors.ts";
import { fileReasonOf } from "../../domain/file-errors.ts";
import type { FetchOutcome } from "../../domain/page.ts";
import type { Frontier, FrontierEntry, Logger } from "../../domain/ports.ts";
import type { ArchiveSource } from "../../domain/source.ts";
import { compileLocalRules, type LocalRules } from "../folder-urls.ts";
import type { LocalReaderOf } from "../local-documents.ts";
import { isBlank, mediaOf, trueContentType } from "../media.ts";
import type { ArchivedDocument, ArchiveForm, MemberContent, OpenArchive } from "./archive-contents.ts";
import { ARCHIVE_LIMITS, type ArchiveLimits } from "./archive-limits.ts";
import { tallyOmissions } from "./omitted.ts";
import { tarForm } from "./tar.ts";
import { warcForm } from "./warc.ts";
import { ZIP_FORM } from "./zip.ts";

const FORMS: Readonly<Record<ArchiveFormat, ArchiveForm>> = {
  zip: ZIP_FORM,
  tar: tarForm(false),
  "tar.gz": tarForm(true),
  warc: warcForm(false),
  "warc.gz": warcForm(true),
};

/** What was in an archive when it was listed. */
interface Listing {
  readonly source: ArchiveSource;
  /** Tells one state of the file from another: the validator of every page in it. */
  readonly stamp: string;
  readonly documents: ReadonlyMap<string, ArchivedDocument>;
}

/**
 * Makes the reader of archives. Members are read from where they are, one at a time: nothing is unpacked.
 *
 * Pages of a file whose size and time are as they were are unchanged, without being read. Of one that is another, all are read;
 * the archive of pages tells by their hash which have changed.
 */
export function createArchiveReader(
  logger: Logger,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): LocalReaderOf<ArchiveSource> {
  let last: Listing | undefined;

  return {
    async list(source) {
      last = undefined;
      last = await looking(source, logger, limits, async (archive, form, stamp) => {
        const documents = await form.list(archive).catch((error: unknown) => {
          throw blamed(source, error);
        });
        archive.omitted.say(logger, source.id);
        return { source, stamp, documents };
      });
      return [...last.documents.values()].map(({ url }) => ({ url, depth: 0 }));
    },

    async read(source, frontier, signal) {
      if (last?.source.id !== source.id) await this.list(source);
      const listing = last;
      await looking(source, logger, limits, async (archive, form, stamp) => {
        if (stamp !== listing?.stamp) throw changed(source);
        await readAll(archive, form, listing, frontier, signal);
      });
    },
  };
}

/** Opens an archive and does something with it, during which it may not change. */
async function looking<T>(
  source: ArchiveSource,
  logger: Logger,
  limits: ArchiveLimits,
  look: (archive: OpenArchive, form: ArchiveForm, stamp: string) => Promise<T>,
): Promise<T> {
  const format = archiveFormat(source.archive);
  if (typeof format !== "string") throw unreadable(source, format.refusal);
  let file: FileHandle;
  try {
    // Opening a pipe would wait for whoever writes to it.
    if (!(await stat(source.archive)).isFile()) throw new Error('it is no file; list a folder as "folder"');
    file = await open(source.archive);
  } catch (error) {
    throw new CarrelError(
      "not-found",
      `The archive ${source.archive} of the source ${source.id} cannot be read: ${fileReasonOf(error)}; nothing was changed. Check "archive" in its pipeline, or mount the disk.`,
    );
  }
  try {
    const stamp = await stampOf(file);
    const { size } = await file.stat();
    const found = await look({ source, file, size, limits, omitted: tallyOmissions(), logger }, FORMS[format], stamp);
    if ((await stampOf(file)) !== stamp) throw changed(source);
    return found;
  } finally {
    await file.close();
  }
}

/** An error of what reads an archive is told as the archive's fault. */
function blamed(source: ArchiveSource, error: unknown): unknown {
  if (error instanceof CarrelError && error.code !== "invalid") return error;
  return unreadable(source, reasonOf(error));
}

async function* contentsOf(
  archive: OpenArchive,
  form: ArchiveForm,
  places: ReadonlySet<number>,
): AsyncGenerator<MemberContent, void, undefined> {
  const contents = form.read(archive, places)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await contents.next().catch((error: unknown) => {
        throw blamed(archive.source, error);
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    await contents.return?.();
  }
}

async function stampOf(file: FileHandle): Promise<string> {
  const { size, mtimeMs } = await file.stat();
  return `${size}-${mtimeMs}`;
}

function unreadable({ archive, id }: ArchiveSource, reason: string): CarrelError {
  return new CarrelError(
    "not-found",
    `The archive ${archive} of the source ${id} cannot be read: ${reason}; what was there is kept. Put a whole one in its place, and refresh again.`,
  );
}

function changed({ archive, id }: ArchiveSource): CarrelError {
  return new CarrelError(
    "not-found",
    `The archive ${archive} of the source ${id} changed while it was read; what was there is kept. Refresh again when it is copied.`,
  );
}

/** An entry of the frontier, and the document that it is. */
interface Wanted {
  readonly entry: FrontierEntry;
  readonly document: ArchivedDocument;
}

async function readAll(
  archive: OpenArchive,
  form: ArchiveForm,
  listing: Listing,
  frontier: Frontier,
  signal: AbortSignal,
): Promise<void> {
  const rules = compileLocalRules(archive.source);
  // A redirect brings its target into the frontier.
  while (!signal.aborted && frontier.pending().waiting > 0) {
    const wanted = new Map<number, Wanted[]>();
    for (let entry = frontier.next(); entry !== undefined && !signal.aborted; entry = frontier.next()) {
      const document = listing.documents.get(entry.name);
      const outcome = outcomeWithoutReading(rules, entry, document, listing.stamp);
      if (outcome !== undefined) frontier.record(entry, outcome);
      else if (document !== undefined)
        wanted.set(document.place, [...(wanted.get(document.place) ?? []), { entry, document }]);
    }
    if (wanted.size === 0) continue;
    for await (const content of contentsOf(archive, form, new Set(wanted.keys()))) {
      if (signal.aborted) return;
      for (const one of wanted.get(content.place) ?? [])
        frontier.record(one.entry, outcomeOf(rules, one, content, listing.stamp));
    }
  }
}

function outcomeWithoutReading(
  { names, scope }: LocalRules,
  entry: FrontierEntry,
  document: ArchivedDocument | undefined,
  stamp: string,
): FetchOutcome | undefined {
  if (document === undefined) return { kind: "gone", status: 404 };
  if (document.problem !== undefined) return { kind: "failed", reason: document.problem };
  const to = document.movedTo;
  if (to !== undefined) {
    const { inScope, rule } = scope.verdict(names.rewritten(to));
    if (!inScope) return { kind: "skipped", reason: `redirects out of scope, to ${to} (${rule})`, links: [] };
    return { kind: "moved", to, links: [{ url: to, depth: entry.depth }] };
  }
  return entry.etag === stamp ? { kind: "unchanged" } : undefined;
}

function outcomeOf(
  { media: rule }: LocalRules,
  { entry, document }: Wanted,
  content: MemberContent,
  stamp: string,
): FetchOutcome {
  if ("problem" in content) return { kind: "failed", reason: content.problem };
  const { body } = content;
  if (isBlank(body)) return { kind: "skipped", reason: "empty file", links: [] };
  const { publicUrl: url, lastModified } = document;
  let { contentType } = document;
  if (document.isSent) {
    const media = mediaOf(contentType, url, body);
    const refused = media === undefined ? `${contentType} is no document` : rule.refusal(media, document.isAsked);
    if (media === undefined || refused !== undefined) return { kind: "skipped", reason: refused ?? "", links: [] };
    contentType = trueContentType(contentType, media);
  }
  const page = { name: entry.name, url, status: 200, contentType, etag: stamp, lastModified, body };
  return { kind: "page", page, links: [] };
}
