import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve, dirname } from "node:path";
import type { z } from "zod";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { scopeVerdict } from "../domain/scope.ts";
import type { FolderSource, Source, WebSource } from "../domain/source.ts";
import { folderPipeline, webPipeline } from "./pipeline-schema.ts";
import { checkYaml, type Problem } from "./yaml-file.ts";

const SOURCE_ID = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * Reads every `*.yaml` and `*.yml` below a folder: one source a file, in the order of their ids.
 * @throws CarrelError `config` that lists every problem as `file:line: what is wrong`.
 */
export function loadPipelines(dir: string): readonly Source[] {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw new CarrelError(
      "config",
      `There is no folder ${dir}; name the folder of your pipelines with --pipelines DIR.`,
    );
  }
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$/.test(name) && !basename(name).startsWith("."))
    .sort()
    .map((name) => join(dir, name));
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
    else sources.set(id, { source: read.source, file });
  }
  if (problems.length > 0) throw asError(problems);
  return [...sources.values()].map(({ source }) => source).sort((a, b) => (a.id < b.id ? -1 : 1));
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
    return at(1, `cannot be read: ${reasonOf(error)}.`);
  }
  if (/^(?:folder|baseUrl)\s*:/m.test(text)) {
    const checked = checkYaml(file, text, folderPipeline);
    if (!checked.ok) return checked;
    return { source: folderSource(id, file, checked.value) };
  }
  const checked = checkYaml(file, text, webPipeline);
  if (!checked.ok) return checked;
  const source = webSource(id, checked.value);
  for (const [i, seed] of source.seeds.entries()) {
    const verdict = scopeVerdict(source, seed);
    if (!verdict.inScope) {
      return at(
        checked.lineOf(["seeds", i]),
        `the seed ${seed} is out of the source's own scope (${verdict.rule}); change one of them.`,
      );
    }
  }
  return { source };
}

function webSource(id: string, pipeline: z.output<typeof webPipeline>): WebSource {
  return {
    kind: "web",
    id,
    title: pipeline.title,
    seeds: pipeline.seeds.map((seed) => new URL(seed).href),
    scope: pipeline.scope,
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
    },
    freshness: pipeline.freshness,
    convert: convertOptions(pipeline.convert),
  };
}

function folderSource(id: string, file: string, pipeline: z.output<typeof folderPipeline>): FolderSource {
  return {
    kind: "folder",
    id,
    title: pipeline.title,
    folder: resolve(dirname(file), pipeline.folder),
    baseUrl: new URL(pipeline.baseUrl).href,
    scope: { type: "prefix", ...pipeline.scope },
    freshness: pipeline.freshness,
    convert: convertOptions(pipeline.convert),
  };
}

function convertOptions(convert: z.output<typeof webPipeline>["convert"]): Source["convert"] {
  const { preset, content, remove, keep } = convert;
  // What a pipeline does not say is left out, so that options are the same as before there was such a key.
  return {
    ...(preset === undefined ? {} : { preset }),
    ...(content === undefined ? {} : { content }),
    remove,
    ...(keep.length === 0 ? {} : { keep }),
  };
}

function asError(problems: readonly Problem[]): CarrelError {
  const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  return new CarrelError("config", lines.join("\n"));
}
