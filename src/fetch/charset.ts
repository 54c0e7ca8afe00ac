import { isUtf8 } from "node:buffer";

/** How far into a page its `<meta charset>` is looked for. Source: HTML Standard, 13.2.3.2, with room for long comments. */
const PRESCAN_BYTES = 4_096;

/** Names that browsers read as windows-1252, and that servers give to what is UTF-8. */
const LATIN = /^(?:iso-?8859-?1|latin-?1|windows-1252|us-ascii|ascii)$/i;

/**
 * A page's text, good enough to find links in: by byte order mark, header, then `<meta>`, else UTF-8. A page that is plainly
 * UTF-8 and labelled Latin-1, or the reverse, is read as what it is. Bytes that are wrong become U+FFFD, and never an error:
 * most addresses are ASCII, which nearly all encodings share.
 */
export function pageText(body: Buffer, contentType: string): string {
  const label = bomCharset(body) ?? charsetIn(contentType) ?? metaCharset(body) ?? "utf-8";
  if (/^utf-?8$/i.test(label)) return utf8OrLatin(body);
  if (LATIN.test(label) && isUtf8(body)) return body.toString("utf8");
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return utf8OrLatin(body);
  }
}

/** A text whose only characters beyond ASCII are damaged ones is none of UTF-8. */
function utf8OrLatin(body: Buffer): string {
  const text = body.toString("utf8");
  if (isUtf8(body) || /[^\u0000-\u007F\uFFFD]/.test(text)) return text;
  return new TextDecoder("windows-1252").decode(body);
}

function bomCharset(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  return undefined;
}

function metaCharset(body: Buffer): string | undefined {
  return charsetIn(body.toString("latin1", 0, PRESCAN_BYTES));
}

function charsetIn(text: string): string | undefined {
  return /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(text)?.[1];
}
