import { Parser } from "htmlparser2";

/** A page with less text than this besides its navigation says next to nothing. */
const LEAST_CHARACTERS = 200;
/** Around an empty root there may stand a menu, a footer, a note on cookies. */
const LEAST_BESIDE_EMPTY_ROOT = 1_000;

/** The elements that the common frameworks build a page in, by id or name. */
const ROOT_ID =
  /^(?:root|app|__next|__nuxt|___gatsby|app-root|main-app|svelte|application|redoc|swagger-ui|docs-app|q-app)$/i;
const ROOT_NAME: ReadonlySet<string> = new Set([
  "app-root",
  "redoc",
  "rapi-doc",
  "elements-api",
  "docs-app",
  "api-reference",
]);

const UNSEEN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript", "title", "svg"]);
const ASIDE: ReadonlySet<string> = new Set(["nav", "header", "footer", "aside", "button", "select"]);
/** They have no end tag, so nothing is in them. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** A built page with less text than this is not built yet; with a little more, it may only say that it is loading. */
const LEAST_BUILT = 20;
const LITTLE_BUILT = 100;
const IS_LOADING = /\bloading\b|please wait/i;

/**
 * Whether an HTML page holds no content, and a script would bring it: it has a script, and either almost no text besides its
 * navigation, or little text and an application's root element that is empty, or a note that it needs JavaScript.
 */
export function needsScript(html: string): boolean {
  const { hasScript, hasEmptyRoot, asksForScript, text } = scan(html);
  return hasScript && text.length < (hasEmptyRoot || asksForScript ? LEAST_BESIDE_EMPTY_ROOT : LEAST_CHARACTERS);
}

/** Whether a page that scripts build holds text, so that nothing more need be waited for. */
export function holdsText(html: string): boolean {
  const { text } = scan(html);
  return text.length >= (IS_LOADING.test(text) ? LITTLE_BUILT : LEAST_BUILT);
}

interface Scanned {
  readonly hasScript: boolean;
  readonly hasEmptyRoot: boolean;
  /** It says, where there are no scripts, that it needs them. */
  readonly asksForScript: boolean;
  /** The beginning of its text besides navigation. */
  readonly text: string;
}

function scan(html: string): Scanned {
  let hasScript = false;
  let hasEmptyRoot = false;
  let asksForScript = false;
  let seen = "";
  let unseen = 0;
  let aside = 0;
  let inNoscript = 0;
  let depth = 0;
  /** Depths of root elements that are open, with the characters before each. */
  const roots: { readonly depth: number; readonly before: number }[] = [];
  let all = 0;

  const parser = new Parser({
    onopentag(name, attributes) {
      depth++;
      if (name === "script" && !/json/i.test(attributes["type"] ?? "")) hasScript = true;
      if (name === "noscript") inNoscript++;
      if (UNSEEN.has(name)) unseen++;
      if (ASIDE.has(name)) aside++;
      if (!VOID.test(name) && (ROOT_NAME.has(name) || ROOT_ID.test(attributes["id"] ?? "")))
        roots.push({ depth, before: all });
    },
    ontext(text) {
      if (inNoscript > 0 && /javascript/i.test(text)) asksForScript = true;
      if (unseen > 0) return;
      const bare = text.replaceAll(/\s+/g, " ").trim();
      all += bare.length;
      if (bare !== "" && aside === 0 && seen.length < LEAST_BESIDE_EMPTY_ROOT) seen += `${bare} `;
    },
    onclosetag(name) {
      const root = roots.at(-1);
      if (root?.depth === depth) {
        roots.pop();
        if (all === root.before) hasEmptyRoot = true;
      }
      depth--;
      if (name === "noscript") inNoscript--;
      if (UNSEEN.has(name)) unseen--;
      if (ASIDE.has(name)) aside--;
    },
  });
  parser.end(html);
  return { hasScript, hasEmptyRoot, asksForScript, text: seen.trim() };
}
