import { readFileSync, statSync } from "node:fs";
import { basename, relative, resolve, sep } from "node:path";
import { Command } from "commander";
import type { App } from "../../app.ts";
import { selectSource } from "../../config/select-sources.ts";
import type { ConversionInput } from "../../domain/conversion.ts";
import { CarrelError } from "../../domain/errors.ts";
import type { Source } from "../../domain/source.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";

/** `carrel try URL|FILE` */
export function tryCommand(): Command {
  const command = new Command("try")
    .description("show what a page is converted to, and by which rules")
    .argument("<page>", "a file, or the URL of a page that was fetched")
    .option("--source <id>", "convert as the pipeline of this source says; that of the page itself if not given")
    .option("--url <url>", "the public URL of a file, against which its links are resolved");
  return withCommonFlags(command).action(action(tryPage));
}

interface Flags {
  readonly source?: string;
  readonly url?: string;
}

async function tryPage({ app, output }: Context, page: string, flags: Flags): Promise<number> {
  const { input, from } = /^https?:\/\//i.test(page)
    ? await archived(app, page, flags)
    : await fileOf(app, page, flags);
  const explanation = await app.explain(input);
  output.result({ url: input.url, from, ...explanation }, lines(input.url, from, explanation));
  return 0;
}

/** What is converted, and for people where it is from. */
interface Tried {
  readonly input: ConversionInput;
  readonly from: string;
}

async function archived(app: App, url: string, flags: Flags): Promise<Tried> {
  if (flags.url !== undefined)
    throw new CarrelError("invalid", "--url is for files; a page that was fetched has its own.");
  const page = app.archivedPage(url, flags.source);
  if (page === undefined) {
    const of = flags.source === undefined ? "" : ` for the source ${flags.source}`;
    throw new CarrelError(
      "not-found",
      `${url} is not in the archive${of}. Refresh the source that it belongs to, or save the page and run "carrel try FILE --url ${url}".`,
    );
  }
  const source = (await app.sources()).find(({ id }) => id === page.source);
  const note = source === undefined ? ", which is listed no more: default rules" : "";
  return {
    input: inputOf(source, page.url, page.contentType, page.body),
    from: `the archive, of ${page.source}${note}, sent at ${page.fetchedAt}`,
  };
}

async function fileOf(app: App, path: string, flags: Flags): Promise<Tried> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CarrelError("not-found", `There is no file ${path}; name a file, or the URL of a page that was fetched.`);
  }
  const source = flags.source === undefined ? undefined : selectSource(await app.sources(), flags.source);
  // The type is that which the ending stands for.
  return { input: inputOf(source, flags.url ?? urlOf(path, source), "", readFileSync(path)), from: path };
}

function urlOf(path: string, source: Source | undefined): string {
  const inside = source?.kind === "folder" ? relative(source.folder, resolve(path)) : "..";
  const isBelow = source?.kind === "folder" && !inside.startsWith("..");
  const parts = isBelow ? inside.split(sep) : [basename(path)];
  return (isBelow ? source.baseUrl : "https://file.invalid/") + parts.map(encodeURIComponent).join("/");
}

function inputOf(source: Source | undefined, url: string, contentType: string, body: Uint8Array): ConversionInput {
  const aliases = source?.kind === "web" ? source.aliases : [];
  return { url, contentType, body, options: source?.convert ?? { remove: [] }, aliases };
}

function* lines(url: string, from: string, explanation: Awaited<ReturnType<App["explain"]>>): Iterable<string> {
  const { format, generator, content, dropped, rules, conversion } = explanation;
  const facts = [
    ["URL", url],
    ["read from", from],
    ["read as", format ?? ""],
    ["generator", generator],
    ["main content", content],
  ];
  if (conversion.kind === "document") {
    facts.push(
      ["title", conversion.title],
      ["description", conversion.description],
      ["language", conversion.language],
      ["breadcrumbs", conversion.breadcrumbs.join(" > ")],
      ["product", `${conversion.product} ${conversion.version}`.trim()],
      ["last modified", conversion.lastModified],
      ["canonical", conversion.canonical],
      ["kind", conversion.pageKind],
      ["passages", String(conversion.chunks.length)],
    );
  } else facts.push([conversion.kind, conversion.reason]);
  for (const [name = "", value = ""] of facts) if (value !== "") yield `${`${name}:`.padEnd(FACT_WIDTH)}${value}`;
  if (rules.length > 0) {
    yield "\nRules of the pipeline, in its order:";
    yield* table(
      ["elements", "match", "as", "the first begins"],
      rules.map(({ elements, match, as, example }) => [String(elements), match, as, example]),
    );
  }
  if (dropped.length > 0) {
    yield "\nDropped, with what is in them:";
    const rows = dropped.map(({ elements, by, rule, example }) => [String(elements), by, rule, example]);
    yield* table(["elements", "by", "rule", "the first begins"], rows);
  }
  if (conversion.kind === "document") {
    const { content, parts = [] } = conversion;
    yield `\n${content}`;
    for (const part of parts) yield `\n# ${part.title}\n\n<${url}#${part.fragment}>\n\n${part.content}`;
  }
}

const FACT_WIDTH = 15;
