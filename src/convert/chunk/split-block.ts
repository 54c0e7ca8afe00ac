import { fenced } from "../markdown/code.ts";
import { tableLines } from "../markdown/table.ts";
import { alertLine, prefixLines } from "../markdown/turndown-rules.ts";
import type { MarkdownNode } from "../tree/markdown-node.ts";
import { tokensOf } from "./tokens.ts";

/**
 * The pieces of a rendered block that is too long for one chunk, each of `max` tokens at most and readable by itself: code is
 * cut at blank lines and fenced again, a table between rows under its header, a list between items, a quote between its
 * blocks, with its kind, a paragraph between sentences. Only where these are too long are lines, words and at last characters parted.
 */
export function splitBlock(node: MarkdownNode, max: number, isInner = false): string[] {
  if (tokensOf(node.markdown) <= max) return [node.markdown];
  switch (node.nodeName) {
    case "PRE":
      return splitCode(node, max);
    case "TABLE":
      return splitTable(node, max);
    case "UL":
    case "OL":
      return pack(
        node.childNodes.flatMap((item) => splitBlock(item, max, isInner)),
        "\n",
        max,
      );
    case "LI":
    case "X-FOOTNOTE":
      return splitItem(node, max, isInner);
    case "BLOCKQUOTE": {
      const alert = node.getAttribute("alert");
      const line = alert === null ? "" : alertLine(alert);
      return withRoom(max, isInner, (room) =>
        pack(
          node.childNodes.flatMap((block) => splitBlock(block, room, true)),
          "\n\n",
          room - tokensOf(line),
        ).map((piece) => prefixLines(line + piece, "> ", "> ")),
      );
    }
    default:
      return splitText(node.markdown, max);
  }
}

/** How much of a chunk is tried to fill, where marks before each line take the rest. */
const FIRST_SHARE = 0.95;
/** Each attempt leaves the room that the last one shows to be missing: the shorter the lines, the more the marks take. */
const MOST_ATTEMPTS = 8;

/**
 * Splits with the most room with which all pieces fit, marks and all. Within another container there is one attempt, for each
 * level would multiply them; the outermost finds what fits.
 */
function withRoom(max: number, isInner: boolean, split: (room: number) => string[]): string[] {
  let room = max * FIRST_SHARE;
  let pieces = split(room);
  const attempts = isInner ? 1 : MOST_ATTEMPTS;
  for (let attempt = 1; attempt < attempts; attempt++) {
    let largest = 0;
    for (const piece of pieces) largest = Math.max(largest, tokensOf(piece));
    if (largest <= max) break;
    room = Math.max(1, room * (max / largest) * FIRST_SHARE);
    pieces = split(room);
  }
  return pieces;
}

/** Puts pieces together as long as they fit. A piece that is too long by itself stays alone. */
export function pack(pieces: readonly string[], separator: string, max: number): string[] {
  const packed: string[] = [];
  let held: string[] = [];
  let tokens = 0;
  for (const piece of pieces) {
    const more = tokensOf(piece) + tokensOf(separator);
    if (held.length > 0 && tokens + more > max) {
      packed.push(held.join(separator));
      held = [];
      tokens = 0;
    }
    held.push(piece);
    tokens += more;
  }
  if (held.length > 0) packed.push(held.join(separator));
  return packed;
}

function splitCode(node: MarkdownNode, max: number): string[] {
  const language = node.getAttribute("language") ?? "";
  const room = Math.max(max - tokensOf(fenced("", language)) - 2, max / 2);
  const paragraphs = node.nodeValue.split("\n\n").flatMap((paragraph) => {
    if (tokensOf(paragraph) <= room) return [paragraph];
    return pack(
      paragraph.split("\n").flatMap((line) => splitText(line, room)),
      "\n",
      room,
    );
  });
  return pack(paragraphs, "\n\n", room).map((piece) => fenced(piece, language));
}

function splitTable(node: MarkdownNode, max: number): string[] {
  const { header, rows } = tableLines(node);
  const headerTokens = tokensOf(header);
  // A header that takes half of every piece tells less than it costs.
  if (headerTokens > max / 2)
    return pack(
      [header, ...rows].flatMap((row) => splitText(row, max)),
      "\n",
      max,
    );
  const room = max - headerTokens - 1;
  return pack(
    rows.flatMap((row) => (tokensOf(row) <= room ? [row] : splitText(row, room))),
    "\n",
    room,
  ).map((piece) => `${header}\n${piece}`);
}

/** The first piece of an item has its marker; the others stand at the margin, where they read as what they are. */
function splitItem(node: MarkdownNode, max: number, isInner: boolean): string[] {
  const marker = /^(?:- |\d+\. |\[\^[^\]]*\]: )/.exec(node.markdown)?.[0] ?? "";
  return withRoom(max, isInner, (room) =>
    pack(
      node.childNodes.flatMap((block) => splitBlock(block, room, true)),
      "\n\n",
      room,
    ).map((piece, i) => (i === 0 ? prefixLines(piece, marker, " ".repeat(marker.length)) : piece)),
  );
}

/** Text is cut after sentences, else between words, else anywhere. */
export function splitText(text: string, max: number): string[] {
  if (tokensOf(text) <= max) return [text];
  // What parts sentences and words stays at their end, so that nothing is put where the text has nothing.
  const sentences = text.split(/(?<=[.!?] )|(?<=[。！？])|(?<=\n)|(?<=<br>)/u);
  const pieces = sentences.flatMap((sentence) => (tokensOf(sentence) <= max ? [sentence] : splitWords(sentence, max)));
  return pack(pieces, "", max)
    .map((piece) => piece.trimEnd())
    .filter((piece) => piece !== "");
}

function splitWords(text: string, max: number): string[] {
  const words = text.split(/(?<= )/);
  return pack(
    words.flatMap((word) => (tokensOf(word) <= max ? [word] : splitCharacters(word, max))),
    "",
    max,
  );
}

/** No character takes more than about a token. */
function splitCharacters(word: string, max: number): string[] {
  const size = Math.max(1, Math.floor(max));
  const pieces: string[] = [];
  for (let start = 0; start < word.length;) {
    let end = Math.min(word.length, start + size);
    const last = word.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < word.length) end++;
    pieces.push(word.slice(start, end));
    start = end;
  }
  return pieces;
}
