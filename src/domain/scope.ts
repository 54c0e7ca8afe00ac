import { parseHttpUrl } from "./document-name.ts";
import { compileLanguages, languageOfSegment } from "./language-range.ts";
import { compilePattern } from "./pattern.ts";
import type { Scope, Source } from "./source.ts";
import { compileVersions } from "./version-segment.ts";

/** Whether a URL belongs to a source, and the rule that says so. */
export interface ScopeVerdict {
  readonly inScope: boolean;
  /** For people: `exclude` and the glob, `not below https://docs.python.org/3.11/ (scope.type: prefix)`. */
  readonly rule: string;
}

/** What a crawl of one source would do with a URL. */
export interface UrlVerdict {
  readonly source: string;
  readonly url: string;
  /** The name of its document. */
  readonly name: string;
  readonly isAsked: boolean;
  /** The rule of the scope, or of what is followed, that says so. */
  readonly rule: string;
  /** What robots.txt says, with its line; or why it is not heeded, not asked or cannot be read. */
  readonly robots: string;
}

/** The scope of one source, prepared: everything that is the same for each URL is worked out once. */
export interface SourceScope {
  /**
   * Decides by public URL. Exclude beats include, and both beat nothing: what they let through must still be within the
   * scope's type. Takes time linear in the URL, so no pattern can hang a crawl.
   * @throws CarrelError `invalid` for what is no http or https URL.
   */
  verdict(url: string): ScopeVerdict;
  /**
   * Whether an include pattern means this URL for what tells it from another one: it matches this one, and not the other.
   * So `**\/*.json` asks for `…/api.json`, held against `…/api`, and `https://docs.example.com/**` does not.
   */
  asksFor(url: string, other: string): boolean;
  /** The rule that puts a page out for the language that it says it is in; undefined when it is in. */
  refusedLanguage(tag: string): string | undefined;
}

/** What a scope is made of. */
export type Scoped = { readonly seeds: readonly string[]; readonly scope: Scope };

/** Prepares the scope of a source. @throws CarrelError `config` for a pattern that is no regular expression. */
export function compileScope({ seeds, scope }: Scoped): SourceScope {
  const { type, include, exclude, languages, versions } = scope;
  // What has no seeds has no place to be near to.
  const isWithin = seeds.length === 0 ? () => true : withinType(type, seeds);
  const outside = `${outsideText(type, seeds)} (scope.type: ${type})`;
  const excluding = exclude.map((pattern) => ({ matches: compilePattern(pattern), rule: `exclude ${pattern}` }));
  const including = include.map((pattern) => ({ matches: compilePattern(pattern), rule: `include ${pattern}` }));
  const takes = languages === undefined ? undefined : compileLanguages(languages);
  const known = versions === undefined ? undefined : compileVersions(versions);
  const directories = seeds.map((seed) => directoryOf(new URL(seed)));
  const refused = (tag: string, where: string): string | undefined =>
    takes === undefined || takes(tag)
      ? undefined
      : `language ${tag} ${where} (scope.languages: ${languages?.join(", ") ?? ""})`;

  function languageRule(url: URL, segments: readonly string[]): string | undefined {
    for (const place of languagePlaces(url, segments, directories)) {
      const tag = languageOfSegment(place);
      const rule = tag === undefined ? undefined : refused(tag, "in the path");
      if (rule !== undefined) return rule;
    }
    const hl = url.search.includes("hl=") ? url.searchParams.get("hl") : null;
    return hl === null ? undefined : refused(hl, "by hl");
  }

  function refusal(url: URL): string | undefined {
    if (takes === undefined && known === undefined) return undefined;
    const segments = url.pathname.slice(1).split("/");
    const version = known?.versionIn(segments);
    if (version !== undefined && known?.isListed(version) === false) {
      return `version ${version} in the path (scope.versions: ${versions?.join(", ") ?? ""})`;
    }
    return takes === undefined ? undefined : languageRule(url, segments);
  }

  return {
    verdict(url) {
      const parsed = parseHttpUrl(url);
      if (!isWithin(parsed)) return { inScope: false, rule: outside };
      if (parsed.hash !== "") parsed.hash = "";
      const subject = parsed.href;
      const excluded = excluding.find(({ matches }) => matches(subject));
      if (excluded !== undefined) return { inScope: false, rule: excluded.rule };
      const rule = refusal(parsed);
      if (rule !== undefined) return { inScope: false, rule };
      if (including.length === 0) return { inScope: true, rule: `type ${type}` };
      const included = including.find(({ matches }) => matches(subject));
      return included === undefined
        ? { inScope: false, rule: "matches no include" }
        : { inScope: true, rule: included.rule };
    },
    asksFor: (url, other) => including.some(({ matches }) => matches(url) && !matches(other)),
    refusedLanguage: (tag) => (tag.trim() === "" ? undefined : refused(tag.trim(), "as the page says")),
  };
}

/** What the scope of any source is made of: a folder or archive has the URL of its root for a seed, a WARC may have none. */
export function scopedBy(source: Source): Scoped {
  if (source.kind === "web") return source;
  return { seeds: source.baseUrl === undefined ? [] : [source.baseUrl], scope: source.scope };
}

interface Directory {
  readonly host: string;
  /** Ends in a slash. */
  readonly path: string;
}

function directoryOf({ host, pathname }: URL): Directory {
  return { host, path: pathname.slice(0, pathname.lastIndexOf("/") + 1) };
}

/** The segments that may say which language a page is in: the first of the path, and the first after a seed's directory. */
function languagePlaces(url: URL, segments: readonly string[], directories: readonly Directory[]): readonly string[] {
  const places = new Set([segments[0] ?? ""]);
  for (const { host, path } of directories) {
    if (path === "/" || host !== url.host || !url.pathname.startsWith(path)) continue;
    const end = url.pathname.indexOf("/", path.length);
    places.add(url.pathname.slice(path.length, end === -1 ? undefined : end));
  }
  return [...places];
}

/** What is to be said of a URL that is not within the type. */
function outsideText(type: Scope["type"], seeds: readonly string[]): string {
  const places = {
    page: seeds,
    prefix: seeds.map((seed) => new URL(".", seed).href),
    host: seeds.map((seed) => new URL(seed).host),
    domain: seeds.map((seed) => new URL(seed).hostname),
  }[type];
  const [place = "", ...others] = new Set(places);
  const which = others.length === 0 ? place : `${place} or another of the ${others.length + 1} that the seeds are in`;
  switch (type) {
    case "page":
      return `not ${place}, and no other seed`;
    case "prefix":
      return `not below ${which}`;
    case "host":
      return `not on ${which}`;
    case "domain":
      return `not on ${which}, nor on a subdomain`;
  }
}

/** http and https count as the same: a site that moves from the one to the other is still the site. */
function withinType(type: Scope["type"], seeds: readonly string[]): (url: URL) => boolean {
  const from = seeds.map((seed) => new URL(seed));
  switch (type) {
    case "page": {
      for (const seed of from) seed.hash = "";
      const pages = new Set(from.map(({ href }) => href));
      return ({ href, hash }) => pages.has(href.slice(0, href.length - hash.length));
    }
    case "prefix": {
      const byHost = new Map<string, string[]>();
      for (const { host, path } of from.map(directoryOf)) byHost.set(host, [...(byHost.get(host) ?? []), path]);
      return ({ host, pathname }) =>
        byHost.get(host)?.some((path) => pathname.startsWith(path) || isDirectoryItself(pathname, path)) ?? false;
    }
    case "host": {
      const hosts = new Set(from.map(({ host }) => host));
      return ({ host }) => hosts.has(host);
    }
    case "domain": {
      const names = [...new Set(from.map(({ hostname }) => hostname))];
      return ({ hostname }) => names.some((name) => hostname === name || hostname.endsWith(`.${name}`));
    }
  }
}

/** Whether a path is that of a directory, without its slash. */
function isDirectoryItself(pathname: string, directory: string): boolean {
  return pathname.length + 1 === directory.length && directory.startsWith(pathname);
}
