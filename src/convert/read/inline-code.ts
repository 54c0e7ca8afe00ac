import { attribute, isElement, type AnyNode, type Element } from "./dom.ts";
import { cleanText } from "./clean-text.ts";
import { isCodeJunk, type CodeFilter } from "./code-text.ts";
import { isPermalink } from "./heading.ts";

export interface InlineCode {
  /** One line; spaces within are kept. */
  readonly text: string;
  /** The one place that links in the code lead to; "" when there is none, or more than one. */
  readonly href: string;
  readonly spaceBefore: boolean;
  readonly spaceAfter: boolean;
}

const BLOCK_OR_BREAK: ReadonlySet<string> = new Set(["br", "div", "p", "li", "tr", "pre", "dd", "dt"]);

/**
 * Reads `code`, `kbd`, `samp` and `tt` flat: Markdown's code has nothing in it, so code in code (REST references have it) and
 * links in code are given up, but for a single link, which can go around it.
 */
export function inlineCode(element: Element, isDropped: CodeFilter): InlineCode {
  let raw = "";
  const hrefs = new Set<string>();
  const stack: AnyNode[] = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "text") raw += node.data;
    if (!isElement(node) || (node !== element && (isCodeJunk(node) || isDropped(node)))) continue;
    if (node.name === "a") {
      if (isPermalink(node, false)) continue;
      hrefs.add(attribute(node, "href"));
    }
    if (BLOCK_OR_BREAK.has(node.name)) raw += "\n";
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i];
      if (child !== undefined) stack.push(child);
    }
  }
  const flat = cleanText(raw).replace(/[\n\r\t\f]+/g, "\n");
  const text = flat.includes("\n") ? joinLines(flat) : flat;
  const trimmed = text.trim();
  const [href = ""] = hrefs.size === 1 ? hrefs : [];
  return { text: trimmed, href, spaceBefore: text.startsWith(" "), spaceAfter: text.endsWith(" ") };
}

/** Lines become one, with one space between; spaces within a line are kept. */
function joinLines(text: string): string {
  const lines = text.split("\n");
  const last = lines.length - 1;
  return lines.map((line, i) => (i === 0 ? line.trimEnd() : i === last ? line.trimStart() : line.trim())).join(" ");
}
