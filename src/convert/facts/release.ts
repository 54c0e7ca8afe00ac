import { SEPARATOR } from "../metadata.ts";

/** A product and its version, as far as they are told. */
export interface Release {
  readonly product: string;
  readonly version: string;
}

export const NO_RELEASE: Release = { product: "", version: "" };

/** Words after the name of a product and its version: "Python 3.11.2 documentation". */
const NOUNS =
  /^(?:api|documentation|docs?|manual|reference|guide|users?|user['’]s|handbook|specification|help|javadoc|book|wiki)$/i;

const VERSION =
  /^v?(\d{1,5}(?:\.\d{1,5}){0,4}(?:\.x|[-.+~_]?(?:a|b|rc|alpha|beta|dev|pre|post|m|p|jre|android|final|ga|snapshot|lts)(?:[.\d+-][\w.+-]{0,30})?)?)$/i;

/** In the languages into which manuals are translated. */
const VERSION_WORD = /^(?:version|release|ver\.?|v\.?|versi[oó]n|versão|sürümü?|バージョン|버전|版本|версия)[:.]?$/iu;

const LONGEST = 160;

/** A version without its `v`; "" for what is none. */
export function versionOf(text: string): string {
  return VERSION.exec(text.trim())?.[1] ?? "";
}

/**
 * Reads "Python 3.11.2 documentation" or "Tern HTTP Server Version 2.4".
 * @param isSure A number alone is a version too: what is read says nothing else.
 */
export function namedRelease(text: string, isSure: boolean): Release {
  if (text.length > LONGEST) return NO_RELEASE;
  const words = text.trim().split(/\s+/);
  let isTold = isSure;
  while (words.length > 1 && NOUNS.test(words.at(-1) ?? "")) {
    words.pop();
    isTold = true;
  }
  const last = words.pop() ?? "";
  const version = versionOf(last.replace(/^\(|[),.;]$/g, ""));
  if (version === "") return NO_RELEASE;
  if (VERSION_WORD.test(words.at(-1) ?? "")) {
    words.pop();
    isTold = true;
  }
  if (!isTold && !/^v|\./i.test(last)) return NO_RELEASE;
  // "Java SE 17 & JDK 17" is of Java SE.
  const again = words.indexOf(last);
  const product = words.slice(0, again === -1 ? undefined : again).join(" ");
  return { product: product.replace(/ ?[:,–—-]$/u, ""), version };
}

/** Where the title of a page names product and version, or the product. */
export interface TitleRule {
  /** `Nest (Tern 2 API)`. */
  readonly inParentheses?: boolean;
  /** Which of the parts of a title is the product: `Page | Product | Site`, `Page - Product`. */
  readonly product?: "second" | "last";
}

/** What the title in the head says of product and version, behind that of the page. */
export function releaseInTitle(title: string, { inParentheses, product: place }: TitleRule): Release {
  if (inParentheses === true) {
    const open = title.lastIndexOf("(");
    if (open > 0 && title.endsWith(")")) {
      const inner = title.slice(open + 1, -1);
      const release = namedRelease(inner, true);
      return release.version === "" ? { product: withoutNouns(inner), version: "" } : release;
    }
  }
  const parts = title.split(SEPARATOR);
  const last = parts.at(-1) ?? "";
  const release = namedRelease(last, false);
  if (parts.length === 1) return NOUNS.test(last.split(" ").at(-1) ?? "") ? release : NO_RELEASE;
  if (release.version !== "") {
    return release.product === "" && parts.length > 2 ? { ...release, product: parts.at(-2) ?? "" } : release;
  }
  const named = place === "second" ? parts[1] : place === "last" ? last : undefined;
  return { product: withoutNouns(named ?? ""), version: "" };
}

/** "Tern Docs" and "The Tern Manual" are about Tern; an API is a product itself. */
export function withoutNouns(text: string): string {
  const words = text.trim().split(/\s+/);
  const all = words.length;
  while (words.length > 1 && NOUNS.test(words.at(-1) ?? "") && !/^api$/i.test(words.at(-1) ?? "")) words.pop();
  // "The Book" and "My Docs" have no other name.
  if (words.length === 1 && /^(?:the|my|our|your|an?)$/i.test(words[0] ?? "")) return text.trim();
  if (words.length > 1 && words.length < all && words[0] === "The") words.shift();
  return words.join(" ");
}

/** Segments behind which a number is a version. */
const BEFORE_VERSION = /^(?:docs?|documentation|manual|version|versions|v|javase|guide)$/i;
/** What stands behind these is what a page is about. */
const BEFORE_SUBJECT = /^(?:releases?|release-?notes?|whats-?new|changelog|news|blog|posts?|tags?)$/i;

/**
 * The version in the path of a URL, where the page does not tell it: the first segment that is one (`/3.11/`, `/v2/`), or a
 * number behind a word for documentation (`/docs/15/`), but not the page itself (`/releases/3.10`).
 */
export function versionInPath(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  if (!path.endsWith("/")) segments.pop();
  for (const [i, segment] of segments.entries()) {
    const before = segments[i - 1] ?? "";
    if (BEFORE_SUBJECT.test(before)) continue;
    // `/pkg@v1.2.3/`
    const bare = segment.slice(segment.lastIndexOf("@") + 1);
    const version = versionOf(bare);
    if (version === "") continue;
    const isMarked = /^v\d/i.test(bare) || version.includes(".") || bare !== segment;
    if (isMarked || (BEFORE_VERSION.test(before) && version.length <= MOST_DIGITS)) return version;
  }
  return "";
}

/** A longer number is a year or an id. */
const MOST_DIGITS = 3;
