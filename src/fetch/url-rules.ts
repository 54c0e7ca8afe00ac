import { compileNames, type PageNames } from "../domain/page-names.ts";
import { compileScope, type SourceScope } from "../domain/scope.ts";
import type { WebSource } from "../domain/source.ts";
import { binaryEnding, mediaOfEnding, mediaRule, withoutEnding, type MediaRule } from "./media.ts";
import { trapOf } from "./traps.ts";

/** Whether the crawl follows a link, and the rule that says so, for people. */
export interface FollowVerdict {
  readonly follow: boolean;
  readonly rule: string;
  /** Set when the URL looks like one of endlessly many. */
  readonly trap?: string;
}

/** What a source says of URLs, prepared once for a crawl. */
export interface UrlRules {
  readonly scope: SourceScope;
  readonly names: PageNames;
  readonly media: MediaRule;
  /** Decides on a public http or https URL: the source's scope, and what is known to be no document. */
  verdict(url: string): FollowVerdict;
  /** Whether the pipeline means this very URL by its ending: a seed, or one that an include pattern with the ending matches. */
  isAsked(url: string): boolean;
}

export function compileUrlRules(source: Pick<WebSource, "seeds" | "scope" | "names">): UrlRules {
  const scope = compileScope(source);
  const names = compileNames(source.names);
  const media = mediaRule(source.scope);
  const seeds = new Set(source.seeds);

  /** Why a URL is no document of its own; undefined when it may be one. */
  function refusal(url: string): string | undefined {
    const ending = binaryEnding(url);
    if (ending !== undefined) return `.${ending} is no document`;
    // Of the other endings a page in HTML may have any.
    const pdf = mediaOfEnding(url) === "pdf" ? media.refusal("pdf", false) : undefined;
    if (pdf !== undefined) return pdf;
    const whole = allInOne(url);
    if (whole === undefined || scope.asksFor(url, whole.without)) return undefined;
    return `${whole.name} is a print of many pages, each of which is there by itself, unless a pattern of scope.include asks for it`;
  }

  return {
    scope,
    names,
    media,
    verdict(url) {
      const { inScope, rule } = scope.verdict(names.rewritten(url));
      if (!inScope) return { follow: false, rule };
      // What is listed as a seed is asked for, whatever it is called.
      if (seeds.has(url)) return { follow: true, rule };
      const asked = names.asked(url);
      const refused = refusal(asked);
      if (refused !== undefined) return { follow: false, rule: refused };
      const trap = trapOf(asked);
      return trap === undefined ? { follow: true, rule } : { follow: false, rule: trap, trap };
    },
    isAsked: (url) => seeds.has(url) || scope.asksFor(url, withoutEnding(url)),
  };
}

/** The names that mdBook, Docsy and a plugin of MkDocs give to the page that holds all others. */
const ALL_IN_ONE = /\/(print\.html|_print|print_page(?:\.html)?)(?=[/?]|$)/;

function allInOne(url: string): { readonly name: string; readonly without: string } | undefined {
  const name = ALL_IN_ONE.exec(url)?.[1];
  return name === undefined ? undefined : { name, without: url.replace(ALL_IN_ONE, "") };
}
