import type { FileHandle } from "node:fs/promises";
import type { Logger } from "../../domain/ports.ts";
import type { ArchiveSource } from "../../domain/source.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import type { OmissionTally } from "./omitted.ts";

/** What it takes to look into an archive. */
export interface OpenArchive {
  readonly source: ArchiveSource;
  readonly file: FileHandle;
  /** Of the file, in bytes. */
  readonly size: number;
  readonly limits: ArchiveLimits;
  readonly omitted: OmissionTally;
  readonly logger: Logger;
}

/** A document in an archive. */
export interface ArchivedDocument {
  /** Public, as it is asked for. */
  readonly url: string;
  /** As readers are given it. */
  readonly publicUrl: string;
  /** Which of the members it is; several documents may be made of one. */
  readonly place: number;
  /** As the site sent it, which may be wrong; else that of its ending. */
  readonly contentType: string;
  readonly isSent: boolean;
  /** Whether the pipeline asks for this very document, so that data is one. */
  readonly isAsked: boolean;
  /** An HTTP date. */
  readonly lastModified: string | undefined;
  /** Why it cannot be read. */
  readonly problem?: string;
  /** A redirect: the public URL that it leads to. */
  readonly movedTo?: string;
}

/** What is in a member, or why that cannot be told. */
export type MemberContent =
  { readonly place: number; readonly body: Buffer } | { readonly place: number; readonly problem: string };

/** How archives of one format are read. */
export interface ArchiveForm {
  /** The documents in the scope of the source, by their names. Reads the archive to its end, so that damage is found. */
  list(archive: OpenArchive): Promise<ReadonlyMap<string, ArchivedDocument>>;
  /** The contents of the members at some places, one at a time and in any order. */
  read(archive: OpenArchive, places: ReadonlySet<number>): AsyncIterable<MemberContent>;
}
