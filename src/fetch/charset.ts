/** Browsers look for a `<meta charset>` this far into a page. Source: HTML Standard, 13.2.3.2. */
const PRESCAN_BYTES = 1_024;

/**
 * A page's text, good enough to find links in: by byte order mark, header, then `<meta>`, else UTF-8. Bytes that are wrong
 * become U+FFFD, and never an error: most addresses are ASCII, which nearly all encodings share.
 */
export function pageText(body: Buffer, contentType: string): string {
  const label = bomCharset(body) ?? charsetIn(contentType) ?? metaCharset(body) ?? "utf-8";
  if (/^utf-?8$/i.test(label)) return body.toString("utf8");
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return body.toString("utf8");
  }
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
