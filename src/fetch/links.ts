import { Parser } from "htmlparser2";

/** What a page says of other pages, as written: nothing is resolved or judged yet. */
export interface PageLinks {
  /** In the order of the page. */
  readonly hrefs: readonly string[];
  /** `<base href>`, of which the first counts; undefined when there is none. */
  readonly base: string | undefined;
  /** `<link rel=canonical>`; it is among `hrefs` as well. */
  readonly canonical: string | undefined;
  /** `<link rel=alternate type=text/markdown>`: the same page as Markdown; it is not among `hrefs`. */
  readonly markdown: string | undefined;
  /** The target of a `<meta http-equiv=refresh>` that acts at once; it is among `hrefs` as well. */
  readonly refresh: string | undefined;
  /** `<html lang>`; "" when the page does not say. */
  readonly language: string;
  /** The contents of `<meta name=robots>`, and of those that name our product. */
  readonly robots: readonly string[];
}

export const NO_LINKS: PageLinks = {
  hrefs: [],
  base: undefined,
  canonical: undefined,
  markdown: undefined,
  refresh: undefined,
  language: "",
  robots: [],
};

/** `<link rel>` values that lead to documents; the others are style sheets, icons, feeds and other languages. */
const DOCUMENT_RELS: ReadonlySet<string> = new Set(
  "canonical next prev previous up start first last contents index chapter section appendix glossary".split(" "),
);

/** Which attribute of which element holds an address. */
const ADDRESS: Readonly<Record<string, string>> = {
  a: "href",
  area: "href",
  base: "href",
  link: "href",
  frame: "src",
  iframe: "src",
};

/**
 * Finds the links of an HTML page without building a tree, which would cost several times as much.
 * @param product the product token of our user agent, for `<meta name=…>`.
 */
export function htmlLinks(html: string, product: string): PageLinks {
  const hrefs: string[] = [];
  const robots: string[] = [];
  let base: string | undefined;
  let canonical: string | undefined;
  let markdown: string | undefined;
  let refresh: string | undefined;
  let language = "";
  let noscript = 0;

  // The element whose start tag is being read; undefined when it cannot hold a link.
  let tag: string | undefined;
  let address = "";
  let attributes: Record<string, string> = {};

  function finish(): void {
    const tagName = tag;
    tag = undefined;
    if (tagName === undefined) return;
    if (tagName === "meta") {
      const name = attributes["name"]?.toLowerCase();
      if (name === "robots" || name === product.toLowerCase()) robots.push(attributes["content"] ?? "");
      // Inside <noscript> it sends readers without scripts elsewhere, and says nothing of the page.
      if (noscript > 0 || attributes["http-equiv"]?.toLowerCase() !== "refresh") return;
      const target = refreshTarget(attributes["content"] ?? "");
      if (target === undefined) return;
      refresh ??= target;
      hrefs.push(target);
    } else if (tagName === "html") {
      language ||= (attributes["lang"] ?? attributes["xml:lang"] ?? "").trim();
    } else if (tagName === "base") {
      if (address !== "") base ??= address;
    } else if (tagName === "link") {
      const rels = (attributes["rel"] ?? "").toLowerCase().split(" ");
      const isMarkdown = /^text\/(?:x-)?markdown\b/i.test(attributes["type"] ?? "");
      if (rels.includes("alternate") && isMarkdown && address !== "") markdown ??= address;
      if (address === "" || !rels.some((rel) => DOCUMENT_RELS.has(rel))) return;
      if (rels.includes("canonical")) canonical ??= address;
      hrefs.push(address);
    } else if (address !== "" && !address.startsWith("#")) {
      hrefs.push(address);
    }
  }

  const parser = new Parser({
    onopentagname(name) {
      finish();
      tag = name in ADDRESS || name === "meta" || name === "html" ? name : undefined;
      address = "";
      if (name === "noscript") noscript++;
      if (name === "link" || name === "meta" || name === "html") attributes = {};
    },
    onattribute(name, value) {
      if (tag === undefined) return;
      if (ADDRESS[tag] === name) address ||= value.trim();
      else if (tag === "link" || tag === "meta" || tag === "html") attributes[name] = value;
    },
    onclosetag(name) {
      finish();
      if (name === "noscript" && noscript > 0) noscript--;
    },
    onend() {
      finish();
    },
  });
  parser.end(html);
  // A link to it ("view as Markdown") leads to no page of its own.
  const pages = markdown === undefined ? hrefs : hrefs.filter((href) => href !== markdown);
  return { hrefs: pages, base, canonical, markdown, refresh, language, robots };
}

/** The target in `0; url=there`; undefined when the page is meant to be seen first, or is merely loaded again. */
function refreshTarget(content: string): string | undefined {
  const match = /^\s{0,20}(\d{1,9})(?:\.\d{0,9})?\s{0,20}[;,]\s{0,20}(?:url\s{0,20}=\s{0,20})?(.+)$/is.exec(content);
  if (match === null || Number(match[1]) > 0) return undefined;
  const target = (match[2] ?? "").trim();
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target === "" ? undefined : target;
  const end = target.indexOf(quote, 1);
  return target.slice(1, end === -1 ? undefined : end).trim() || undefined;
}

/** An inline link, a reference definition, and an autolink: each stops at the first character that no address holds. */
const MARKDOWN_LINKS = [
  /\]\(<?([^\s()<>]{1,2000})/g,
  /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,20}<?([^\s<>]{1,2000})/gm,
  /<(https?:\/\/[^\s<>]{1,2000})>/g,
];

/** Finds the links of a Markdown page; the address of an image is among them, and its ending gives it away. */
export function markdownLinks(markdown: string): PageLinks {
  const hrefs: string[] = [];
  for (const pattern of MARKDOWN_LINKS) {
    for (const [, href] of markdown.matchAll(pattern)) {
      if (href !== undefined && !href.startsWith("#")) hrefs.push(href);
    }
  }
  return { ...NO_LINKS, hrefs };
}
