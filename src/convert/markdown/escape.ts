/** What stands around a text in its line; "" at the edge of the block. */
export interface Neighbours {
  readonly before: string;
  readonly after: string;
  /** In a link's text every bracket is escaped. */
  readonly inLink: boolean;
}

const SPECIAL = /[\\`*_[\]<&~!]/g;
const MAY_BE_SPECIAL = /[\\`*_[\]<&~!]/;
const PUNCTUATION = /[\p{P}\p{S}]/u;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;
const ENTITY = /&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/y;
const TAG_START = /[a-zA-Z/!?]/;

/**
 * Escapes what CommonMark or GFM would take for markup within a line, and nothing else: `max_file_size` and `a * b` stay as
 * they are, so that identifiers can be searched for. What is special at the start of a line only is left to `escapeLineStarts`.
 * Source: CommonMark 0.31, sections 2.4, 2.5, 6.2, 6.3 and 6.6; GFM, section 6.5.
 */
export function escapeInline(text: string, around: Neighbours): string {
  if (!MAY_BE_SPECIAL.test(text)) return text;
  const brackets = around.inLink ? undefined : bracketsOfLinks(text);
  let out = "";
  let copied = 0;
  SPECIAL.lastIndex = 0;
  for (let match = SPECIAL.exec(text); match !== null; match = SPECIAL.exec(text)) {
    const at = match.index;
    let end = at + 1;
    let escape = false;
    switch (text[at]) {
      case "\\":
        // At the end of a text it would take the closing mark of what it is in: `**\**`.
        escape =
          end < text.length
            ? ASCII_PUNCTUATION.test(text[end] ?? "")
            : around.after === "\n" || ASCII_PUNCTUATION.test(around.after);
        break;
      case "`":
        escape = true;
        break;
      case "*":
      case "_":
      case "~": {
        while (text[end] === text[at]) end++;
        escape = isDelimiter(text, at, end, around);
        break;
      }
      case "[":
      case "]":
        escape = around.inLink || brackets?.has(at) === true;
        break;
      case "<":
        escape = TAG_START.test(text[end] ?? "");
        break;
      case "&":
        ENTITY.lastIndex = at;
        escape = ENTITY.test(text);
        break;
      case "!":
        // Before a link it would make the link an image.
        escape = end === text.length && around.after === "[";
        break;
      default:
    }
    if (!escape) {
      SPECIAL.lastIndex = end;
      continue;
    }
    out += text.slice(copied, at);
    for (let i = at; i < end; i++) out += `\\${text[i] ?? ""}`;
    copied = end;
    SPECIAL.lastIndex = end;
  }
  return out + text.slice(copied);
}

const TILDE_PAIR = /(?:^|[^~])~(?=[^\s~])[^~]*[^\s~]~(?!~)/;

/** Whether a run of `*`, `_` or `~` could open or close emphasis where it stands. */
function isDelimiter(text: string, start: number, end: number, around: Neighbours): boolean {
  const before = start > 0 ? characterBefore(text, start) : around.before;
  const after = end < text.length ? characterAt(text, end) : around.after;
  const symbol = text[start];
  // One alone, as in `~/nest` and `~5`, needs another that could close what it opens. Source: GFM, section 6.5.
  if (symbol === "~" && end - start < 2 && !TILDE_PAIR.test(text)) return false;
  if (isBlank(before) && isBlank(after)) return false;
  return symbol !== "_" || !isWordCharacter(before) || !isWordCharacter(after);
}

/**
 * Whether a `*` delimiter run opens (`side` is "open") or closes emphasis between two characters; "" is the edge of the block.
 * Source: CommonMark 0.31, section 6.2, left- and right-flanking delimiter runs.
 */
export function starWorks(before: string, after: string, side: "open" | "close"): boolean {
  const [inside, outside] = side === "open" ? [after, before] : [before, after];
  if (isBlank(inside)) return false;
  return !PUNCTUATION.test(inside) || isBlank(outside) || PUNCTUATION.test(outside);
}

/** Positions of brackets that would make a link, a footnote or a link definition. */
function bracketsOfLinks(text: string): ReadonlySet<number> | undefined {
  if (!text.includes("](") && !text.includes("[^") && !text.includes("]:") && !text.startsWith("](")) return undefined;
  const found = new Set<number>();
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "[") open.push(i);
    else if (character === "]") {
      const start = open.pop();
      const next = text[i + 1];
      const links = next === "(" || (start !== undefined && (text[start + 1] === "^" || (next === ":" && start === 0)));
      if (!links) continue;
      found.add(i);
      if (start !== undefined) found.add(start);
    }
  }
  return found;
}

/** Whether a string of one character is whitespace or the edge of a block. */
export function isBlank(character: string): boolean {
  return character === "" || character.trim() === "";
}

export function isPunctuation(character: string): boolean {
  return PUNCTUATION.test(character);
}

function isWordCharacter(character: string): boolean {
  return !isBlank(character) && !PUNCTUATION.test(character);
}

/** The whole character at an index, of two code units if need be. */
export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** The whole character that ends before an index. */
export function characterBefore(text: string, index: number): string {
  const low = text.charCodeAt(index - 1);
  return low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.slice(index - 2, index) : text.slice(index - 1, index);
}

const LETTER = /^[A-Za-z]/;
const BULLET_OR_HEADING = /^(?:#{1,6}|[-+*])(?=[ \t]|$)/;
const ORDERED = /^(\d{1,9})([.)])(?=[ \t]|$)/;
const UNDERLINE = /^(?:-+|=+)[ \t]*$/;
const UNDERSCORE_RULE = /^_[ \t]*_[ \t]*_[ \t_]*$/;
const STAR_RULE = /^\*[ \t]*\*[ \t]*\*[ \t*]*$/;
const TABLE_RULE = /^[|:\- \t]+$/;

/** Escapes what is markup at the start of a line only, in each line of a paragraph. */
export function escapeLineStarts(paragraph: string): string {
  if (!paragraph.includes("\n")) return escapeLineStart(paragraph);
  return paragraph.split("\n").map(escapeLineStart).join("\n");
}

function escapeLineStart(line: string): string {
  // Most lines start with a letter, and a letter starts nothing.
  if (LETTER.test(line)) return line;
  const isMarkup =
    line.startsWith(">") ||
    line.startsWith("~~~") ||
    [BULLET_OR_HEADING, UNDERLINE, UNDERSCORE_RULE, STAR_RULE].some((pattern) => pattern.test(line));
  if (isMarkup) return `\\${line}`;
  const ordered = ORDERED.exec(line);
  if (ordered !== null) return `${ordered[1] ?? ""}\\${line.slice(ordered[1]?.length)}`;
  return line.includes("|") && line.includes("-") && TABLE_RULE.test(line) ? `\\${line}` : line;
}
