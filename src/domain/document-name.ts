import { CarrelError } from "./errors.ts";
import { compileGlob } from "./glob.ts";
import { DEFAULT_NAMES, type NameRules } from "./source.ts";

/** How the name of every document begins. */
export const NAME_PREFIX = "documents/";

/** The part of a source's name rules that one URL alone is held against, prepared. `compileNames` makes it. */
export interface Folding {
  /** Whether a query parameter does not choose a page. */
  ignores(parameter: string, value: string): boolean;
  readonly indexFiles: ReadonlySet<string>;
  readonly keepsSlash: boolean;
}

const DEFAULT_FOLDING = compileFolding(DEFAULT_NAMES);

/** Folds nothing but what every server takes for the same: host case, default port, fragment, percent-encoding. */
export const NO_FOLDING: Folding = { ignores: () => false, indexFiles: new Set(), keepsSlash: true };

/**
 * The document name of a public URL: host and path, so that the many spellings of one page are one document: host in lower
 * case, no scheme, no default port, no fragment, no tracking or language parameters, no `index.html`, no trailing slash,
 * percent-encoding in upper case and only where it is needed. Parameters that choose a page (`?title=…`) stay, for without
 * them two pages would share a name.
 * Source: the Developer Knowledge contract, section 1.
 * @param folding by the rules of a source; the default rules unless given.
 * @throws CarrelError `invalid` when it is no http or https URL.
 */
export function documentName(url: string, folding = DEFAULT_FOLDING): string {
  const { host, pathname, search } = tidied(url, folding);
  // The root of a host is one page, whatever is kept.
  const path = pathname === "/" || !folding.keepsSlash ? pathname.replace(/\/$/, "") : pathname;
  return NAME_PREFIX + host + path + search;
}

/**
 * The address of a page as readers are given it: what `documentName` folds is folded, but for the scheme and the trailing
 * slash, without which some servers do not answer.
 * @throws CarrelError `invalid` when it is no http or https URL.
 */
export function tidyUrl(url: string, folding = DEFAULT_FOLDING): string {
  return tidied(url, folding).href;
}

/** Each write to a URL takes as long as parsing one, so what is as it should be is left alone. */
function tidied(url: string, folding: Folding): URL {
  const parsed = parseHttpUrl(url);
  if (url.includes("#")) parsed.hash = "";
  if (parsed.username !== "" || parsed.password !== "") {
    parsed.username = "";
    parsed.password = "";
  }
  if (parsed.search !== "") {
    dropIgnored(parsed, folding);
    parsed.searchParams.sort();
    if (parsed.searchParams.size === 0) parsed.search = "";
  }
  const path = withoutIndex(normalisePercent(parsed.pathname), folding.indexFiles);
  if (path !== parsed.pathname) parsed.pathname = path;
  return parsed;
}

/**
 * A public URL as it is asked for: without the parameters that do not choose a page, which would have another rendering kept
 * under the page's name: `?hl=de`, `?print=1`. The rest is left as it was found, since servers tell `/a` from `/a/`.
 */
export function withoutIgnored(url: string, folding = DEFAULT_FOLDING): string {
  if (!url.includes("?")) return url;
  const parsed = URL.parse(url);
  return parsed !== null && dropIgnored(parsed, folding) ? parsed.href : url;
}

/** @returns whether there was one. */
function dropIgnored(url: URL, folding: Folding): boolean {
  const ignored = [...url.searchParams].filter(([name, value]) => folding.ignores(name, value));
  for (const [name, value] of ignored) url.searchParams.delete(name, value);
  if (url.searchParams.size === 0) url.search = "";
  return ignored.length > 0;
}

function withoutIndex(path: string, indexFiles: ReadonlySet<string>): string {
  const file = path.lastIndexOf("/") + 1;
  return indexFiles.has(path.slice(file)) ? path.slice(0, file) : path;
}

/** Prepares rules. `*` in a parameter stands for any characters. */
export function compileFolding({ ignoreParameters, indexFiles, trailingSlash }: Omit<NameRules, "rewrite">): Folding {
  const rules = ignoreParameters.map((rule) => {
    const equals = rule.indexOf("=");
    return {
      name: compileGlob(deep(equals === -1 ? rule : rule.slice(0, equals))),
      value: equals === -1 ? undefined : compileGlob(deep(rule.slice(equals + 1))),
    };
  });
  return {
    ignores: (parameter, given) => rules.some(({ name, value }) => name(parameter) && (value?.(given) ?? true)),
    indexFiles: new Set(indexFiles),
    keepsSlash: trailingSlash === "keep",
  };
}

/** A value may hold slashes, and a star stands for these too. */
function deep(text: string): string {
  return text.replaceAll(/\*+/g, "**");
}

/**
 * The document name in what a person or an agent wrote: a name, or a pasted URL.
 * @param folding as `documentName` has it.
 * @throws CarrelError `invalid` when it is neither.
 */
export function parseDocumentName(text: string, folding = DEFAULT_FOLDING): string {
  const trimmed = text.trim();
  const bare = trimmed.startsWith(NAME_PREFIX) ? `https://${trimmed.slice(NAME_PREFIX.length)}` : trimmed;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare);
  const url = hasScheme ? bare : `https://${bare}`;
  if (!/^https?:\/\/[^\s/?#@\\.][^\s/?#@\\]*(?:[/?#]|$)/i.test(url) || hasControlCharacter(trimmed))
    throw notAName(text);
  try {
    return documentName(url, folding);
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
