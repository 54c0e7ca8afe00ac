import type { WebSource } from "../domain/source.ts";
import { DEFAULTS } from "./pipeline-schema.ts";

/** What the manual is named by; pipelines/manual.yaml has it as well. `.internal` is reserved for private use. */
const MANUAL_BASE = "https://carrel.internal/manual/";

/** The manual as a web site. @param fetchBase where it is served; ends in a slash. */
export function demoSource(fetchBase: string): WebSource {
  return {
    kind: "web",
    id: "manual",
    title: "Carrel's manual",
    seeds: [MANUAL_BASE],
    scope: { type: "prefix", include: [], exclude: [] },
    aliases: [{ fetch: fetchBase, name: MANUAL_BASE }],
    limits: {
      maxPages: DEFAULTS.maxPages,
      maxDepth: DEFAULTS.maxDepth,
      maxPageBytes: DEFAULTS.maxPageBytes,
      concurrency: DEFAULTS.concurrency,
      delayMs: DEFAULTS.delayMs,
    },
    convert: { remove: [] },
  };
}
