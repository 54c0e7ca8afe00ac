import { setMaxListeners } from "node:events";
import { Command } from "commander";
import { findReferences } from "../../config/credentials.ts";
import { groupNames, inGroup, selectSources } from "../../config/select-sources.ts";
import { parseHttpUrl } from "../../domain/document-name.ts";
import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import type { Run } from "../../domain/run.ts";
import type { UrlVerdict } from "../../domain/scope.ts";
import type { Source } from "../../domain/source.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { EXIT_CODE_OF_RUN } from "../exit-codes.ts";
import { table } from "../output.ts";
import { runLine } from "../run-text.ts";
import { progressLines } from "./refresh.ts";

/** `carrel sources [NAME...]`, `carrel sources check URL...`, `carrel sources remove ID` */
export function sourcesCommand(): Command {
  const check = withCommonFlags(
    new Command("check")
      .description("say of URLs which sources ask for them, by which rule, and what their documents are called")
      .argument("<url...>", "public URLs")
      .option("--source <name>", "only by this source, or those of this group"),
  ).action(action(checkUrls));
  const remove = withCommonFlags(
    new Command("remove")
      .description("remove what is kept of a source that is listed no more")
      .argument("<id>", "the id that its pipeline's file had")
      .option("--force", "also when none of the sources that are listed is kept here"),
  ).action(action(removeSource));
  const command = new Command("sources")
    .description("list the sources, what is kept of each, and their last runs")
    .argument(
      "[name...]",
      "ids of sources, and groups; without any, groups of which nothing is kept are told of in a line each",
    )
    .addCommand(check)
    .addCommand(remove);
  return withCommonFlags(command).action(action(sources));
}

interface SourceRow {
  readonly id: string;
  /** undefined for one that has documents, and is listed no more. */
  readonly source: Source | undefined;
  readonly documents: number;
  readonly lastRun: Run | undefined;
}

async function sources({ app, output }: Context, names: readonly string[]): Promise<number> {
  const listed = await app.sources();
  const asked = new Set(names.length === 0 ? [] : selectSources(listed, names).map(({ id }) => id));
  using reading = app.tryReading();
  const all = sourceRows(listed, reading?.corpus);
  const rows = names.length === 0 ? all : all.filter(({ id }) => asked.has(id));
  const shown = names.length === 0 ? rows.filter(isOfInterest) : rows;
  const lines = table(
    ["source", "documents", "last run", "from", "title"],
    shown.map(({ id, source, documents, lastRun }) => [
      id,
      String(documents),
      lastRun === undefined ? "never" : `${lastRun.status} ${lastRun.startedAt.slice(0, 10)}`,
      source === undefined ? "(listed no more)" : placeOf(source),
      source?.title ?? "",
    ]),
  );
  const value = rows.map(({ id, source, documents, lastRun }) => ({ id, documents, lastRun, ...source }));
  output.result({ sources: value }, names.length === 0 ? [...lines, ...groupLines(listed)] : lines);
  return 0;
}

/** Where a source is fetched or read from. */
function placeOf(source: Source): string {
  if (source.kind === "web") return source.seeds[0] ?? "";
  return source.kind === "folder" ? source.folder : source.archive;
}

/** Most of what is in a group that is shipped is of no use to most people. */
function isOfInterest({ source, documents, lastRun }: SourceRow): boolean {
  return source?.group === undefined || documents > 0 || lastRun !== undefined;
}

function groupLines(listed: readonly Source[]): readonly string[] {
  const lines = groupNames(listed).map((name) => {
    const { length } = inGroup(listed, name);
    return `${name}/: ${length} source${length === 1 ? "" : "s"}, refreshed when named; "carrel sources ${name}" lists them.`;
  });
  return lines.length === 0 ? [] : ["", ...lines];
}

function sourceRows(listed: readonly Source[], corpus: CorpusReader | undefined): readonly SourceRow[] {
  const kept = new Map(corpus?.stats().sources.map(({ source, documents }) => [source, documents]));
  const ids = new Set([...listed.map(({ id }) => id), ...kept.keys()]);
  return [...ids].sort().map((id) => ({
    id,
    source: listed.find((source) => source.id === id),
    documents: kept.get(id) ?? 0,
    lastRun: corpus?.runs(1, id)[0],
  }));
}

/** How a verdict ends on a URL that is somewhere else. */
const OUTSIDE = /\(scope\.type: \w+\)$/;

/** Dozens of sources are listed, and most have nothing to do with a URL: those that have, or else those near it. */
function telling(verdicts: readonly UrlVerdict[], host: string): readonly UrlVerdict[] {
  const within = verdicts.filter(({ rule }) => !OUTSIDE.test(rule));
  return within.length > 0 ? within : verdicts.filter(({ rule }) => rule.includes(host));
}

async function checkUrls(
  { app, output, signal }: Context,
  written: readonly string[],
  flags: { readonly source?: string },
): Promise<number> {
  const urls = written.map((url) => parseHttpUrl(url).href);
  const listed = await app.sources();
  const sources = flags.source === undefined ? listed : selectSources(listed, [flags.source]);
  // Each source listens to it at the same time.
  setMaxListeners(0, signal);
  const verdicts = await app.checkUrls(sources, urls, signal);
  const lines = urls.flatMap((url, i) => {
    const own = verdicts.filter((_, place) => place % urls.length === i);
    const shown = flags.source === undefined ? telling(own, new URL(url).host) : own;
    if (shown.length === 0) {
      return [
        url,
        `  not asked for: no source that is listed has this host; "carrel init ${url}" writes one that does`,
      ];
    }
    return [
      `${url}  ${shown[0]?.name ?? ""}`,
      ...shown.map(({ source, isAsked, rule, robots }) => {
        const robotsText = robots === "not asked" ? "" : `; robots.txt: ${robots}`;
        return `  ${source}: ${isAsked ? "asked for" : "not asked for"}, ${rule}${robotsText}`;
      }),
    ];
  });
  const references = findReferences(sources);
  const found = references.map(
    ({ source, key, reference, ok, says }) => `${ok ? "ok  " : "BAD "} ${source}: ${key} (${reference}): ${says}`,
  );
  output.result({ urls: verdicts, references }, found.length === 0 ? lines : [...lines, "", ...found]);
  return 0;
}

async function removeSource(
  { app, output, signal }: Context,
  id: string,
  flags: { readonly force?: boolean },
): Promise<number> {
  const listed = await app.sources();
  mustBeUnlisted(id, listed, app.settings.pipelines);
  {
    using reading = app.openReading();
    const kept = keptSources(reading.corpus);
    if (!kept.has(id)) {
      throw new CarrelError(
        "not-found",
        `Nothing is kept of a source "${id}".${didYouMean(id, [...kept])} "carrel sources" lists what is.`,
      );
    }
    // With a mistyped pipelines folder, every source would seem to be listed no more.
    if (flags.force !== true && !listed.some((source) => kept.has(source.id))) {
      throw new CarrelError(
        "config",
        `None of the sources listed in ${app.settings.pipelines} is kept in ${app.settings.data}, so these may not belong together; check --pipelines and --data, or say --force.`,
      );
    }
  }
  const run = await app.removeSource(id, listed, progressLines(output), signal);
  output.result({ run }, [runLine(run)]);
  return EXIT_CODE_OF_RUN[run.status];
}

function mustBeUnlisted(id: string, listed: readonly Source[], pipelines: string): void {
  if (!listed.some((source) => source.id === id)) return;
  throw new CarrelError(
    "invalid",
    `The source "${id}" is listed in ${pipelines}, and would be fetched again; remove its pipeline first.`,
  );
}

/** Ids of the sources of which something is kept, or is noted to be. */
function keptSources(corpus: CorpusReader): ReadonlySet<string> {
  return new Set([...corpus.stats().sources.map(({ source }) => source), ...corpus.titles().keys()]);
}
