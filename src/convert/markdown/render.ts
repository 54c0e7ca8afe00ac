import type { MarkdownNode } from "../tree/markdown-node.ts";
import { characterAt, characterBefore, escapeInline, isPunctuation, starWorks } from "./escape.ts";
import { ruleFor, trimNewlines, turndownOptions } from "./turndown-rules.ts";

interface Frame {
  readonly node: MarkdownNode;
  readonly outputs: string[];
  next: number;
}

/**
 * Drives Turndown's rules over a clean tree, children before parents, as `turndown()` does, with a stack of its own. Each
 * block keeps its Markdown in `node.markdown`, for those who cut a document into chunks.
 */
export function render(root: MarkdownNode): string {
  const stack: Frame[] = [{ node: root, outputs: [], next: 0 }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const child = frame.node.childNodes[frame.next];
    if (child !== undefined) {
      frame.next++;
      if (child.nodeType === 3) frame.outputs.push(escapeText(child, frame.node, frame.next - 1));
      else stack.push({ node: child, outputs: [], next: 0 });
      continue;
    }
    stack.pop();
    const { node, outputs } = frame;
    const content = join(node, outputs);
    const parent = stack.at(-1);
    if (parent === undefined) {
      node.markdown = content;
      break;
    }
    const output = replace(node, content, parent.node, parent.next - 1);
    if (node.isBlock && node.nodeName !== "TD" && node.nodeName !== "TH") node.markdown = trimNewlines(output);
    parent.outputs.push(output);
  }
  return root.markdown;
}

/** Joins what blocks became, with the newlines that both ask for, two at most; text is joined as it is. */
function join(node: MarkdownNode, outputs: readonly string[]): string {
  if (!HOLDS_BLOCKS.has(node.nodeName)) return outputs.join("");
  const loose = (node.nodeName === "UL" || node.nodeName === "OL") && isLoose(node);
  const parts: string[] = [];
  let asked = 0;
  for (const output of outputs) {
    const text = trimNewlines(output);
    if (text === "") continue;
    if (parts.length > 0) parts.push(loose || Math.max(asked, newlinesAt(output, "start")) > 1 ? "\n\n" : "\n");
    parts.push(text);
    asked = newlinesAt(output, "end");
  }
  return parts.join("");
}

const HOLDS_BLOCKS: ReadonlySet<string> = new Set([
  "BODY",
  "UL",
  "OL",
  "LI",
  "BLOCKQUOTE",
  "TD",
  "TH",
  "TR",
  "TABLE",
  "X-FOOTNOTE",
]);

/** A list is loose, with blank lines between its items, when the page puts paragraphs into them. */
function isLoose(list: MarkdownNode): boolean {
  if (list.getAttribute("tight") === "true") return false;
  return list.childNodes.some((item) =>
    item.childNodes.some((block) => block.nodeName === "P" && block.getAttribute("loose") === null),
  );
}

function newlinesAt(text: string, edge: "start" | "end"): number {
  let count = 0;
  while (count < 2 && text[edge === "start" ? count : text.length - 1 - count] === "\n") count++;
  return count;
}

function replace(node: MarkdownNode, content: string, parent: MarkdownNode, index: number): string {
  const rule = ruleFor(node);
  if (node.nodeName !== "STRONG" && node.nodeName !== "EM") return rule.replacement(content, node, turndownOptions);
  const before = neighbour(parent, index, "before");
  const after = neighbour(parent, index, "after");
  // Where `**` would not open or close (`**note:**text`), punctuation is put outside; where that does not help, it goes plain.
  let start = 0;
  let end = content.length;
  while (
    end > start &&
    !starWorks(characterBefore(content, end), end < content.length ? characterAt(content, end) : after, "close")
  ) {
    if (!canStepOver(content, end - 1) || content[end - 2] === "\\") return content;
    if (BRACKETS[content[start] ?? ""] === content[end - 1]) start++;
    end--;
  }
  while (
    start < end &&
    !starWorks(start > 0 ? characterBefore(content, start) : before, characterAt(content, start), "open")
  ) {
    if (!canStepOver(content, start)) return content;
    if (BRACKETS[content[start] ?? ""] === content[end - 1]) end--;
    start++;
  }
  if (start >= end) return content;
  return (
    content.slice(0, start) + rule.replacement(content.slice(start, end), node, turndownOptions) + content.slice(end)
  );
}

/** Brackets that are in or out of a format together. */
const BRACKETS: Readonly<Record<string, string>> = {
  "(": ")",
  "「": "」",
  "『": "』",
  "（": "）",
  "【": "】",
  "“": "”",
  "«": "»",
};

/** Whether a character is punctuation and no markup: a delimiter moved out alone would leave its other half within. */
function canStepOver(content: string, index: number): boolean {
  const character = content[index] ?? "";
  if (character === "(" || character === ")") return !content.includes("](");
  return isPunctuation(character) && !/[`*_[\]\\<>$!~]/.test(character);
}

function escapeText(text: MarkdownNode, parent: MarkdownNode, index: number): string {
  return escapeInline(text.nodeValue, {
    before: neighbour(parent, index, "before"),
    after: neighbour(parent, index, "after"),
    inLink: isInLink(parent),
  });
}

function isInLink(node: MarkdownNode): boolean {
  for (let above: MarkdownNode | undefined = node; above !== undefined && !above.isBlock; above = above.parentNode) {
    if (above.nodeName === "A") return true;
  }
  return false;
}

/** The character that will stand before or after a node in its line: the edge of markup is punctuation. */
function neighbour(parent: MarkdownNode, index: number, side: "before" | "after"): string {
  const sibling = parent.childNodes[side === "before" ? index - 1 : index + 1];
  if (sibling === undefined) return parent.isBlock ? "" : (EDGES[parent.nodeName]?.[side === "before" ? 0 : 1] ?? "");
  if (sibling.nodeType === 3) {
    const text = sibling.nodeValue;
    return side === "before" ? characterBefore(text, text.length) : characterAt(text, 0);
  }
  return EDGES[sibling.nodeName]?.[side === "before" ? 1 : 0] ?? "";
}

/** The first and the last character of what an element becomes. */
const EDGES: Readonly<Record<string, readonly [string, string]>> = {
  A: ["[", ")"],
  IMG: ["!", ")"],
  CODE: ["`", "`"],
  EM: ["*", "*"],
  STRONG: ["*", "*"],
  DEL: ["~", "~"],
  SUP: ["<", ">"],
  SUB: ["<", ">"],
  BR: ["\n", "\n"],
  "X-MATH": ["$", "$"],
  "X-NOTE-MARK": ["[", "]"],
  "X-TASK": ["[", "]"],
};
