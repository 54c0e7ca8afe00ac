import { Command } from "commander";
import { selectSources } from "../../config/select-sources.ts";
import { parseHttpUrl } from "../../domain/document-name.ts";
import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import type { Run } from "../../domain/run.ts";
import type { Source } from "../../domain/source.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { EXIT_CODE_OF_RUN } from "../exit-codes.ts";
import { table } from "../output.ts";
import { runLine } from "../run-text.ts";
import { progressLines } from "./refresh.ts";

/** `carrel sources`, `carrel sources check URL...`, `carrel sources remove ID` */
export function sourcesCommand(): Command {
  const check = withCommonFlags(
    new Command("check")
      .description("say of URLs which sources ask for them, by which rule, and what their documents are called")
      .argument("<url...>", "public URLs")
      .option("--source <id>", "only by this source"),
  ).action(action(checkUrls));
  const remove = withCommonFlags(
    new Command("remove")
      .description("remove what is kept of a source that is listed no more")
      .argument("<id>", "the id that its pipeline's file had")
      .option("--force", "also when none of the sources that are listed is kept here"),
  ).action(action(removeSource));
  const command = new Command("sources")
    .description("list the sources, what is kept of each, and their last runs")
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

async function sources({ app, output }: Context): Promise<number> {
  const listed = await app.sources();
  using reading = app.tryReading();
  const rows = sourceRows(listed, reading?.corpus);
  const lines = table(
    ["source", "documents", "last run", "from", "title"],
    rows.map(({ id, source, documents, lastRun }) => [
      id,
      String(documents),
      lastRun === undefined ? "never" : `${lastRun.status} ${lastRun.startedAt.slice(0, 10)}`,
      source === undefined ? "(listed no more)" : source.kind === "web" ? (source.seeds[0] ?? "") : source.folder,
      source?.title ?? "",
    ]),
  );
  const value = rows.map(({ id, source, documents, lastRun }) => ({ id, documents, lastRun, ...source }));
  output.result({ sources: value }, lines);
  return 0;
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

async function checkUrls(
  { app, output, signal }: Context,
  written: readonly string[],
  flags: { readonly source?: string },
): Promise<number> {
  const urls = written.map((url) => parseHttpUrl(url).href);
  const listed = await app.sources();
  const sources = flags.source === undefined ? listed : selectSources(listed, [flags.source]);
  const verdicts = await app.checkUrls(sources, urls, signal);
  const lines = urls.flatMap((url, i) => {
    const own = verdicts.filter((_, place) => place % urls.length === i);
    const asking = own.filter(({ isAsked, robots }) => isAsked || robots !== "not asked");
    const shown = asking.length > 0 ? asking : own;
    return [
      `${url}  ${own[0]?.name ?? "no source is listed"}`,
      ...shown.map(({ source, isAsked, rule, robots }) => {
        const robotsText = robots === "not asked" ? "" : `; robots.txt: ${robots}`;
        return `  ${source}: ${isAsked ? "asked for" : "not asked for"}, ${rule}${robotsText}`;
      }),
    ];
  });
  output.result({ urls: verdicts }, lines);
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
