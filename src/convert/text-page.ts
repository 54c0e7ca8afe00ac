import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { cutChunks } from "./chunk/cut-chunks.ts";
import { plainFacts } from "./facts/page-facts.ts";
import { render } from "./markdown/render.ts";
import { firstSentence } from "./metadata.ts";
import { cleanText } from "./read/clean-text.ts";
import { MarkdownNode } from "./tree/markdown-node.ts";
import { TreeBuilder } from "./tree/tree-builder.ts";

const LONGEST_TITLE = 120;

/**
 * Converts plain text. Blocks are parted by blank lines; one whose layout means something (indented lines, columns) is kept to
 * the character, as code. The first line is the title if it is short and stands alone, or is underlined.
 */
export function convertText(text: string, input: Pick<ConversionInput, "url">): Conversion {
  const lines = cleanText(text.replace(/\r\n?/g, "\n"))
    .split("\n")
    .map((line) => line.trimEnd());
  const blocks = blocksOf(lines);
  if (blocks.length === 0) return { kind: "failed", reason: "it has no text" };
  const { title, rest } = takeTitle(blocks);
  const builder = new TreeBuilder();
  let description = "";
  for (const block of rest) {
    if (isLaidOut(block)) builder.addBlock(new MarkdownNode("PRE", { language: "" }, block.join("\n")));
    else {
      const paragraph = builder.openText("P");
      builder.text(block.join(" "));
      builder.closeText(paragraph);
      description ||= firstSentence(block.join(" ").trim());
    }
  }
  const root = builder.finish();
  const content = render(root);
  const { pathname } = new URL(input.url);
  const named = title || (pathname.split("/").findLast((segment) => segment !== "") ?? input.url);
  return {
    kind: "document",
    title: named,
    description,
    language: "",
    ...plainFacts(input.url, named, content),
    content,
    chunks: cutChunks(root),
  };
}

function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    if (line.trim() === "") open = undefined;
    else if (open !== undefined) open.push(line);
    else blocks.push((open = [line]));
  }
  return blocks;
}

function takeTitle(blocks: readonly string[][]): { readonly title: string; readonly rest: readonly string[][] } {
  const [first = [], ...rest] = blocks;
  const [line = "", underline = ""] = first;
  if (line.trim().length > LONGEST_TITLE || rest.length === 0) return { title: "", rest: blocks };
  if (first.length === 1) return { title: line.trim(), rest };
  if (first.length === 2 && /^([=\-~*#^"])\1+$/.test(underline.trim())) return { title: line.trim(), rest };
  return { title: "", rest: blocks };
}

/** Whether the place of each character matters: most lines are indented, or have columns. */
function isLaidOut(block: readonly string[]): boolean {
  let laidOut = 0;
  for (const line of block) if (/^(?: {2}|\t)/.test(line) || /\S {3}|\t|[|+]-|[─│┌└]/.test(line)) laidOut++;
  return laidOut * 2 > block.length;
}
