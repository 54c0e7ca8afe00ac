import { parseHttpUrl } from "./document.ts";
import type { WebSource } from "./source.ts";

/** Whether a URL belongs to a source, and the rule that says so. */
export interface ScopeVerdict {
  readonly inScope: boolean;
  /** For people: `exclude` and the glob, `not under https://docs.python.org/3.11/`. */
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

/** A glob over whole URLs: `*` is anything but a slash, `**` anything, `?` one character that is no slash. */
export type Glob = string;

/**
 * Decides by public URL. Exclude beats include, and both beat nothing: what they let through must still be within the
 * scope's type. Globs are matched in time linear in the URL for a given glob, so no pattern can hang a crawl.
 */
export function scopeVerdict(source: Pick<WebSource, "seeds" | "scope">, url: string): ScopeVerdict {
  const { type, include, exclude } = source.scope;
  const parsed = parseHttpUrl(url);
  parsed.hash = "";
  const subject = parsed.href;
  if (!source.seeds.some((seed) => withinType(type, seed, parsed))) {
    return { inScope: false, rule: `not of type ${type} from the seeds` };
  }
  const excluded = exclude.find((glob) => globMatches(glob, subject));
  if (excluded !== undefined) return { inScope: false, rule: `exclude ${excluded}` };
  if (include.length === 0) return { inScope: true, rule: `type ${type}` };
  const included = include.find((glob) => globMatches(glob, subject));
  return included === undefined
    ? { inScope: false, rule: "matches no include" }
    : { inScope: true, rule: `include ${included}` };
}

function withinType(type: WebSource["scope"]["type"], seed: string, url: URL): boolean {
  const from = new URL(seed);
  switch (type) {
    case "page":
      from.hash = "";
      return from.href === url.href;
    case "prefix": {
      const directory = from.pathname.slice(0, from.pathname.lastIndexOf("/") + 1);
      return from.host === url.host && (url.pathname.startsWith(directory) || `${url.pathname}/` === directory);
    }
    case "host":
      return from.host === url.host;
    case "domain":
      return from.hostname === url.hostname || url.hostname.endsWith(`.${from.hostname}`);
  }
}

/** Whether a glob matches all of a text. Takes O(glob × text) steps at most. */
export function globMatches(glob: Glob, text: string): boolean {
  // One row of the table "does glob[..g] match text[..t]" at a time.
  let row = new Uint8Array(text.length + 1);
  row[0] = 1;
  for (let g = 0; g < glob.length; g++) {
    const next = new Uint8Array(text.length + 1);
    const symbol = glob[g];
    if (symbol === "*") {
      const deep = glob[g + 1] === "*";
      if (deep) g++;
      let reached = 0;
      for (let t = 0; t <= text.length; t++) {
        if (t > 0 && !deep && text[t - 1] === "/") reached = 0;
        if (row[t] === 1) reached = 1;
        next[t] = reached;
      }
    } else {
      for (let t = 0; t < text.length; t++) {
        if (row[t] !== 1) continue;
        const character = text[t];
        if (symbol === "?" ? character !== "/" : symbol === character) next[t + 1] = 1;
      }
    }
    row = next;
  }
  return row[text.length] === 1;
}
