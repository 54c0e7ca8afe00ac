import { compileFolding, documentName, tidyUrl, withoutIgnored } from "./document-name.ts";
import { compileReplacement } from "./pattern.ts";
import { DEFAULT_NAMES, type NameRules } from "./source.ts";

/** The name rules of one source, prepared: what its URLs are called and how they are asked for. */
export interface PageNames {
  /** See `documentName`. @throws CarrelError `invalid` for what is no http or https URL. */
  name(url: string): string;
  /** The address that readers are given; see `tidyUrl`. @throws as `name`. */
  tidy(url: string): string;
  /** The URL to ask for in place of one that was found: rewritten, and without parameters that do not choose a page. */
  asked(url: string): string;
  /** As `asked`, with its parameters: what the scope is held against, so that `hl=de` is seen. */
  rewritten(url: string): string;
}

/** @throws CarrelError `config` for a rewrite that is no regular expression. */
export function compileNames(rules: NameRules = DEFAULT_NAMES): PageNames {
  const folding = compileFolding(rules);
  const replacements = rules.rewrite.map(({ pattern, replacement }) => compileReplacement(pattern, replacement));
  function rewritten(url: string): string {
    let now = url;
    for (const replace of replacements) {
      const next = replace(now);
      // A rule that makes no address of this one does not apply to it.
      if (next !== now && /^https?:\/\//i.test(next)) now = URL.parse(next)?.href ?? now;
    }
    return now;
  }
  return {
    name: (url) => documentName(rewritten(url), folding),
    tidy: (url) => tidyUrl(rewritten(url), folding),
    asked: (url) => withoutIgnored(rewritten(url), folding),
    rewritten,
  };
}
