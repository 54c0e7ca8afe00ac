import type { Headers } from "./exchange.ts";

/** What a page asks of those who copy it. */
export interface IndexingWishes {
  /** Where the page asks not to be kept: `X-Robots-Tag` or `meta robots`; undefined when it does not. */
  readonly noindex: string | undefined;
  readonly nofollow: boolean;
}

export const NO_WISHES: IndexingWishes = { noindex: undefined, nofollow: false };

/**
 * Reads X-Robots-Tag headers and `<meta name=robots>`. Directives for another agent are not for us; of several that are, the
 * strictest counts. `rel=nofollow` on a link is none of these: it says what the site thinks of the target, not who may read
 * it, and manuals put it on links to their own pages; `robots.txt` and these wishes say what may be read.
 * Source: developers.google.com/search/docs/crawling-indexing/robots-meta-tag, as a description of what sites mean.
 * @param metas contents of `<meta name=robots>` and of those that name our product.
 * @param product the product token of our user agent.
 * @param now milliseconds since 1970: what is only to be kept until then counts as noindex.
 */
export function indexingWishes(
  headers: Headers,
  metas: readonly string[],
  product: string,
  now = Date.now(),
): IndexingWishes {
  const sent = headers["x-robots-tag"] ?? [];
  const tags = (typeof sent === "string" ? [sent] : sent).flatMap((value) => directivesFor(value, product));
  // Some write blanks in place of commas.
  const written = metas
    .flatMap((content) => split(content))
    .flatMap((part) => (part.includes(":") ? [part] : part.split(/\s/)));
  const asks = (list: readonly string[], directive: string): boolean =>
    list.includes(directive) || list.includes("none");
  const leaves = (list: readonly string[]): boolean =>
    asks(list, "noindex") || list.some((directive) => isPast(directive, now));
  return {
    noindex: leaves(tags) ? "X-Robots-Tag" : leaves(written) ? "meta robots" : undefined,
    nofollow: asks(tags, "nofollow") || asks(written, "nofollow"),
  };
}

/** Whether this is `unavailable_after: 25 Jun 2010 15:00:00 PST`, or a date of another common form, and that is over. */
function isPast(directive: string, now: number): boolean {
  const [, date] = /^unavailable_after\s{0,9}:\s{0,9}(.{4,60})$/s.exec(directive) ?? [];
  return date !== undefined && Date.parse(date) < now;
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
  return (
    value
      .toLowerCase()
      // The comma after a weekday belongs to its date.
      .replaceAll(/\b((?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|tue|wed|thu|sat),(?=\s{1,9}\d)/g, "$1")
      .split(",")
      .map((part) => part.trim())
  );
}
