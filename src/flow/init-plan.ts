import type { FolderLook, SiteLook, StartPage } from "../domain/site-look.ts";
import { exclusionsOf, generatorName, type Exclusion } from "./init-habits.ts";
import { addressSigns, likelyVersion, type AddressSigns } from "./init-signs.ts";

/** What a pipeline is to say, and what was found that says so. */
export interface PipelinePlan {
  readonly title: string;
  /** What was found, a line for each fact: its name, and what it is. */
  readonly facts: readonly Fact[];
  /** What whoever runs it should know before the first refresh. */
  readonly advice: readonly string[];
  readonly source: WebPlan | FolderPlan;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Keys of a web source; what is left out keeps its default. */
export interface WebPlan {
  readonly kind: "web";
  readonly seeds: readonly string[];
  readonly type: "page" | "prefix" | "host";
  readonly include: readonly string[];
  readonly exclude: readonly Exclusion[];
  readonly languages: readonly string[];
  readonly otherLanguages: readonly string[];
  readonly versions: readonly string[];
  readonly otherVersions: readonly string[];
  /** Those that a refresh would not find by itself. */
  readonly sitemaps: readonly string[];
  readonly prefersMarkdown: boolean;
  readonly needsBrowser: boolean;
  readonly allowAddresses: readonly string[];
  readonly maxPages: number | undefined;
  readonly concurrency: number;
  readonly delayMs: number;
}

export interface FolderPlan {
  readonly kind: "folder";
  readonly folder: string;
  readonly baseUrl: string;
  readonly isBaseKnown: boolean;
  readonly exclude: readonly Exclusion[];
}

/** A run asks for no more than this unless a pipeline says so. */
const DEFAULT_MAX_PAGES = 20_000;
/** Sitemaps leave pages out, and a site grows. */
const ROOM = 1.5;
const PUBLIC_PACE = { concurrency: 4, delayMs: 250 };
/** At a pace of four in a second a large site takes days. */
const LARGE_PAGES = 10_000;
const LARGE_PACE = { concurrency: 6, delayMs: 100 };
/** A site at a private address is one's own. */
const PRIVATE_PACE = { concurrency: 8, delayMs: 0 };

/** What a pipeline for a site says. */
export function planSite(look: SiteLook, page: StartPage): PipelinePlan {
  const { origin, pathname } = new URL(look.url);
  const isPage = page.generator === "" && !/markdown/.test(look.contentType);
  const directory = origin + pathname.slice(0, pathname.lastIndexOf("/") + 1);
  const own = [...new Set([...look.listed, ...look.links])].filter((url) => url.startsWith(`${origin}/`));
  const { include, type } = scopeOf(look, own, directory, isPage);
  const root = include.length > 0 ? `${look.url.replace(/[?#].*$/s, "")}/` : directory;
  const signs = addressSigns(own, root);
  const language = /^[a-z]{2,3}(?=$|[-_])/i.exec(page.language)?.[0].toLowerCase() ?? "en";
  const isOther = (tag: string): boolean => tag.split(/[-_]/)[0]?.toLowerCase() !== language;
  const otherLanguages = [...new Set([...signs.languages, ...hreflangTwins(look)])].filter(isOther);
  const version = likelyVersion(signs.versions);
  const pace = look.isPrivate ? PRIVATE_PACE : look.estimate > LARGE_PAGES ? LARGE_PACE : PUBLIC_PACE;
  const isNamed = /^\s*sitemap\s*:/im.test(look.robots);
  const source: WebPlan = {
    kind: "web",
    seeds: [look.url],
    type,
    include,
    exclude: [
      ...exclusionsOf(page.generator),
      ...(signs.hasBlog ? [{ pattern: "/\\/blog(?:[\\/?]|$)/", why: "The blog: take this line out to keep it" }] : []),
    ],
    languages: otherLanguages.length > 0 ? [language] : [],
    otherLanguages,
    versions: version === undefined ? [] : [version],
    otherVersions: signs.versions.filter((other) => other !== version),
    sitemaps: isNamed ? [] : look.sitemaps.slice(0, 1).map(({ url }) => url),
    prefersMarkdown: look.markdown !== undefined && (page.generator === "generic" || look.needsScript),
    needsBrowser: look.needsScript && look.markdown === undefined,
    allowAddresses: look.allowAddresses,
    maxPages: look.estimate > DEFAULT_MAX_PAGES / ROOM ? Math.ceil((look.estimate * ROOM) / 1_000) * 1_000 : undefined,
    ...pace,
  };
  return {
    title: titleOf(page, look.url),
    facts: siteFacts(look, page, signs),
    advice: siteAdvice(look, page, source, signs),
    source,
  };
}

function scopeOf(
  look: SiteLook,
  own: readonly string[],
  directory: string,
  isPage: boolean,
): { readonly type: WebPlan["type"]; readonly include: readonly string[] } {
  if (isPage) return { type: "page", include: [] };
  const { origin, pathname } = new URL(look.url);
  if (directory !== `${origin}/`) return { type: "prefix", include: [] };
  // Without a slash at its end the directory of /docs is the whole host, and what is meant is what lies below /docs.
  const below = own.filter((url) => url.startsWith(`${origin}${pathname}/`));
  const isMeant = pathname !== "/" && !/[*?[\]{}\s]/.test(pathname) && below.length > 0;
  return { type: "host", include: isMeant ? [`${origin}${pathname}`, `${origin}${pathname}/**`] : [] };
}

/** Languages that the page names; one that only names its own has no twins. */
function hreflangTwins({ languages }: SiteLook): readonly string[] {
  return languages.length > 1 ? languages : [];
}

function siteFacts(look: SiteLook, page: StartPage, signs: AddressSigns): readonly Fact[] {
  const facts: Fact[] = [];
  const add = (name: string, value: string): void => void facts.push({ name, value });
  if (look.url !== look.asked) add("leads to", look.url);
  add("generator", page.generator === "" ? `none: ${look.contentType}` : generatorName(page.generator));
  if (page.language !== "" || signs.languages.length > 0) {
    const others = [...new Set([...signs.languages, ...hreflangTwins(look)])]
      .filter((tag) => tag !== page.language)
      .sort();
    add("language", `${page.language || "not said"}${others.length === 0 ? "" : `; also there: ${some(others)}`}`);
  }
  if (page.product !== "") add("product", `${page.product} ${page.version}`.trim());
  if (signs.versions.length > 0) add("versions", some(signs.versions));
  add("robots.txt", robotsText(look));
  add("sitemap", sitemapText(look));
  if (look.listed.length > 0) {
    const parts = signs.sections
      .slice(0, SECTIONS_SHOWN)
      .map(({ name, count }) => `${name === "" ? "pages of its own" : name} ${count}`);
    add("sections", parts.join(", ") + (signs.sections.length > SECTIONS_SHOWN ? ", …" : ""));
  }
  const none = (what: string): string => (look.isSlow ? "not asked for, to ask the site for little" : what);
  add("llms.txt", look.llmsTxt === undefined ? none("none") : `names ${look.llmsTxt} pages`);
  add("Markdown", look.markdown ?? none("none that can stand for the page"));
  return facts;
}

const SECTIONS_SHOWN = 8;
const NAMES_SHOWN = 12;

function some(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown;
}

function robotsText({ robots, crawlDelayS }: SiteLook): string {
  if (robots === "") return "none";
  const forbidden = robots.match(/^\s*disallow\s*:\s*\S/gim)?.length ?? 0;
  const delay = crawlDelayS === undefined ? "" : `, wants ${crawlDelayS} s between two requests, which is heeded`;
  if (forbidden === 0) return `forbids nothing${delay}`;
  return `${forbidden} line${forbidden === 1 ? "" : "s"} that forbid${forbidden === 1 ? "s" : ""}${delay}`;
}

function sitemapText({ sitemaps, unreadSitemaps, listed, estimate }: SiteLook): string {
  if (sitemaps.length === 0) return "none was found: the size is not known before the first refresh";
  const first = sitemaps[0]?.url ?? "";
  if (unreadSitemaps === 0) return `${first}, which lists ${listed.length} pages`;
  return `${first}, about ${estimate} pages: ${unreadSitemaps} more sitemaps were not read`;
}

function siteAdvice(look: SiteLook, page: StartPage, plan: WebPlan, signs: AddressSigns): readonly string[] {
  const advice: string[] = [];
  const asked = new URL(look.asked);
  const { host, origin, pathname } = new URL(look.url);
  if (host !== asked.host)
    advice.push(`The site has moved from ${asked.host} to ${host}; documents are named by the new address.`);
  if (plan.needsBrowser) {
    advice.push(
      "Its pages hold no text until a script has run: a refresh needs a browser on this machine; see render in the manual's page on pipelines.",
    );
  }
  const docs = signs.sections.find(({ name }) => /^(?:docs?|documentation|manual|handbook)\/$/i.test(name));
  if (pathname === "/" && docs !== undefined && page.generator === "generic" && signs.sections.length > 1) {
    advice.push(
      `This takes the whole host. For what lies below ${docs.name} alone: carrel init ${origin}/${docs.name}`,
    );
  }
  if (plan.otherVersions.length > 0) {
    advice.push(`Of several versions one is kept, ${plan.versions.join(", ")}; scope.versions says which.`);
  }
  if (plan.type === "page") advice.push("It is no page of HTML or Markdown, so that one document alone is kept.");
  return advice;
}

/** What a pipeline for a folder says. @param id for an address, where the files say none. */
export function planFolder(look: FolderLook, page: StartPage, id: string): PipelinePlan {
  const { baseUrl, sampled, agreeing, documents, types, others } = look;
  const kinds = Object.entries(types).map(([type, count]) => `${count} ${type}`);
  const facts: Fact[] = [
    { name: "folder", value: look.folder },
    { name: "documents", value: `${documents.length} (${kinds.join(", ")}); ${others} other files` },
    { name: "begins with", value: look.start },
    { name: "generator", value: page.generator === "" ? "none: no HTML" : generatorName(page.generator) },
    {
      name: "address",
      value:
        baseUrl === undefined
          ? `none of ${sampled} pages says it`
          : `${baseUrl}, as ${agreeing} of ${sampled} pages say`,
    },
  ];
  const advice =
    baseUrl === undefined
      ? [
          "The files do not say where they are in public: put the public address of the folder in place of baseUrl, for agents cite it.",
        ]
      : [];
  return {
    title: titleOf(page, look.folder),
    facts,
    advice,
    source: {
      kind: "folder",
      folder: look.folder,
      baseUrl: baseUrl ?? `https://${id.replaceAll(/[^a-z0-9.-]/g, "-")}.internal/`,
      isBaseKnown: baseUrl !== undefined,
      exclude: exclusionsOf(page.generator),
    },
  };
}

function titleOf({ title, product, version }: StartPage, otherwise: string): string {
  const name = product === "" ? title : `${product} ${version}`.trim();
  return name.replaceAll(/\p{C}/gu, "").trim() || otherwise;
}
