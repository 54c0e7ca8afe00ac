import { gunzipSync } from "node:zlib";
import type { Link } from "../domain/page.ts";
import { fetchUrl } from "../domain/source.ts";
import { failureOf, FetchFailure } from "./failure.ts";
import { createLinkResolver } from "./follow.ts";
import type { Session } from "./session.ts";
import { parseSitemap } from "./sitemap.ts";
import { statusText } from "./visit.ts";

/** The protocol's own cap on one file, expanded. Source: sitemaps.org/protocol.html. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
/** An index may name 50,000 files; no documentation has this many. */
const MAX_SITEMAPS = 500;
const MAX_REDIRECTS = 5;

/**
 * The pages in scope that the source's sitemaps name: those that the pipeline lists, and those in the robots.txt of the seeds'
 * hosts. They are one link away from a seed. A sitemap that cannot be read is said and passed over: links lead further.
 */
export async function discover(session: Session): Promise<readonly Link[]> {
  const { source, logger, robots, signal } = session;
  const resolver = createLinkResolver(source);
  const waiting: string[] = source.rules.sitemaps.map((url) => fetchUrl(source.aliases, url));
  for (const seed of source.seeds) {
    const host = fetchUrl(source.aliases, seed);
    for (const named of await robots.sitemaps(host).catch(() => [])) {
      const url = resolver.resolve(named, host);
      if (url !== undefined) waiting.push(fetchUrl(source.aliases, url));
    }
  }
  const asked = new Set<string>();
  const urls = new Set<string>();
  for (let url = waiting.shift(); url !== undefined && !signal.aborted; url = waiting.shift()) {
    if (asked.has(url)) continue;
    if (asked.size >= MAX_SITEMAPS) {
      logger.warn(`${source.id}: only the first ${MAX_SITEMAPS} sitemaps are read`);
      break;
    }
    asked.add(url);
    try {
      const { pages, sitemaps } = parseSitemap(await readSitemap(session, url));
      for (const page of resolver.followed(pages, url)) urls.add(page);
      for (const further of sitemaps) {
        const address = resolver.resolve(further, url);
        if (address !== undefined) waiting.push(fetchUrl(source.aliases, address));
      }
    } catch (thrown) {
      if (!signal.aborted) logger.warn(`${source.id}: the sitemap ${url} cannot be read: ${failureOf(thrown).message}`);
    }
  }
  return [...urls].map((url) => ({ url, depth: 1 }));
}

async function readSitemap(session: Session, start: string): Promise<string> {
  const { exchange, pace, robots, signal } = session;
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { allowed, rule } = await robots.verdict(url);
    if (!allowed) throw new FetchFailure(`robots.txt forbids it (${rule})`, false);
    await pace.turn(new URL(url).host, signal);
    const { status, headers, body } = await exchange.get(url, {
      headers: {},
      maxBytes: MAX_SITEMAP_BYTES,
      signal,
      wants: (status) => status === 200,
    });
    if (status === 200) return expandFile(body).toString("utf8");
    const target = status >= 300 && status < 400 ? URL.parse(String(headers["location"] ?? ""), url) : null;
    if (target === null || !/^https?:$/.test(target.protocol))
      throw new FetchFailure(`answered ${statusText(status)}`, false);
    url = target.href;
  }
  throw new FetchFailure(`more than ${MAX_REDIRECTS} redirects`, false);
}

/** `sitemap.xml.gz` is compressed by itself, and not by Content-Encoding: the first two bytes tell. */
function expandFile(body: Buffer): Buffer {
  return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: MAX_SITEMAP_BYTES }) : body;
}
