import TurndownService from "turndown";
import type { MarkdownNode } from "../tree/markdown-node.ts";
import { codeInCell, codeSpan, fenced } from "./code.ts";
import { escapeInline, escapeLineStarts } from "./escape.ts";
import { cellContent, tableInCell, tableLines } from "./table.ts";

/** A Turndown rule as it is driven here: over the clean tree, whose nodes have the fields that rules read. */
export interface Rule {
  replacement(content: string, node: MarkdownNode, options: TurndownService.Options): string;
}

/** Turndown's table of rules. Its types speak of DOM elements; what its code reads, `MarkdownNode` has. */
interface Rules {
  forNode(node: MarkdownNode): Rule;
}

const service = new TurndownService({
  headingStyle: "atx",
  hr: "---",
  br: "  ",
  bulletListMarker: "-",
  codeBlockStyle: "fenced",
  // `_` does not emphasise part of a word.
  emDelimiter: "*",
  strongDelimiter: "**",
});

add("paragraph", ["P"], (content, node) => {
  const text = isInCell(node) ? content : escapeLineStarts(content);
  // The text of a tight item asks for no blank line after it.
  const parent = node.parentNode;
  const isTight = parent?.nodeName === "LI" && parent.childNodes[0] === node && node.getAttribute("loose") === "true";
  return isTight ? `\n${text}\n` : block(text);
});
add("heading", ["H1", "H2", "H3", "H4", "H5", "H6"], (content, node) => {
  const level = Number(node.nodeName.charAt(1));
  // In a cell or a line of a list there is no room for a heading.
  if (isInCell(node)) return block(content);
  return block(`${"#".repeat(level)} ${withClosingMarks(content)}`);
});
add("blockquote", ["BLOCKQUOTE"], (content, node) => {
  const alert = node.getAttribute("alert") ?? "";
  if (isInCell(node)) return block(alert === "" ? content : `**${capitalised(alert)}:** ${trimNewlines(content)}`);
  return block(prefixLines(alert === "" ? content : `${alertLine(alert)}${trimNewlines(content)}`, "> ", "> "));
});
add("list", ["UL", "OL"], (content, node) =>
  node.parentNode?.nodeName === "LI" ? `\n${content}\n\n` : block(content),
);
add("listItem", ["LI"], (content, node) => {
  const marker = itemMarker(node);
  return `\n${prefixLines(content, marker, " ".repeat(marker.length))}\n`;
});
add("codeBlock", ["PRE"], (_content, node) =>
  isInCell(node)
    ? block(codeInCell(node.nodeValue))
    : block(fenced(node.nodeValue, node.getAttribute("language") ?? "")),
);
add("code", ["CODE"], (_content, node) => codeSpan(node.nodeValue));
add("strikethrough", ["DEL"], (content) => `~~${content}~~`);
add("raised", ["SUP", "SUB"], (content, node) => {
  const tag = node.nodeName.toLowerCase();
  return `<${tag}>${content}</${tag}>`;
});
add("link", ["A"], (content, node) => {
  const href = node.getAttribute("href") ?? "";
  const title = node.getAttribute("title") ?? "";
  // Sphinx repeats in the title what the text or the fragment says.
  const told = title === "" || title === node.textContent || href.endsWith(`#${title}`);
  return `[${content}](${href}${told ? "" : ` "${title.replaceAll('"', String.raw`\"`)}"`})`;
});
add("image", ["IMG"], (_content, node) => {
  const title = (node.getAttribute("title") ?? "").replaceAll('"', String.raw`\"`);
  const alt = escapeInline(node.getAttribute("alt") ?? "", { before: "[", after: "]", inLink: true });
  return `![${alt}](${node.getAttribute("src") ?? ""}${title === "" ? "" : ` "${title}"`})`;
});
add("task", ["X-TASK"], (_content, node) => `[${node.getAttribute("checked") ?? " "}]`);
add("noteMark", ["X-NOTE-MARK"], (_content, node) => `[^${node.getAttribute("label") ?? ""}]`);
add("footnote", ["X-FOOTNOTE"], (content, node) =>
  block(prefixLines(content, `[^${node.getAttribute("label") ?? ""}]: `, "    ")),
);
add("formula", ["X-MATH"], (_content, node) => `$${node.nodeValue}$`);
add("displayedFormula", ["X-MATH-BLOCK"], (_content, node) =>
  block(isInCell(node) ? `$$${node.nodeValue.replace(/\s+/g, " ")}$$` : `$$\n${node.nodeValue}\n$$`),
);
add("cell", ["TD", "TH"], (content, node) => {
  node.markdown = cellContent(content);
  return "";
});
add("row", ["TR"], () => "");
add("table", ["TABLE"], (_content, node) => {
  if (isInCell(node)) return block(tableInCell(node));
  const { header, rows } = tableLines(node);
  // Cells without text, such as those that only take up room, make no table.
  if (rows.length === 0 && /^[| ]+\n/.test(header)) return "";
  return block(rows.length === 0 ? header : `${header}\n${rows.join("\n")}`);
});

/** The rule for an element, from Turndown's table: ours above, then Turndown's own (emphasis, strong, line break, rule, blank). */
export function ruleFor(node: MarkdownNode): Rule {
  let rule = ruleByName.get(node.nodeName);
  if (rule === undefined) {
    // Every filter here asks for the name alone, so what holds for one node holds for all of its name.
    rule = (service.rules as unknown as Rules).forNode(node);
    ruleByName.set(node.nodeName, rule);
  }
  return rule;
}

const ruleByName = new Map<string, Rule>();

/** The options that rules are called with. */
export const turndownOptions: TurndownService.Options = service.options;

function add(key: string, names: readonly string[], replacement: Rule["replacement"]): void {
  // Turndown's types name DOM elements; what it hands on is the node that it was given.
  const untyped: unknown = replacement;
  service.addRule(key, {
    filter: names.map((name) => name.toLowerCase()) as TurndownService.TagName[],
    replacement: untyped as TurndownService.ReplacementFunction,
  });
}

/** A run of `#` at the end of a heading would be taken for its closing marks. Source: CommonMark 4.2. */
function withClosingMarks(content: string): string {
  let start = content.length;
  while (start > 0 && content[start - 1] === "#") start--;
  if (start === content.length || (start > 0 && content[start - 1] !== " ")) return content;
  return `${content.slice(0, start)}\\${content.slice(start)}`;
}

/** The first line of a note, by its kind. Source: GitHub Docs, "Basic writing and formatting syntax", Alerts. */
export function alertLine(alert: string): string {
  return `[!${alert}]\n`;
}

function capitalised(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase();
}

function block(content: string): string {
  return `\n\n${content}\n\n`;
}

/** Whether a node is in a table's cell, which is one line. The clean tree is never deep. */
export function isInCell(node: MarkdownNode): boolean {
  for (let above = node.parentNode; above !== undefined; above = above.parentNode) {
    if (above.nodeName === "TD" || above.nodeName === "TH") return true;
  }
  return false;
}

/** Puts `first` before the first line and `rest` before each other that is not empty. */
export function prefixLines(content: string, first: string, rest: string): string {
  const text = trimNewlines(content);
  if (!text.includes("\n")) return first + text;
  const empty = rest.trimEnd();
  return (
    first +
    text
      .split("\n")
      .map((line, i) => (i === 0 ? line : line === "" ? empty : rest + line))
      .join("\n")
  );
}

export function trimNewlines(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === NEWLINE) start++;
  while (end > start && text.charCodeAt(end - 1) === NEWLINE) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

const NEWLINE = 10;

/** `- ` or the number, which counts from the list's start and from an item's own value. */
function itemMarker(item: MarkdownNode): string {
  const list = item.parentNode;
  if (list?.nodeName !== "OL") return "- ";
  return `${itemNumber(list, item)}. `;
}

/** Numbers are given to the whole list at once: counting up to each item would take quadratic time. */
const numbers = new WeakMap<MarkdownNode, number>();

function itemNumber(list: MarkdownNode, item: MarkdownNode): number {
  const known = numbers.get(item);
  if (known !== undefined) return known;
  let next = integer(list.getAttribute("start")) ?? 1;
  for (const sibling of list.childNodes) {
    next = integer(sibling.getAttribute("value")) ?? next;
    numbers.set(sibling, next);
    next++;
  }
  return numbers.get(item) ?? 1;
}

/** A number that Markdown can start an item with: it has no negative ones, and none of more than nine digits. */
function integer(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}
