import { publicUrl, type Aliases } from "../../domain/source.ts";

/** Makes the links of one page absolute, under their public names. */
export interface LinkResolver {
  /** What to write for an `href` or `src`; "" for what leads nowhere, such as `javascript:`. */
  resolve(reference: string): string;
}

const LEADS_NOWHERE = /^(?:javascript|data|vbscript|blob|about):/i;
/** Browsers pass over them: with one before it `javascript:` is a script all the same. Source: WHATWG URL, 4.4. */
const LEADING_CONTROLS = /^[\u{0}-\u{20}]+/u;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * @param base URL of the page, or of its `<base href>`; undefined leaves relative links as they are.
 * @param aliases Links to a mirror become those to what it mirrors.
 */
export function linkResolver(base: string | undefined, aliases: Aliases): LinkResolver {
  return {
    resolve(reference) {
      const trimmed = reference.replace(LEADING_CONTROLS, "").trim();
      // A tab or newline within a scheme is dropped by browsers: `java\nscript:` is a script.
      if (trimmed === "" || LEADS_NOWHERE.test(trimmed.replace(/[\t\n\r]/g, ""))) return "";
      if (base === undefined) return writable(trimmed);
      try {
        const url = new URL(trimmed, base);
        return writable(publicUrl(aliases, url.href));
      } catch {
        // Not a URL, though a browser would show it as a link: it is given as it is if it names a scheme, else it is none.
        return SCHEME.test(trimmed) ? writable(trimmed) : "";
      }
    },
  };
}

/** A destination that needs no `<>` around it: spaces and unbalanced parentheses are percent-encoded. */
function writable(url: string): string {
  const encoded = url.replace(/[\s<>\\`|]/g, (character) => encodeURIComponent(character));
  return balanced(encoded) ? encoded : encoded.replaceAll("(", "%28").replaceAll(")", "%29");
}

function balanced(url: string): boolean {
  let depth = 0;
  for (const character of url) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
