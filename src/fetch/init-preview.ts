import { CarrelError } from "../domain/errors.ts";
import type { FolderLook, Preview, SiteLook } from "../domain/site-look.ts";
import type { Source } from "../domain/source.ts";
import { addressOf, checkLocalUrl } from "./folder-urls.ts";
import { parseRobots } from "./robots.ts";
import { compileUrlRules } from "./url-rules.ts";

const SAMPLES = 5;

/**
 * What a crawl of a source would do with the pages of the site that are known, each held against all that a crawl holds it
 * against before it asks: scope, kinds of files, traps, robots.txt.
 */
export function previewSite(source: Source, look: SiteLook, product: string): Preview {
  if (source.kind !== "web") throw new CarrelError("internal", `${source.id} is no web source.`);
  const rules = compileUrlRules(source);
  const robots = parseRobots(look.robots, product);
  const known = look.listed.length > 0 ? look.listed : look.links;
  return previewed([...new Set([look.url, ...known])], (url) => {
    const { follow, rule } = rules.verdict(url);
    if (!follow) return { rule };
    const { pathname, search } = new URL(rules.names.asked(url));
    const verdict = robots.verdict(pathname + search);
    return verdict.allowed ? { name: rules.names.name(url) } : { rule: `robots.txt: ${verdict.rule}` };
  });
}

/** The same for the documents of a folder. */
export function previewFolder(source: Source, look: FolderLook): Preview {
  if (source.kind !== "folder") throw new CarrelError("internal", `${source.id} is no folder.`);
  const urls = look.documents.map((path) => addressOf(source.baseUrl, path).url);
  return previewed(urls, (url) => {
    const { isAsked, rule, name } = checkLocalUrl(source, url);
    return isAsked ? { name } : { rule };
  });
}

function previewed(
  urls: readonly string[],
  judge: (url: string) => { readonly name: string } | { readonly rule: string },
): Preview {
  /** Of each document that would be kept, the first of its URLs. */
  const taken = new Map<string, string>();
  const out = new Map<string, { count: number; readonly example: string }>();
  for (const url of urls) {
    const verdict = judge(url);
    if ("name" in verdict) {
      if (!taken.has(verdict.name)) taken.set(verdict.name, url);
      continue;
    }
    const known = out.get(verdict.rule);
    if (known === undefined) out.set(verdict.rule, { count: 1, example: url });
    else known.count++;
  }
  return {
    taken: taken.size,
    samples: spread([...taken.values()], SAMPLES),
    leftOut: [...out].map(([rule, { count, example }]) => ({ rule, count, example })).sort((a, b) => b.count - a.count),
  };
}

/** So many of a list, from all over it. */
function spread(all: readonly string[], most: number): readonly string[] {
  const count = Math.min(most, all.length);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] ?? "");
}
