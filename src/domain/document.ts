import { CarrelError } from "./errors.ts";

/** A page as Markdown, under its document name: what is read, cited and exported. */
export interface Document {
  /** `documents/{host}/{path}`. */
  readonly name: string;
  /** The public URL. */
  readonly uri: string;
  readonly source: string;
  readonly title: string;
  /** The page's own description, or its first sentence; "" when it has neither. */
  readonly description: string;
  /** BCP 47, as the page says; "" when it does not. */
  readonly language: string;
  /** Markdown, without the title. */
  readonly content: string;
  /** ISO 8601, UTC: when the content last changed here. */
  readonly updateTime: string;
}

/** A document without its content. */
export interface DocumentInfo extends Omit<Document, "content"> {
  /** Of the content, in UTF-8. */
  readonly contentLengthBytes: number;
}

/** How the name of every document begins. */
export const NAME_PREFIX = "documents/";

/** Query parameters that say how a reader came, or which language is shown, and not which page. */
const IGNORED_PARAMETERS = /^(utm_\w+|gclid|fbclid|mc_[ce]id|hl|authuser)$/;

/**
 * The document name of a public URL: host and path, so that the many spellings of one page are one document: host in lower
 * case, no scheme, no default port, no fragment, no tracking or language parameters, no `index.html`, no trailing slash,
 * percent-encoding in upper case and only where it is needed. Parameters that choose a page (`?title=…`) stay, for without
 * them two pages would share a name.
 * Source: the Developer Knowledge contract, section 1.
 * @throws CarrelError `invalid` when it is no http or https URL.
 */
export function documentName(url: string): string {
  const parsed = new URL(tidyUrl(url));
  return NAME_PREFIX + parsed.host + parsed.pathname.replace(/\/$/, "") + parsed.search;
}

/**
 * The address of a page as readers are given it: what `documentName` folds is folded, but for the scheme and the trailing
 * slash, without which some servers do not answer.
 * @throws CarrelError `invalid` when it is no http or https URL.
 */
export function tidyUrl(url: string): string {
  const parsed = parseHttpUrl(url);
  parsed.hash = "";
  parsed.username = "";
  parsed.password = "";
  if (parsed.search !== "") {
    for (const key of new Set(parsed.searchParams.keys())) {
      if (IGNORED_PARAMETERS.test(key)) parsed.searchParams.delete(key);
    }
    parsed.searchParams.sort();
    if (parsed.searchParams.size === 0) parsed.search = "";
  }
  parsed.pathname = normalisePercent(parsed.pathname).replace(/\/index\.html?$/, "/");
  return parsed.href;
}

/**
 * The document name in what a person or an agent wrote: a name, or a pasted URL.
 * @throws CarrelError `invalid` when it is neither.
 */
export function parseDocumentName(text: string): string {
  const trimmed = text.trim();
  const bare = trimmed.startsWith(NAME_PREFIX) ? `https://${trimmed.slice(NAME_PREFIX.length)}` : trimmed;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare);
  const url = hasScheme ? bare : `https://${bare}`;
  if (!/^https?:\/\/[^\s/?#@\\.][^\s/?#@\\]*(?:[/?#]|$)/i.test(url) || hasControlCharacter(trimmed))
    throw notAName(text);
  try {
    return documentName(url);
  } catch {
    throw notAName(text);
  }
}

/** Parses an absolute http or https URL. @throws CarrelError `invalid` otherwise. */
export function parseHttpUrl(url: string | URL): URL {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new CarrelError(
      "invalid",
      `"${String(url)}" is not a URL; write it whole, such as https://docs.python.org/3.11/.`,
    );
  }
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    throw new CarrelError("invalid", `"${String(url)}" is not an http or https URL, and only these are read.`);
  }
  return parsed;
}

/** Upper-cases `%2f`, and decodes what RFC 3986 section 2.3 calls unreserved, which means the same either way. */
function normalisePercent(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escape.toUpperCase();
  });
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 32 || text.charCodeAt(i) === 127) return true;
  return false;
}

function notAName(text: string): CarrelError {
  const shown = JSON.stringify(text.length > 120 ? `${text.slice(0, 117)}...` : text);
  return new CarrelError(
    "invalid",
    `${shown} is not a document name; a name looks like documents/docs.python.org/3.11/library/os.html, and the page's URL does as well.`,
  );
}
