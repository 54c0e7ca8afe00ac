import type { Link } from "../domain/page.ts";
import { fetchUrl } from "../domain/source.ts";
import { failureOf } from "./failure.ts";
import { createLinkResolver, type LinkResolver } from "./follow.ts";
import { llmsTxtPages } from "./llms-txt.ts";
import type { Session } from "./session.ts";
import { readSiteFile } from "./site-file.ts";
import { parseSitemap, type ListedPage } from "./sitemap.ts";

/** An index may name 50,000 files; no documentation has this many. */
const MAX_SITEMAPS = 500;

/**
 * The pages in scope that the site's own lists name: sitemaps (those that the pipeline lists, and those in the robots.txt of
 * the seeds' hosts) and llms.txt. They are one link away from a seed. A list that cannot be read is said and passed over:
 * links lead further.
 */
export async function discover(session: Session): Promise<readonly Link[]> {
  const { source, logger } = session;
  const resolver = createLinkResolver(session.urls, source.aliases);
  /** Public URL → when it last changed; "" when the list does not say. */
  const found = new Map<string, string>();
  const add = ({ address, lastModified = "" }: ListedPage, base: string): void => {
    const url = resolver.follow(address, base);
    if (url !== undefined && lastModified >= (found.get(url) ?? "")) found.set(url, lastModified);
  };
  await readSitemaps(session, resolver, add);
  for (const address of await llmsTxtPages(session)) add({ address }, address);
  if (!source.rules.followLinks && found.size === 0 && !session.signal.aborted) {
    logger.warn(
      `${source.id}: followLinks is false, and no sitemap or llms.txt names a page in scope: only the seeds are asked for`,
    );
  }
  return [...found].map(([url, lastModified]) =>
    lastModified === "" ? { url, depth: 1 } : { url, depth: 1, lastModified },
  );
}

async function readSitemaps(
  session: Session,
  resolver: LinkResolver,
  add: (page: ListedPage, base: string) => void,
): Promise<void> {
  const { source, logger, robots, signal } = session;
  const waiting: string[] = source.rules.sitemaps.map((url) => fetchUrl(source.aliases, url));
  for (const seed of source.seeds) {
    const host = fetchUrl(source.aliases, seed);
    for (const named of await robots.sitemaps(host).catch(() => [])) {
      const url = resolver.resolve(named, host);
      if (url !== undefined) waiting.push(fetchUrl(source.aliases, url));
    }
  }
  const asked = new Set<string>();
  for (let url = waiting.shift(); url !== undefined && !signal.aborted; url = waiting.shift()) {
    if (asked.has(url)) continue;
    if (asked.size >= MAX_SITEMAPS) {
      logger.warn(`${source.id}: only the first ${MAX_SITEMAPS} sitemaps are read`);
      break;
    }
    asked.add(url);
    try {
      const { pages, sitemaps } = parseSitemap((await readSiteFile(session, url)).text);
      for (const page of pages) add(page, url);
      for (const further of sitemaps) {
        const address = resolver.resolve(further, url);
        if (address !== undefined) waiting.push(fetchUrl(source.aliases, address));
      }
    } catch (thrown) {
      if (!signal.aborted) logger.warn(`${source.id}: the sitemap ${url} cannot be read: ${failureOf(thrown).message}`);
    }
  }
}
