import { NO_COUNTS, type Run } from "../domain/run.ts";
import type { Source } from "../domain/source.ts";
import { convertPages, indexDocuments } from "./catch-up.ts";
import type { Stages } from "./refresh.ts";

/**
 * Removes what is kept of a source that is listed no more: from the archive, and by catching up from the corpus and the index.
 * A page of its that another source keeps as well becomes a document of that one. When it was interrupted, or killed, a second
 * call goes on.
 * @param listed all sources that are listed: what they have waiting is converted on the way.
 * @returns the run that did it, with the documents that it removed.
 */
export async function removeSource(
  stages: Pick<Stages, "archive" | "corpus" | "converter" | "concurrency" | "index" | "progress">,
  id: string,
  listed: readonly Source[],
  signal: AbortSignal,
): Promise<Run> {
  const { archive, corpus, index, progress } = stages;
  archive.serveCorpus(corpus.id());
  corpus.readArchive(archive.id());
  const run = corpus.beginRun(id);
  archive.removeSource(id);
  await convertPages(stages, listed, signal, progress.converted);
  if (signal.aborted) {
    return corpus.endRun(run, "stopped", NO_COUNTS, "stopped while the source was removed; the next refresh goes on");
  }
  // What an archive that is not there any more had brought, and what came in a bundle.
  corpus.removeSource(id);
  await indexDocuments(corpus, index, signal, progress.indexed);
  return corpus.endRun(run, "complete", NO_COUNTS, "removed: the source is listed no more");
}
