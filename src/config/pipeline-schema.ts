import { compile } from "css-select";
import { z } from "zod";
import { parseHttpUrl } from "../domain/document.ts";
import { reasonOf } from "../domain/errors.ts";

/** What a pipeline leaves out. Each is named in data/manual, and a test holds them together. */
export const DEFAULTS = {
  scopeType: "prefix",
  maxPages: 20_000,
  maxDepth: 50,
  maxPageBytes: 20_000_000,
  concurrency: 8,
  delayMs: 0,
} as const;

/** An absolute http or https URL, without credentials: no secret belongs in a pipeline. */
const httpUrl = z.string().superRefine((text, context) => {
  try {
    const url = parseHttpUrl(text);
    if (url.username !== "" || url.password !== "") {
      context.addIssue("a URL in a pipeline may hold no user name or password; no secret belongs in this file.");
    }
  } catch (error) {
    context.addIssue(reasonOf(error));
  }
});

const baseUrl = httpUrl.refine((text) => /^[^?#]*\/$/.test(text), {
  message: "a base URL ends in a slash, and has no ? or #: everything below it belongs to it.",
});

/** A glob over whole URLs; see `globMatches`. One that could never match is an error, not a rule that does nothing. */
const glob = z.string().superRefine((text, context) => {
  if (/[[\]{}\s]/.test(text)) {
    context.addIssue(
      `"${text}" is not a pattern: only *, ** and ? have a meaning here; write one pattern for each alternative.`,
    );
  } else if (!/^(?:\*|https?:\/\/)/.test(text)) {
    context.addIssue(
      `"${text}" can match no URL: a pattern is held against whole URLs, so begin with **/ or https://.`,
    );
  }
});

const selector = z.string().superRefine((text, context) => {
  try {
    compile(text);
  } catch (error) {
    context.addIssue(`"${text}" is not a CSS selector: ${reasonOf(error)}.`);
  }
});

const title = z.string().min(1);
const convert = z
  .strictObject({
    content: selector.optional(),
    remove: z.array(selector).default([]),
  })
  .prefault({});
const include = z.array(glob).default([]);
const exclude = z.array(glob).default([]);

/** A source on the web. */
export const webPipeline = z.strictObject({
  title,
  seeds: z.array(httpUrl).min(1),
  scope: z
    .strictObject({
      type: z.enum(["page", "prefix", "host", "domain"]).default(DEFAULTS.scopeType),
      include,
      exclude,
    })
    .prefault({}),
  aliases: z.record(baseUrl, baseUrl).default({}),
  limits: z
    .strictObject({
      maxPages: z.int().min(1).default(DEFAULTS.maxPages),
      maxDepth: z.int().min(0).default(DEFAULTS.maxDepth),
      maxPageBytes: z.int().min(1).default(DEFAULTS.maxPageBytes),
      concurrency: z.int().min(1).max(64).default(DEFAULTS.concurrency),
      delayMs: z.int().min(0).max(600_000).default(DEFAULTS.delayMs),
    })
    .prefault({}),
  convert,
});

/** A folder on disk that keeps its public names. */
export const folderPipeline = z.strictObject({
  title,
  folder: z.string().min(1),
  baseUrl,
  scope: z.strictObject({ include, exclude }).prefault({}),
  convert,
});
