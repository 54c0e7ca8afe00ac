import { publicUrl, type Aliases } from "../domain/source.ts";
import { withoutSession } from "./traps.ts";
import type { UrlRules } from "./url-rules.ts";

/** Turns links as written into the public URLs that the crawl follows. */
export interface LinkResolver {
  /** The distinct public URLs to ask for in scope, without fragment, of `hrefs` found at a network address. */
  followed(hrefs: readonly string[], base: string): string[];
  /** The public URL to ask for, without fragment, of one link as written; undefined when the crawl does not follow it. */
  follow(href: string, base: string): string | undefined;
  /** The public URL of one link as written, in scope or not; undefined when it is no http or https URL. */
  resolve(href: string, base: string): string | undefined;
  /** What was in scope and is not followed for its own sake: each reason once, with an example. */
  readonly traps: ReadonlyMap<string, string>;
}

/** The navigation of a site is on each of its pages: its links are judged once. Bounded, since a crawl may be endless. */
const REMEMBERED_LINKS = 20_000;
const MAX_EXAMPLE_LENGTH = 200;

/** More links to different pages than any page for people has; what is beyond is said, for it may be missed. */
const MAX_LINKS_PER_PAGE = 20_000;

export function createLinkResolver(urls: UrlRules, aliases: Aliases): LinkResolver {
  /** Network URL → public URL, or "" when it is not followed. */
  const judged = new Map<string, string>();
  const traps = new Map<string, string>();

  function judge(networkUrl: string): string {
    const known = judged.get(networkUrl);
    if (known !== undefined) return known;
    const url = withoutSession(publicUrl(aliases, networkUrl));
    const { follow, trap } = urls.verdict(url);
    if (trap !== undefined && !traps.has(trap)) traps.set(trap, url.slice(0, MAX_EXAMPLE_LENGTH));
    const answer = follow ? urls.names.asked(url) : "";
    if (judged.size >= REMEMBERED_LINKS) judged.clear();
    judged.set(networkUrl, answer);
    return answer;
  }

  return {
    traps,
    followed(hrefs, base) {
      const found = new Set<string>();
      const asWritten = new Set<string>();
      for (const href of hrefs) {
        const bare = withoutFragment(href);
        // Index pages link to many places of one page.
        if (bare === "" || asWritten.has(bare)) continue;
        asWritten.add(bare);
        const networkUrl = resolveHttp(bare, base);
        if (networkUrl === undefined) continue;
        const url = judge(networkUrl);
        if (url === "") continue;
        if (found.size >= MAX_LINKS_PER_PAGE) {
          traps.set(`more than ${MAX_LINKS_PER_PAGE} links on a page`, publicUrl(aliases, base));
          break;
        }
        found.add(url);
      }
      return [...found];
    },
    follow(href, base) {
      const networkUrl = resolveHttp(withoutFragment(href), base);
      return networkUrl === undefined ? undefined : judge(networkUrl) || undefined;
    },
    resolve(href, base) {
      const networkUrl = resolveHttp(withoutFragment(href), base);
      return networkUrl === undefined ? undefined : publicUrl(aliases, networkUrl);
    },
  };
}

function withoutFragment(href: string): string {
  const hash = href.indexOf("#");
  return hash === -1 ? href : href.slice(0, hash);
}

/** `mailto:`, `javascript:`, `data:`: the most common links that lead nowhere, told apart without parsing. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;

function resolveHttp(href: string, base: string): string | undefined {
  if (OTHER_SCHEME.test(href)) return undefined;
  const url = URL.parse(href, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") return undefined;
  url.username = "";
  url.password = "";
  return url.href;
}
