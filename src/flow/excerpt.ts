/** A piece of a Markdown text that can be read on its own. */
export interface Excerpt {
  readonly text: string;
  /** Where the piece begins and ends in the whole text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** A cut at a block end that would use less than this share of the room is not worth it: a line end is taken. */
const LEAST_USE = 0.4;

/** An open code fence. */
interface Fence {
  /** Backticks or tildes. */
  readonly marker: string;
  /** The line that opens it again, and the one that closes it; without line ends. */
  readonly opener: string;
  readonly closer: string;
}

/** How many characters a text takes in a JSON reply, without the quotes. */
export function jsonLength(text: string): number {
  return JSON.stringify(text).length - 2;
}

/**
 * The longest piece of `markdown` from `start` that takes at most `maxChars` in a JSON reply. It ends at a block end outside
 * code fences; where a block alone is longer it ends at a line end (a fence is closed there, and opened again at the start
 * of the next piece), and where a line alone is longer, within the line. The pieces, one after another, hold the whole text,
 * and each holds at least one character of it. Takes time linear in the text up to the end of the piece.
 */
export function excerpt(markdown: string, start: number, maxChars: number): Excerpt {
  if (start === 0 && (maxChars === Infinity || jsonLength(markdown) <= maxChars)) {
    return { text: markdown, start, end: markdown.length };
  }
  const from = wholeCharacter(markdown, start);
  const openAtStart = fenceAt(markdown, from);
  const reopened = openAtStart === undefined ? "" : `${openAtStart.opener}\n`;
  const room = maxChars - jsonLength(reopened);

  const last = lastLineEnd(markdown, from, room, openAtStart);
  if (last.end === from) {
    const closing = openAtStart === undefined ? "" : `\n${openAtStart.closer}\n`;
    const end = withinLine(markdown, from, room - jsonLength(closing));
    return { text: reopened + markdown.slice(from, end) + closing, start: from, end };
  }
  const closing = last.fence === undefined || last.end === markdown.length ? "" : `${last.fence.closer}\n`;
  return { text: reopened + markdown.slice(from, last.end) + closing, start: from, end: last.end };
}

/** The best line end within the room, and the fence that is open there; `end` is `from` when not one line fits. */
function lastLineEnd(markdown: string, from: number, room: number, openAtStart: Fence | undefined) {
  let fence = openAtStart;
  let used = 0;
  let position = from;
  let block = { end: from, used: 0 };
  while (position < markdown.length) {
    const lineEnd = endOfLine(markdown, position);
    const line = markdown.slice(position, lineEnd);
    const after = fenceAfter(fence, line);
    const closing = after === undefined ? 0 : jsonLength(`${after.closer}\n`);
    used += jsonLength(line);
    if (used + closing > room) {
      return block.used >= LEAST_USE * room && block.end > from
        ? { end: block.end, fence: undefined }
        : { end: position, fence };
    }
    if (fence === undefined && isHeading(line)) block = { end: position, used };
    if (after === undefined && isBlank(line)) block = { end: lineEnd, used };
    position = lineEnd;
    fence = after;
  }
  return { end: position, fence };
}

/** Where a line ends that does not fit: at the last space in the second half of the room, else at the room's end. */
function withinLine(markdown: string, from: number, room: number): number {
  let used = 0;
  let end = from;
  while (end < markdown.length) {
    const character = String.fromCodePoint(markdown.codePointAt(end) ?? 0);
    used += jsonLength(character);
    // At least one character, or reading on would never get further.
    if (used > room && end > from) break;
    end += character.length;
  }
  const space = markdown.lastIndexOf(" ", end - 1);
  return space > from + (end - from) / 2 ? space + 1 : end;
}

/** Not between the two halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** The fence that is open at a place in the text. */
function fenceAt(markdown: string, at: number): Fence | undefined {
  let fence: Fence | undefined;
  for (let position = 0; position < at;) {
    const lineEnd = endOfLine(markdown, position);
    if (lineEnd > at) break;
    fence = fenceAfter(fence, markdown.slice(position, lineEnd));
    position = lineEnd;
  }
  return fence;
}

/** The fence that is open after a line. Source: CommonMark 0.31, section 4.5; also within lists and block quotes. */
function fenceAfter(open: Fence | undefined, line: string): Fence | undefined {
  const found = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})(.*)/.exec(line);
  if (found === null) return open;
  const [, lead = "", marker = "", info = ""] = found;
  if (open !== undefined) return marker.startsWith(open.marker) && info.trim() === "" ? undefined : open;
  // A line such as ```code``` is inline code.
  if (marker.startsWith("`") && info.includes("`")) return undefined;
  const indent = lead.replace(/[^ \t>]/g, " ");
  return { marker, opener: indent + marker + info.trimEnd(), closer: indent + marker };
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function isHeading(line: string): boolean {
  return /^#{1,6}[ \t]/.test(line);
}
