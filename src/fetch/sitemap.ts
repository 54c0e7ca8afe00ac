import { Parser } from "htmlparser2";

/** What one sitemap file holds; addresses as written. */
export interface Sitemap {
  readonly pages: readonly ListedPage[];
  /** Further sitemaps, of an index. */
  readonly sitemaps: readonly string[];
}

/** A page in a list that the site keeps of its pages. */
export interface ListedPage {
  readonly address: string;
  /** ISO 8601, UTC: the latest moment that its `lastmod` can mean. */
  readonly lastModified?: string;
}

/**
 * Reads a sitemap: XML (`urlset` or `sitemapindex`, whatever the namespace), or text with an address on each line.
 * What is neither holds nothing. Source: sitemaps.org/protocol.html.
 */
export function parseSitemap(text: string): Sitemap {
  const start = text.slice(0, 100).trimStart();
  if (!start.startsWith("<")) return { pages: textLines(text).map((address) => ({ address })), sitemaps: [] };
  const pages: ListedPage[] = [];
  const sitemaps: string[] = [];
  /** `url` or `sitemap`: whose `loc` this is. An image's or a video's `loc` has a prefix of its own. */
  let owner = "";
  let loc = "";
  let lastmod = "";
  let field: "loc" | "lastmod" | undefined;

  function finish(): void {
    const address = loc.trim();
    const lastModified = latestMoment(lastmod.trim());
    loc = "";
    lastmod = "";
    if (address === "") return;
    if (owner === "sitemap") sitemaps.push(address);
    else pages.push(lastModified === undefined ? { address } : { address, lastModified });
  }

  const parser = new Parser(
    {
      onopentagname(name) {
        const local = name.slice(name.indexOf(":") + 1);
        if (local === "url" || local === "sitemap") {
          finish();
          owner = local;
        } else if ((local === "loc" || local === "lastmod") && !/^(image|video|news):/.test(name)) {
          field = local;
        }
      },
      ontext(data) {
        if (field === "loc") loc += data;
        else if (field === "lastmod") lastmod += data;
      },
      onclosetag() {
        field = undefined;
      },
      onend: finish,
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return { pages, sitemaps };
}

/** When the last place on earth leaves a day behind. */
const AFTER_MIDNIGHT_MS = 12 * 60 * 60 * 1000;

/**
 * The latest moment that a date of the W3C format can mean: a day without a time ends in its last time zone, and a change in
 * its evening must not be taken for one in its morning. Undefined for what is no date.
 * Source: www.w3.org/TR/NOTE-datetime.
 */
export function latestMoment(text: string): string | undefined {
  const match = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T.{4,30})?)?)?$/i.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, time] = match;
  const atMs =
    time !== undefined
      ? Date.parse(text)
      : AFTER_MIDNIGHT_MS +
        (day !== undefined
          ? Date.UTC(Number(year), Number(month) - 1, Number(day) + 1)
          : month !== undefined
            ? Date.UTC(Number(year), Number(month))
            : Date.UTC(Number(year) + 1, 0));
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
}

function textLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line));
}
