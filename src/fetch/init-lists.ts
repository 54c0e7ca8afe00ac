import type { SiteLook, SitemapLook } from "../domain/site-look.ts";
import { llmsTxtPages } from "./llms-txt.ts";
import type { Session } from "./session.ts";
import { readSiteFile } from "./site-file.ts";
import { parseSitemap } from "./sitemap.ts";

/** Enough to see which sections there are; a large site has dozens. */
const MAX_SITEMAPS_READ = 5;
/** Of a host that wants seconds between two requests. */
const MAX_READ_OF_SLOW_HOST = 1;
const MAX_LISTED = 200_000;

type Lists = Pick<SiteLook, "sitemaps" | "unreadSitemaps" | "listed" | "estimate" | "llmsTxt">;

/**
 * Reads some of the lists that a site keeps of its pages: the sitemaps that robots.txt names, or those at the usual places,
 * and llms.txt. Those of an index are read from all over it.
 */
export async function readLists(session: Session, url: string, isSlow: boolean): Promise<Lists> {
  const most = isSlow ? MAX_READ_OF_SLOW_HOST : MAX_SITEMAPS_READ;
  const named = await session.robots.sitemaps(url).catch(() => []);
  const places = named.length > 0 ? named : ["/sitemap.xml", "sitemap.xml"];
  const waiting = [...new Set(places.flatMap((place) => URL.parse(place, url)?.href ?? []))];
  const sitemaps: SitemapLook[] = [];
  const listed = new Set<string>();
  let read = 0;
  let leaves = 0;
  let unread = 0;
  while (waiting.length > 0 && !session.signal.aborted) {
    if (read >= most) {
      unread += waiting.length;
      break;
    }
    const place = waiting.shift() ?? "";
    read++;
    const found = await readSitemap(session, place);
    if (found === undefined || (found.pages.length === 0 && found.sitemaps.length === 0)) continue;
    sitemaps.push({ url: place, pages: found.pages.length, sitemaps: found.sitemaps.length });
    if (found.pages.length > 0) leaves++;
    for (const address of found.pages) if (listed.size < MAX_LISTED) listed.add(address);
    waiting.push(...spread(found.sitemaps, most - read));
    unread += Math.max(0, found.sitemaps.length - (most - read));
  }
  const perLeaf = leaves === 0 ? 0 : listed.size / leaves;
  const llms = isSlow ? [] : await llmsTxtPages(session);
  return {
    sitemaps,
    unreadSitemaps: unread,
    listed: [...listed],
    estimate: Math.round(listed.size + perLeaf * unread),
    llmsTxt: llms.length === 0 ? undefined : llms.length,
  };
}

async function readSitemap(
  session: Session,
  url: string,
): Promise<{ readonly pages: readonly string[]; readonly sitemaps: readonly string[] } | undefined> {
  try {
    const { text, networkUrl } = await readSiteFile(session, url);
    const { pages, sitemaps } = parseSitemap(text);
    const absolute = (address: string): string | readonly string[] => URL.parse(address, networkUrl)?.href ?? [];
    return { pages: pages.flatMap(({ address }) => absolute(address)), sitemaps: sitemaps.flatMap(absolute) };
  } catch {
    // Most sites have none at the usual places.
    return undefined;
  }
}

/** So many of a list, from all over it. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  const step = all.length / Math.max(1, count);
  return Array.from({ length: Math.max(0, count) }, (_, i) => all[Math.floor(i * step)]).filter(
    (one) => one !== undefined,
  );
}
