import type { Headers } from "./exchange.ts";

/** What a page asks of those who copy it. */
export interface IndexingWishes {
  /** Where the page asks not to be kept: `X-Robots-Tag` or `meta robots`; undefined when it does not. */
  readonly noindex: string | undefined;
  readonly nofollow: boolean;
}

export const NO_WISHES: IndexingWishes = { noindex: undefined, nofollow: false };

/**
 * Reads X-Robots-Tag headers and `<meta name=robots>`. Directives for another agent are not for us.
 * @param metas contents of `<meta name=robots>` and of those that name our product.
 * @param product the product token of our user agent.
 */
export function indexingWishes(headers: Headers, metas: readonly string[], product: string): IndexingWishes {
  const sent = headers["x-robots-tag"] ?? [];
  const tags = (typeof sent === "string" ? [sent] : sent).flatMap((value) => directivesFor(value, product));
  const written = metas.flatMap((content) => split(content));
  const has = (list: readonly string[], directive: string): boolean =>
    list.includes(directive) || list.includes("none");
  return {
    noindex: has(tags, "noindex") ? "X-Robots-Tag" : has(written, "noindex") ? "meta robots" : undefined,
    nofollow: has(tags, "nofollow") || has(written, "nofollow"),
  };
}

/** `noindex, otherbot: nofollow`: an agent's name speaks of all that follows it in the same header. */
function directivesFor(value: string, product: string): string[] {
  let forUs = true;
  const directives: string[] = [];
  for (const part of split(value)) {
    const [, agent, rest] = /^([a-z0-9_-]{1,60})\s{0,9}:(.*)$/s.exec(part) ?? [];
    if (agent === undefined || VALUED.includes(agent)) {
      if (forUs) directives.push(part);
      continue;
    }
    forUs = agent === product.toLowerCase();
    if (forUs) directives.push((rest ?? "").trim());
  }
  return directives;
}

/** Directives with a value after a colon, which look like an agent's name. */
const VALUED = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

function split(value: string): string[] {
  return value
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
}
