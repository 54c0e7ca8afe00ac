import pLimit from "p-limit";
import type { Conversion, ConvertedText } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import type { ArchivedPage, PageChange } from "../domain/page.ts";
import type { Archive, Converter, Corpus, CorpusWrite, NewDocument, SearchIndex } from "../domain/ports.ts";
import { partName } from "../domain/page-part.ts";
import type { Aliases, ConvertOptions, Source } from "../domain/source.ts";

/** Pages read from the archive at a time: their bodies are in memory together. */
export const PAGES_PER_BATCH = 64;
/** Documents handed to the index at a time, in one transaction. */
const DOCUMENTS_PER_BATCH = 500;

export interface ConvertStage {
  readonly archive: Archive;
  readonly corpus: Corpus;
  readonly converter: Converter;
  /** Pages in conversion at the same time. */
  readonly concurrency: number;
}

/**
 * Has every page of these sources converted again from the archive when the rules, or what their pipeline says of
 * conversion, are not what their documents were made with.
 */
export function applyRules({ archive, corpus, converter }: ConvertStage, sources: readonly Source[]): void {
  for (const source of sources) {
    const fingerprint = `${converter.fingerprint} ${JSON.stringify([source.convert, aliasesOf(source)])}`;
    const { title } = source;
    const noted = corpus.source(source.id);
    if (noted?.fingerprint === fingerprint && noted.title === title) continue;
    // In this order: a crash between the two has the pages converted twice, and never not at all.
    if (noted?.fingerprint !== fingerprint) archive.touch(source.id);
    corpus.noteSource(source.id, { title, fingerprint });
  }
}

/**
 * Converts what came into the archive since the corpus last caught up, until nothing is left or the signal aborts.
 * @param sources every listed source: a page of one that is not listed any more is converted by default rules.
 */
export async function convertPages(
  stage: ConvertStage,
  sources: readonly Source[],
  signal: AbortSignal,
  onBatch: (pages: number) => void = () => {},
): Promise<void> {
  const { archive, corpus } = stage;
  const limit = pLimit(stage.concurrency);
  const byId = new Map(sources.map((source) => [source.id, source]));
  while (!signal.aborted) {
    const changes = archive.changesSince(corpus.archiveRevision(), PAGES_PER_BATCH);
    const last = changes.at(-1);
    if (last === undefined) return;
    const writes = await Promise.all(changes.map((change) => limit(() => writeFor(stage.converter, change, byId))));
    corpus.apply(writes, last.revision);
    onBatch(changes.length);
  }
}

/** Indexes what came into the corpus since the index last caught up, until nothing is left or the signal aborts. */
export async function indexDocuments(
  corpus: Pick<Corpus, "changesSince">,
  index: SearchIndex,
  signal: AbortSignal,
  onBatch: (documents: number) => void = () => {},
): Promise<void> {
  while (!signal.aborted) {
    const changes = corpus.changesSince(index.revision(), DOCUMENTS_PER_BATCH);
    if (changes.length === 0) {
      await index.enrich(signal);
      return;
    }
    await index.apply(changes);
    onBatch(changes.length);
  }
}

async function writeFor(
  converter: Converter,
  change: PageChange,
  sources: ReadonlyMap<string, Source>,
): Promise<CorpusWrite> {
  if (change.kind === "removed") {
    return { kind: "remove", source: change.source, name: change.name, movedTo: change.movedTo };
  }
  const { page } = change;
  const conversion = await convertPage(converter, page, sources.get(page.source));
  switch (conversion.kind) {
    case "document": {
      const { kind: _, parts = [], ...text } = conversion;
      const { name, url, source } = page;
      return {
        kind: "document",
        ...newDocument(name, url, source, text),
        parts: parts.map(({ path, fragment, ...part }) =>
          newDocument(partName(name, path), `${url}#${fragment}`, source, part),
        ),
      };
    }
    case "skipped": {
      const { reason, isIndex = false } = conversion;
      const keptOut = { url: page.url, reason, isIndex };
      return { kind: "remove", source: page.source, name: page.name, movedTo: undefined, keptOut };
    }
    // What the page was before stays: a conversion that fails takes nothing away.
    case "failed":
      return { kind: "failure", source: page.source, url: page.url, reason: conversion.reason };
  }
}

function newDocument(name: string, uri: string, source: string, text: ConvertedText): NewDocument {
  const { chunks, ...said } = text;
  return { document: { name, uri, source, ...said }, chunks };
}

const NO_OPTIONS: ConvertOptions = { remove: [] };

/**
 * Converts one page as its source wants it read.
 * @param source undefined when it is listed no more: default rules then.
 */
export async function convertPage(
  converter: Converter,
  page: Pick<ArchivedPage, "url" | "contentType" | "body">,
  source: Source | undefined,
): Promise<Conversion> {
  try {
    return await converter.convert({
      url: page.url,
      contentType: page.contentType,
      body: page.body,
      options: source?.convert ?? NO_OPTIONS,
      aliases: source === undefined ? [] : aliasesOf(source),
    });
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}

function aliasesOf(source: Source): Aliases {
  return source.kind === "web" ? source.aliases : [];
}
