import { Parser } from "htmlparser2";

/** What one sitemap file holds; addresses as written. */
export interface Sitemap {
  readonly pages: readonly string[];
  /** Further sitemaps, of an index. */
  readonly sitemaps: readonly string[];
}

/**
 * Reads a sitemap: XML (`urlset` or `sitemapindex`, whatever the namespace), or text with an address on each line.
 * What is neither holds nothing. Source: sitemaps.org/protocol.html.
 */
export function parseSitemap(text: string): Sitemap {
  const start = text.slice(0, 100).trimStart();
  if (!start.startsWith("<")) return { pages: textLines(text), sitemaps: [] };
  const pages: string[] = [];
  const sitemaps: string[] = [];
  /** `url` or `sitemap`: whose `loc` this is. An image's or a video's `loc` has a prefix of its own. */
  let owner = "";
  let loc: string | undefined;
  const parser = new Parser(
    {
      onopentagname(name) {
        const local = name.slice(name.indexOf(":") + 1);
        if (local === "url" || local === "sitemap") owner = local;
        else if (local === "loc" && !/^(image|video):/.test(name)) loc = "";
      },
      ontext(data) {
        if (loc !== undefined) loc += data;
      },
      onclosetag() {
        const address = loc?.trim();
        loc = undefined;
        if (address) (owner === "sitemap" ? sitemaps : pages).push(address);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return { pages, sitemaps };
}

function textLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line));
}
