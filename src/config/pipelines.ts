import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import type { z } from "zod";
import { CarrelError } from "../domain/errors.ts";
import { fileReasonOf } from "../domain/file-errors.ts";
import { compileScope } from "../domain/scope.ts";
import type { ArchiveSource, FolderSource, NameRules, Scope, Source, WebSource } from "../domain/source.ts";
import { accessOf } from "./access-schema.ts";
import { archivePipeline, folderPipeline, webPipeline } from "./pipeline-schema.ts";
import { scheduleOf } from "./schedule-schema.ts";
import { groupNames } from "./select-sources.ts";
import { checkYaml, type Problem } from "./yaml-file.ts";

/** What a source may be called. */
export const SOURCE_ID = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * Reads every `*.yaml` and `*.yml` below a folder: one source a file, in the order of their ids. Those in a subfolder are of
 * the group that it is named by.
 * @throws CarrelError `config` that lists every problem as `file:line: what is wrong`.
 */
export function loadPipelines(dir: string): readonly Source[] {
  const files = listPipelines(dir);
  const problems: Problem[] = [];
  const sources = new Map<string, { source: Source; file: string }>();
  for (const file of files) {
    const id = sourceId(file);
    const first = sources.get(id);
    if (first !== undefined) {
      problems.push({
        file,
        line: 1,
        message: `the id "${id}" is taken by ${first.file}; a source's id is its file's name, so rename one.`,
      });
      continue;
    }
    const read = readPipeline(file);
    if ("problems" in read) problems.push(...read.problems);
    else sources.set(id, { source: inGroup(read.source, groupOf(dir, file)), file });
  }
  problems.push(...nameClashes(sources));
  if (problems.length > 0) throw asError(problems);
  return [...sources.values()].map(({ source }) => source).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The group that a pipeline's folder makes, such as `google` or `team/web`; "" for the pipelines folder itself. */
function groupOf(dir: string, file: string): string {
  return relative(dir, dirname(file)).split(sep).join("/");
}

function inGroup(source: Source, group: string): Source {
  return group === "" ? source : { ...source, group };
}

/** A name that means a source and a group would mean either: each of these is told of. */
function nameClashes(sources: ReadonlyMap<string, { source: Source; file: string }>): readonly Problem[] {
  const groups = new Set(groupNames([...sources.values()].map(({ source }) => source)));
  return [...sources]
    .filter(([id]) => groups.has(id))
    .map(([id, { file }]) => ({
      file,
      line: 1,
      message: `the id "${id}" is also the name of the folder ${id}/, which is a group of sources; rename one, so that "carrel refresh ${id}" means one thing.`,
    }));
}

/**
 * The files of a folder that list sources, sorted. A folder is none, whatever its name. What has a name that begins with a
 * dot or an underscore is left out with all that is in it: copies of an editor, models to copy from.
 */
function listPipelines(dir: string): readonly string[] {
  try {
    if (!statSync(dir).isDirectory())
      throw new CarrelError("config", `${dir} is a file; name the folder of your pipelines with --pipelines DIR.`);
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && /\.ya?ml$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/(?:^|[/\\])[._]/.test(relative(dir, file)))
      .sort();
  } catch (error) {
    if (error instanceof CarrelError) throw error;
    if (!existsSync(dir))
      throw new CarrelError(
        "config",
        `There is no folder ${dir}; name the folder of your pipelines with --pipelines DIR.`,
      );
    // It may be one of the folders inside.
    const folder = error instanceof Error && "path" in error ? String(error.path) : dir;
    throw new CarrelError(
      "config",
      `The folder ${folder} cannot be read: ${fileReasonOf(error)}; name the folder of your pipelines with --pipelines DIR.`,
    );
  }
}

/** Reads one pipeline. @throws CarrelError `config`. */
export function loadPipeline(file: string): Source {
  const read = readPipeline(file);
  if ("problems" in read) throw asError(read.problems);
  return read.source;
}

function sourceId(file: string): string {
  return basename(file, extname(file));
}

function readPipeline(file: string): { source: Source } | { problems: readonly Problem[] } {
  const id = sourceId(file);
  const at = (line: number, message: string): { problems: readonly Problem[] } => ({
    problems: [{ file, line, message }],
  });
  if (!SOURCE_ID.test(id)) {
    return at(
      1,
      `"${id}" is no good id for a source: name the file with lower-case letters, digits, dots, dashes and underscores.`,
    );
  }
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return at(1, `cannot be read: ${unreadable(file, error)}.`);
  }
  if (/^archive\s*:/m.test(text)) {
    const checked = checkYaml(file, text, archivePipeline);
    if (!checked.ok) return checked;
    return { source: archiveSource(id, file, checked.value) };
  }
  if (/^(?:folder|baseUrl)\s*:/m.test(text)) {
    const checked = checkYaml(file, text, folderPipeline);
    if (!checked.ok) return checked;
    return { source: folderSource(id, file, checked.value) };
  }
  const checked = checkYaml(file, text, webPipeline);
  if (!checked.ok) return checked;
  const { proxy, proxyAuth } = checked.value;
  if (proxy === "none" && proxyAuth !== undefined) {
    return at(checked.lineOf(["proxyAuth"]), '"proxyAuth" is for a proxy, and proxy is none.');
  }
  const source = webSource(id, file, checked.value);
  const scope = compileScope(source);
  for (const [i, seed] of source.seeds.entries()) {
    const verdict = scope.verdict(seed);
    if (!verdict.inScope) {
      return at(
        checked.lineOf(["seeds", i]),
        `the seed ${seed} is out of the source's own scope (${verdict.rule}); change one of them.`,
      );
    }
  }
  return { source };
}

function unreadable(file: string, error: unknown): string {
  const reason = fileReasonOf(error);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return reason;
  const code = error instanceof Error && "code" in error ? error.code : "";
  return code === "ENOENT" ? "it is a symbolic link that leads nowhere" : `it is a symbolic link, and ${reason}`;
}

function webSource(id: string, file: string, pipeline: z.output<typeof webPipeline>): WebSource {
  const access = accessOf(file, pipeline);
  const pages = RENDERED[pipeline.render];
  return {
    kind: "web",
    id,
    title: pipeline.title,
    seeds: pipeline.seeds.map((seed) => new URL(seed).href),
    scope: scopeOf(pipeline.scope.type, pipeline.scope),
    names: nameRules(pipeline.names),
    aliases: Object.entries(pipeline.aliases).map(([fetch, name]) => ({
      fetch: new URL(fetch).href,
      name: new URL(name).href,
    })),
    limits: pipeline.limits,
    rules: {
      obeyRobots: pipeline.obeyRobots,
      sitemaps: pipeline.sitemaps,
      followLinks: pipeline.followLinks,
      markdown: { prefer: pipeline.markdown === "prefer", suffixes: pipeline.markdownSuffixes },
      allowAddresses: pipeline.allowAddresses,
      // What is not asked for is left out, so that the crawl's rules are the same as before there was such a key.
      ...(pages === undefined ? {} : { render: { pages, origins: originsOf(pipeline.renderOrigins) } }),
    },
    ...(access === undefined ? {} : { access }),
    freshness: pipeline.freshness,
    convert: convertOptions(pipeline.convert),
    ...scheduleOf(pipeline.schedule),
  };
}

const RENDERED = { off: undefined, auto: "empty", browser: "all" } as const;

function originsOf(urls: readonly string[]): readonly string[] {
  return urls.map((url) => new URL(url).origin);
}

function folderSource(id: string, file: string, pipeline: z.output<typeof folderPipeline>): FolderSource {
  return {
    kind: "folder",
    ...localSource(id, pipeline),
    folder: resolve(dirname(file), pipeline.folder),
    baseUrl: new URL(pipeline.baseUrl).href,
  };
}

function archiveSource(id: string, file: string, pipeline: z.output<typeof archivePipeline>): ArchiveSource {
  const { baseUrl, root } = pipeline;
  return {
    kind: "archive",
    ...localSource(id, pipeline),
    archive: resolve(dirname(file), pipeline.archive),
    ...(baseUrl === undefined ? {} : { baseUrl: new URL(baseUrl).href }),
    ...(root === undefined ? {} : { root }),
  };
}

/** What folders and archives have in common. */
function localSource(id: string, pipeline: Omit<z.output<typeof folderPipeline>, "folder" | "baseUrl">) {
  return {
    id,
    title: pipeline.title,
    scope: scopeOf("prefix", pipeline.scope),
    names: nameRules(pipeline.names),
    freshness: pipeline.freshness,
    convert: convertOptions(pipeline.convert),
    ...scheduleOf(pipeline.schedule),
  };
}

function scopeOf(type: Scope["type"], scope: z.output<typeof folderPipeline>["scope"]): Scope {
  const { include, exclude, languages, versions, contentTypes } = scope;
  return {
    type,
    include,
    exclude,
    ...(languages === undefined ? {} : { languages }),
    ...(versions === undefined ? {} : { versions }),
    ...(contentTypes === undefined ? {} : { contentTypes }),
  };
}

function nameRules({ rewrite, ...rules }: z.output<typeof webPipeline>["names"]): NameRules {
  return {
    ...rules,
    rewrite: Object.entries(rewrite).map(([pattern, replacement]) => ({ pattern, replacement })),
  };
}

function convertOptions(convert: z.output<typeof webPipeline>["convert"]): Source["convert"] {
  const { preset, content, remove, keep, rules, keepIndexPages } = convert;
  // What a pipeline does not say is left out, so that options are the same as before there was such a key.
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(content === undefined ? {} : { content }),
    remove,
    ...(keep.length === 0 ? {} : { keep }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(keepIndexPages ? { keepIndexPages } : {}),
  };
}

function asError(problems: readonly Problem[]): CarrelError {
  const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  return new CarrelError("config", lines.join("\n"));
}
