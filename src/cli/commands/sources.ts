import { Command } from "commander";
import { selectSources } from "../../config/select-sources.ts";
import { parseHttpUrl } from "../../domain/document.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import type { Run } from "../../domain/run.ts";
import type { Source } from "../../domain/source.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";

/** `carrel sources`, `carrel sources check URL...` */
export function sourcesCommand(): Command {
  const check = withCommonFlags(
    new Command("check")
      .description("say of URLs which sources ask for them, by which rule, and what their documents are called")
      .argument("<url...>", "public URLs")
      .option("--source <id>", "only by this source"),
  ).action(action(checkUrls));
  const command = new Command("sources")
    .description("list the sources, what is kept of each, and their last runs")
    .addCommand(check);
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
