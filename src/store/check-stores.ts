import type { Clock } from "../domain/ports.ts";
import { openArchive } from "./archive.ts";
import { openCorpusReader } from "./corpus.ts";
import { isThere } from "./database.ts";

/** What there is to say of an archive. @throws CarrelError `store`. */
export function checkArchive(file: string, clock: Clock): string {
  if (!isThere(file)) return "none here; only a machine that refreshes has one";
  const archive = openArchive(file, clock);
  try {
    return `revision ${archive.revision()}`;
  } finally {
    archive.close();
  }
}

/** What there is to say of a corpus. @throws CarrelError `not-found` or `store`. */
export function checkCorpus(file: string): string {
  const corpus = openCorpusReader(file);
  try {
    const { documents, chunks, revision } = corpus.stats();
    return `revision ${revision}: ${documents} documents in ${chunks} passages`;
  } finally {
    corpus.close();
  }
}
