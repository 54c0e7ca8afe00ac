import type { ChunkAnchor } from "../../domain/chunk.ts";
import type { MarkdownNode } from "../tree/markdown-node.ts";

/** Blocks whose first line is found again in the Markdown of what is around them. */
const FOUND_AGAIN: ReadonlySet<string> = new Set(["P", "LI", "PRE", "H1", "H2", "H3", "H4", "H5", "H6"]);
/** Blocks that hold no others. */
const HOLDS_TEXT: ReadonlySet<string> = new Set(["P", "H1", "H2", "H3", "H4", "H5", "H6", "PRE", "HR"]);

/** After so many first lines that are not there, as in tables, the next are not looked for: each look goes to the end. */
const MAX_MISSED = 10;

/**
 * The ids that lead into a rendered block, for each of its pieces, with their places in it. What has no line of its own, such as a
 * row of a table, is where the last one before it is.
 */
export function anchorsOfPieces(node: MarkdownNode, pieces: readonly string[]): readonly (readonly ChunkAnchor[])[] {
  const found = pieces.map((): ChunkAnchor[] => []);
  const taken = new Set<string>();
  let piece = 0;
  let at = 0;
  let missed = 0;
  const add = (id: string): void => {
    if (id === "" || taken.has(id)) return;
    taken.add(id);
    found[piece]?.push([id, at]);
  };
  add(node.getAttribute("id") ?? "");
  for (const block of blocksWithAnchors(node)) {
    if (block !== node && FOUND_AGAIN.has(block.nodeName) && missed < MAX_MISSED) {
      const place = lineIn(pieces, block, piece, at);
      if (place === undefined) missed++;
      else [piece, at] = place;
    }
    for (const id of block.anchors) add(id);
  }
  return found;
}

/** A block and those in it that ids lead to, in their order. */
function blocksWithAnchors(root: MarkdownNode): readonly MarkdownNode[] {
  const found: MarkdownNode[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.anchors.length > 0) found.push(node);
    if (HOLDS_TEXT.has(node.nodeName)) continue;
    for (let i = node.childNodes.length - 1; i >= 0; i--) {
      const child = node.childNodes[i];
      if (child?.isBlock === true) stack.push(child);
    }
  }
  return found;
}

/** Where the line begins in which a block does: the piece, and the place in it. */
function lineIn(
  pieces: readonly string[],
  block: MarkdownNode,
  piece: number,
  from: number,
): readonly [piece: number, at: number] | undefined {
  const { markdown } = block;
  const end = markdown.indexOf("\n");
  const line = end === -1 ? markdown : markdown.slice(0, end);
  if (line === "") return undefined;
  for (let i = piece; i < pieces.length; i++) {
    const text = pieces[i] ?? "";
    const index = text.indexOf(line, i === piece ? from : 0);
    if (index !== -1) return [i, text.lastIndexOf("\n", index) + 1];
  }
  return undefined;
}
