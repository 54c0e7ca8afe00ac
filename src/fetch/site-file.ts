import { gunzipSync } from "node:zlib";
import { header } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import type { Session } from "./session.ts";
import { statusText } from "./visit.ts";

/** The cap of the sitemap protocol on one file, expanded. Source: sitemaps.org/protocol.html. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_REDIRECTS = 5;

/** A file that a site keeps about its pages. */
export interface SiteFile {
  readonly text: string;
  readonly contentType: string;
  /** Where it was found at last: its links are relative to that. */
  readonly networkUrl: string;
}

/**
 * Reads a file that is no page: a sitemap, llms.txt. Redirects are followed.
 * @throws FetchFailure when there is none, or robots.txt forbids it.
 */
export async function readSiteFile(session: Session, start: string): Promise<SiteFile> {
  const { exchange, pace, robots, signal } = session;
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const { allowed, rule } = await robots.verdict(url);
    if (!allowed) throw new FetchFailure(`robots.txt forbids it (${rule})`, false);
    await pace.turn(new URL(url).host, signal);
    const { status, headers, body } = await exchange.get(url, {
      headers: {},
      maxBytes: MAX_BYTES,
      signal,
      wants: (status) => status === 200,
    });
    if (status === 200) {
      return { text: expanded(body).toString("utf8"), contentType: header(headers, "content-type"), networkUrl: url };
    }
    const target = status >= 300 && status < 400 ? URL.parse(String(headers["location"] ?? ""), url) : null;
    if (target === null || !/^https?:$/.test(target.protocol))
      throw new FetchFailure(`answered ${statusText(status)}`, false);
    url = target.href;
  }
  throw new FetchFailure(`more than ${MAX_REDIRECTS} redirects`, false);
}

/** `sitemap.xml.gz` is compressed by itself, and not by Content-Encoding: the first two bytes tell. */
function expanded(body: Buffer): Buffer {
  return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: MAX_BYTES }) : body;
}
