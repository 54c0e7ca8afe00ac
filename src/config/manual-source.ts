import { join } from "node:path";
import type { FolderSource, WebSource } from "../domain/source.ts";
import { DEFAULTS } from "./defaults.ts";
import { PACKAGE_ROOT } from "./settings.ts";

/** Where the manual is shipped. */
export const MANUAL_FOLDER = join(PACKAGE_ROOT, "data", "manual");

/** What the manual is named by; pipelines/manual.yaml has it as well. `.internal` is reserved for private use. */
const MANUAL_BASE = "https://carrel.internal/manual/";

const COMMON = {
  id: "manual",
  title: "Carrel's manual",
  scope: { type: "prefix", include: [], exclude: [] },
  freshness: { maxRecheckDays: DEFAULTS.maxRecheckDays, maxLoss: DEFAULTS.maxLoss },
  convert: { remove: [] },
} as const;

/** The manual as a folder. */
export function manualSource(): FolderSource {
  return { ...COMMON, kind: "folder", folder: MANUAL_FOLDER, baseUrl: MANUAL_BASE };
}

/** The manual as a web site. @param fetchBase where it is served; ends in a slash. */
export function demoSource(fetchBase: string): WebSource {
  return {
    ...COMMON,
    kind: "web",
    seeds: [MANUAL_BASE],
    aliases: [{ fetch: fetchBase, name: MANUAL_BASE }],
    rules: {
      obeyRobots: DEFAULTS.obeyRobots,
      sitemaps: [],
      followLinks: true,
      markdown: { prefer: false, suffixes: [] },
      allowAddresses: [],
    },
    limits: {
      maxPages: DEFAULTS.maxPages,
      maxDepth: DEFAULTS.maxDepth,
      maxPageBytes: DEFAULTS.maxPageBytes,
      maxSiteBytes: DEFAULTS.maxSiteBytes,
      concurrency: DEFAULTS.concurrency,
      delayMs: DEFAULTS.delayMs,
    },
  };
}
