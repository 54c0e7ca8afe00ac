import type { Chunk, ChunkAnchor } from "../../domain/chunk.ts";
import type { MarkdownNode } from "../tree/markdown-node.ts";
import { PassageIds } from "./passage-ids.ts";
import { splitBlock } from "./split-block.ts";
import { tokensOf } from "./tokens.ts";
import { anchorsOfPieces } from "./unit-anchors.ts";

/** What a chunk should have, in tokens, as `tokensOf` counts them. */
const TARGET_TOKENS = 400;
/** What none exceeds. */
const MAX_TOKENS = 500;
/** A section below this is too small to be found by itself, and joins its neighbour. */
const SMALL_TOKENS = 120;

/** A block, or a piece of one, that is not cut any more. */
interface Unit {
  readonly markdown: string;
  readonly tokens: number;
  /** Headings and API entries above, outermost first. */
  readonly path: readonly string[];
  readonly anchor: string;
  /** Ids that lead into the unit, with their places in its Markdown. */
  readonly anchors: readonly ChunkAnchor[];
  /** The tab that the unit is in; "" for none. */
  readonly tab: string;
  readonly isTabLabel: boolean;
  /** How high the section is that begins here: 2 for `##`, 10 and more for API entries; undefined when none does. */
  readonly level: number | undefined;
  /** It says what comes next, and is nothing without it: a heading, "For example:", a tab's label. */
  readonly leads: boolean;
}

/**
 * Cuts a rendered document into chunks: by section, of three to five hundred tokens, small sections together, and no block cut
 * that fits. One after another the chunks hold all of the document. A chunk's headings are those above all that is in it.
 */
export function cutChunks(root: MarkdownNode): Chunk[] {
  const units = unitsOf(root);
  const chunks: Chunk[] = [];
  const ids = new PassageIds();
  let held: Unit[] = [];
  let tokens = 0;
  let limit = MAX_TOKENS;
  const close = (): void => {
    if (held.length > 0) chunks.push(chunkOf(held, ids));
    held = [];
    tokens = 0;
  };
  for (let start = 0; start < units.length;) {
    const end = endOfAtom(units, start);
    const atom = units.slice(start, end);
    const size = total(atom);
    const [first] = atom;
    if (first?.level !== undefined && held.length > 0 && !joins(first.level, held, tokens, sectionTokens(units, start)))
      close();
    if (held.length > 0 && tokens + size > limit) close();
    if (held.length === 0) limit = limitFor(runTokens(units, start));
    held.push(...atom);
    tokens += size;
    start = end;
  }
  close();
  return chunks;
}

/** Where a unit and those that it leads to end, as far as they fit into a chunk. */
function endOfAtom(units: readonly Unit[], start: number): number {
  let end = start + 1;
  let tokens = units[start]?.tokens ?? 0;
  while (end < units.length && units[end - 1]?.leads === true) {
    tokens += units[end]?.tokens ?? 0;
    if (tokens > MAX_TOKENS) break;
    end++;
  }
  return end;
}

/** Whether a section that begins joins what is held: a small one its neighbour, an inner one its small outer one. */
function joins(level: number, held: readonly Unit[], tokens: number, section: number): boolean {
  const highest = Math.min(...held.map((unit) => unit.level ?? 99));
  if (level > highest || highest === 99) return tokens < SMALL_TOKENS || tokens + section <= TARGET_TOKENS;
  if (tokens < SMALL_TOKENS) return tokens + section <= MAX_TOKENS;
  return section < SMALL_TOKENS && tokens + section <= TARGET_TOKENS;
}

/** Tokens from a unit to the next section of its height or above, as far as it matters. */
function sectionTokens(units: readonly Unit[], start: number): number {
  const level = units[start]?.level ?? 0;
  let tokens = units[start]?.tokens ?? 0;
  for (let i = start + 1; i < units.length && tokens <= MAX_TOKENS; i++) {
    const unit = units[i];
    if (unit === undefined || (unit.level !== undefined && unit.level <= level)) break;
    tokens += unit.tokens;
  }
  return tokens;
}

/** Tokens from a unit to the next section of any height, as far as it matters. */
function runTokens(units: readonly Unit[], start: number): number {
  let tokens = units[start]?.tokens ?? 0;
  for (let i = start + 1; i < units.length && tokens <= MAX_RUN_TOKENS; i++) {
    const unit = units[i];
    if (unit === undefined || unit.level !== undefined) break;
    tokens += unit.tokens;
  }
  return tokens;
}

/** Further ahead the size of a section says no more than that it is long. */
const MAX_RUN_TOKENS = 4 * MAX_TOKENS;

/** A long section is cut evenly, so that its end is no crumb. */
function limitFor(run: number): number {
  if (run <= MAX_TOKENS || run > MAX_RUN_TOKENS)
    return run <= MAX_TOKENS ? MAX_TOKENS : TARGET_TOKENS + EVENNESS_TOKENS;
  return Math.min(MAX_TOKENS, run / Math.ceil(run / TARGET_TOKENS) + EVENNESS_TOKENS);
}

const EVENNESS_TOKENS = 60;

function chunkOf(units: readonly Unit[], ids: PassageIds): Chunk {
  const [first] = units;
  const text = units.map((unit) => unit.markdown).join("\n\n");
  // A panel that is cut says again which tab it is of.
  const label = first !== undefined && first.tab !== "" && !first.isTabLabel ? `**${first.tab}**\n\n` : "";
  const content = label + text;
  const paths = units.map((unit) => unit.path);
  const anchors: ChunkAnchor[] = [];
  let start = label.length;
  for (const unit of units) {
    for (const [id, at] of unit.anchors) anchors.push([id, start + at]);
    start += unit.markdown.length + 2;
  }
  return { id: ids.of(content), content, headings: commonPath(paths), anchor: first?.anchor ?? "", anchors };
}

function commonPath(paths: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = paths;
  let length = first.length;
  for (const path of paths) {
    let same = 0;
    while (same < length && path[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, length);
}

function total(units: readonly Unit[]): number {
  let tokens = 0;
  for (const unit of units) tokens += unit.tokens;
  return tokens;
}

const FIRST_SIGNATURE_LEVEL = 10;

function unitsOf(root: MarkdownNode): Unit[] {
  const units: Unit[] = [];
  const headings: { readonly level: number; readonly text: string; readonly anchor: string }[] = [];
  for (const [index, node] of root.childNodes.entries()) {
    if (node.markdown === "") continue;
    const heading = /^H[1-6]$/.test(node.nodeName) ? Number(node.nodeName[1]) : undefined;
    if (heading !== undefined) {
      while ((headings.at(-1)?.level ?? 0) >= heading) headings.pop();
      headings.push({ level: heading, text: node.textContent.trim(), anchor: node.getAttribute("id") ?? "" });
    }
    const isSignature = node.getAttribute("signature") !== null;
    const path = [...headings.map(({ text }) => text), ...node.signatures.map(({ name }) => name)];
    const anchor =
      node.getAttribute("id") ||
      node.signatures.at(-1)?.anchor ||
      headings.findLast((above) => above.anchor !== "")?.anchor ||
      root.titleAnchor;
    const level = heading ?? (isSignature ? FIRST_SIGNATURE_LEVEL + node.signatures.length : undefined);
    const leads = heading !== undefined || isSignature || node.isTabLabel || leadsIn(node, root.childNodes[index + 1]);
    const room = MAX_TOKENS - tokensOf(node.tab) - 4;
    const lead = /^(?:UL|OL)$/.test(node.nodeName) ? leadTokens(units) : 0;
    const pieces = splitBlock(node, lead <= room / 2 ? room - lead : room);
    const anchors = anchorsOfPieces(node, pieces);
    for (const [i, markdown] of pieces.entries()) {
      const own = anchors[i] ?? [];
      units.push({
        markdown,
        tokens: tokensOf(markdown) + 1,
        path,
        anchor,
        anchors: units.length === 0 ? [...root.titleAnchors.map((id): ChunkAnchor => [id, 0]), ...own] : own,
        tab: node.tab,
        isTabLabel: node.isTabLabel,
        level: i === 0 ? level : undefined,
        leads: leads && i === pieces.length - 1,
      });
    }
  }
  return units;
}

/** Tokens of what leads to the next block: a list that is cut leaves them room, so that they stay with its first items. */
function leadTokens(units: readonly Unit[]): number {
  let tokens = 0;
  for (let i = units.length - 1; units[i]?.leads === true; i--) tokens += units[i]?.tokens ?? 0;
  return tokens === 0 ? 0 : tokens + 1;
}

/** "For example:" stays with its example, and so does the name of a file with what is in it. */
function leadsIn(node: MarkdownNode, next: MarkdownNode | undefined): boolean {
  if (node.nodeName !== "P" || next === undefined || next.nodeName === "P" || /^H[1-6]$/.test(next.nodeName))
    return false;
  return node.markdown.endsWith(":") || node.markdown.endsWith("：") || next.nodeName === "PRE" || isShortLabel(node);
}

/** A line that is bold or code from end to end: a caption, a file name. */
function isShortLabel(node: MarkdownNode): boolean {
  return node.childNodes.length === 1 && node.childNodes[0]?.nodeType === 1 && node.markdown.length < 120;
}
