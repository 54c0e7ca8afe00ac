import { isIP, isIPv6 } from "node:net";
import { compile } from "css-select";
import { z } from "zod";
import { parseHttpUrl } from "../domain/document.ts";
import { reasonOf } from "../domain/errors.ts";
import { PRESETS } from "../domain/source.ts";
import { DEFAULTS } from "./defaults.ts";

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
  } else if (!/^(?:\*\*|https?:\/\/)/.test(text)) {
    context.addIssue(
      `"${text}" can match no URL: a pattern is held against whole URLs, so begin with **/ or https://.`,
    );
  }
});

const selector = z.string().superRefine((text, context) => {
  const trimmed = text.trim();
  // css-select takes these for selectors of nothing, or of everything.
  if (trimmed === "") {
    context.addIssue("an empty text is no CSS selector.");
    return;
  }
  if (/[>+~,]$/.test(trimmed)) {
    context.addIssue(`"${text}" is not a CSS selector: nothing follows its ${trimmed.at(-1) ?? ""}.`);
    return;
  }
  try {
    compile(text);
  } catch (error) {
    context.addIssue(`"${text}" is not a CSS selector: ${reasonOf(error)}.`);
  }
});

const addressRange = z.string().refine((text) => {
  const [address = "", bits, ...more] = text.split("/");
  const most = isIPv6(address) ? 128 : 32;
  return (
    isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}, "expected an IP address or a range such as 10.1.0.0/16.");

const markdownSuffix = z
  .string()
  .regex(/^[./][\w./-]*$/, "expected an ending such as .md or /index.md: what is put at the end of a page's address.");

const title = z
  .string()
  .min(1)
  .refine((text) => !/\p{C}/u.test(text), "a title is one line, without control characters.");
const convert = z
  .strictObject({
    preset: z.enum(PRESETS).optional(),
    content: selector.optional(),
    remove: z.array(selector).default([]),
    keep: z.array(selector).default([]),
  })
  .prefault({});
const include = z.array(glob).default([]);
const exclude = z.array(glob).default([]);

const freshness = z
  .strictObject({
    maxRecheckDays: z.number().min(0).max(3650).default(DEFAULTS.maxRecheckDays),
    maxLoss: z.number().min(0).max(1).default(DEFAULTS.maxLoss),
  })
  .prefault({});

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
  obeyRobots: z.boolean().default(DEFAULTS.obeyRobots),
  sitemaps: z.array(httpUrl).default([]),
  followLinks: z.boolean().default(DEFAULTS.followLinks),
  markdown: z.enum(["off", "prefer"]).default(DEFAULTS.markdown),
  markdownSuffixes: z.array(markdownSuffix).default([".md", ".md.txt", "/index.md"]),
  allowAddresses: z.array(addressRange).default([]),
  freshness,
  convert,
});

/** A folder on disk that keeps its public names. */
export const folderPipeline = z.strictObject({
  title,
  folder: z.string().min(1),
  baseUrl,
  scope: z.strictObject({ include, exclude }).prefault({}),
  freshness,
  convert,
});
