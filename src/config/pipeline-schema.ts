import { isIP, isIPv6 } from "node:net";
import { compile } from "css-select";
import { z } from "zod";
import { parseHttpUrl } from "../domain/document-name.ts";
import { archiveFormat, isWarc } from "../domain/archive-format.ts";
import { NOTE_KINDS } from "../domain/convert-rule.ts";
import { reasonOf } from "../domain/errors.ts";
import { isLanguageRange } from "../domain/language-range.ts";
import { expressionProblem, isExpression, replacementProblem } from "../domain/pattern.ts";
import { DEFAULT_NAMES, DOCUMENT_TYPES, PRESETS } from "../domain/source.ts";
import { accessKeys, originList } from "./access-schema.ts";
import { DEFAULTS } from "./defaults.ts";
import { schedule } from "./schedule-schema.ts";

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

/** See `UrlPattern`. One that could never match is an error, not a rule that does nothing. */
const pattern = z.string().superRefine((text, context) => {
  if (isExpression(text)) {
    const problem = expressionProblem(text);
    if (problem !== undefined) context.addIssue(problem);
  } else if (/^\/.*\/[a-z]+$/.test(text)) {
    context.addIssue(
      `"${text}" is not a pattern: a regular expression stands between two slashes; to ignore case, begin it with (?i).`,
    );
  } else if (/[[\]{}\s]/.test(text)) {
    context.addIssue(
      `"${text}" is not a pattern: only *, ** and ? have a meaning here; write one pattern for each alternative, or a regular expression between slashes.`,
    );
  } else if (!/^(?:\*\*|https?:\/\/)/.test(text)) {
    context.addIssue(
      `"${text}" can match no URL: a pattern is held against whole URLs, so begin with **/ or https://.`,
    );
  }
});

/** A regular expression between slashes. */
const expression = z.string().superRefine((text, context) => {
  const problem = expressionProblem(text);
  if (problem !== undefined) context.addIssue(problem);
});

const language = z
  .string()
  .refine(isLanguageRange, "expected a language as BCP 47 has it, such as en, pt-BR or zh-Hant.");

const version = z
  .union([z.string(), z.number()], "expected a version as it stands in the path, such as '3.11' or stable, in quotes.")
  .superRefine((value, context) => {
    // YAML reads 3.10 as the number 3.1.
    if (typeof value === "number") {
      context.addIssue(`write the version ${value} in quotes: YAML takes 3.10 for the number 3.1.`);
    } else if (value === "" || /[/?#\s]/.test(value)) {
      context.addIssue(`"${value}" is no version: expected one segment of a path, such as '3.11' or stable.`);
    }
  })
  .transform(String);

const contentType = z.enum(DOCUMENT_TYPES);

const parameter = z
  .string()
  .regex(
    /^[^\s=&?#]+(?:=[^\s&?#]*)?$/,
    "expected the name of a query parameter, or name=value; * stands for anything.",
  );

const indexFile = z.string().regex(/^[^/?#\s]+$/, "expected the name of a file, such as index.html.");

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
const match = selector;
const word = z.string().min(1);
/** What elements mean; see `ConvertRule`. */
const convertRule = z.discriminatedUnion("as", [
  z.strictObject({
    match,
    as: z.literal("code"),
    language: z
      .string()
      .regex(/^[A-Za-z][\w+#.-]*$/)
      .optional(),
  }),
  z.strictObject({ match, as: z.enum(NOTE_KINDS), label: word.optional(), title: selector.optional() }),
  z
    .strictObject({
      match,
      as: z.literal("tabs"),
      panels: selector,
      labels: selector.optional(),
      labelAttribute: z
        .string()
        .regex(/^[\w:-]+$/)
        .optional(),
    })
    .refine(({ labels, labelAttribute }) => (labels === undefined) !== (labelAttribute === undefined), {
      message:
        "say where the labels of the tabs are: either labels, a selector, or labelAttribute, the name of an attribute.",
    }),
  z.strictObject({ match, as: z.literal("definitions"), terms: selector }),
  z.strictObject({ match, as: z.literal("heading"), level: z.int().min(1).max(6) }),
  z.strictObject({ match, as: z.enum(["paragraph", "quote", "text"]) }),
]);
const convert = z
  .strictObject({
    preset: z.enum(PRESETS).optional(),
    content: selector.optional(),
    remove: z.array(selector).default([]),
    keep: z.array(selector).default([]),
    rules: z.array(convertRule).default([]),
    keepIndexPages: z.boolean().default(false),
  })
  .prefault({});
/** What a scope says of URLs, whatever the kind of source. */
const scopeRules = {
  include: z.array(pattern).default([]),
  exclude: z.array(pattern).default([]),
  languages: z.array(language).min(1).optional(),
  versions: z.array(version).min(1).optional(),
  contentTypes: z.array(contentType).min(1).optional(),
};

const names = z
  .strictObject({
    ignoreParameters: z.array(parameter).default([...DEFAULT_NAMES.ignoreParameters]),
    indexFiles: z.array(indexFile).default([...DEFAULT_NAMES.indexFiles]),
    trailingSlash: z.enum(["fold", "keep"]).default(DEFAULT_NAMES.trailingSlash),
    rewrite: z
      .record(expression, z.string())
      .superRefine((rules, context) => {
        for (const [pattern, replacement] of Object.entries(rules)) {
          const problem = replacementProblem(pattern, replacement);
          if (problem !== undefined) context.addIssue({ code: "custom", path: [pattern], message: problem });
        }
      })
      .default({}),
  })
  .prefault({});

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
      ...scopeRules,
    })
    .prefault({}),
  names,
  aliases: z.record(baseUrl, baseUrl).default({}),
  limits: z
    .strictObject({
      maxPages: z.int().min(1).default(DEFAULTS.maxPages),
      maxDepth: z.int().min(0).default(DEFAULTS.maxDepth),
      maxPageBytes: z.int().min(1).default(DEFAULTS.maxPageBytes),
      maxSiteBytes: z.int().min(1).default(DEFAULTS.maxSiteBytes),
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
  render: z.enum(["off", "auto", "browser"]).default(DEFAULTS.render),
  renderOrigins: originList.default([]),
  ...accessKeys,
  freshness,
  convert,
  schedule,
});

/** A folder on disk that keeps its public names. */
export const folderPipeline = z.strictObject({
  title,
  folder: z.string().min(1),
  baseUrl,
  scope: z.strictObject(scopeRules).prefault({}),
  names,
  freshness,
  convert,
  schedule,
});

const archivePath = z.string().superRefine((path, context) => {
  const format = archiveFormat(path);
  if (typeof format !== "string") context.addIssue(format.refusal);
});

const archiveRoot = z
  .string()
  .transform((text) => text.replace(/^\/|\/$/g, ""))
  .refine((text) => text.split("/").every((part) => !["", ".", ".."].includes(part)) || text === "", {
    message: "expected a folder in the archive, such as docs/html; * stands for the one folder that is there.",
  });

/** An archive file whose pages keep their public names. */
export const archivePipeline = z
  .strictObject({
    title,
    archive: archivePath,
    baseUrl: baseUrl.optional(),
    root: archiveRoot.optional(),
    scope: z.strictObject(scopeRules).prefault({}),
    names,
    freshness,
    convert,
    schedule,
  })
  .superRefine(({ archive, baseUrl: base, root }, context) => {
    const format = archiveFormat(archive);
    if (typeof format !== "string") return;
    if (isWarc(format) && root !== undefined)
      context.addIssue({ code: "custom", path: ["root"], message: "a WARC has no folders; narrow its scope." });
    if (!isWarc(format) && base === undefined)
      context.addIssue(
        '"baseUrl" is missing; expected the public URL of the archive\'s root: only pages of a WARC have URLs of their own.',
      );
  });
