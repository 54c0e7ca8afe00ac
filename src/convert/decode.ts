/** How far into a page its `<meta charset>` is looked for. Source: HTML, section 13.2.3.2, with room for long comments. */
const META_BYTES = 4096;

const META_CHARSET = /<meta[^>]{0,200}?charset\s{0,10}=\s{0,10}["']?\s{0,10}([\w.:-]{1,40})/i;
const XML_ENCODING = /^<\?xml[^>]{0,200}?encoding\s{0,10}=\s{0,10}["']([\w.:-]{1,40})/i;

/**
 * The text of a page: by its byte order mark, the `charset` of its Content-Type, what it says of itself, then as UTF-8, and as
 * windows-1252 when it is no valid UTF-8. Never throws: bytes that are wrong for the encoding become U+FFFD.
 */
export function decodePage(body: Uint8Array, contentType: string): string {
  const marked = byteOrderMark(body);
  if (marked !== undefined) return decode(body, marked) ?? "";
  const header = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const named = header === undefined ? undefined : decode(body, header);
  if (named !== undefined) return named;
  const start = new TextDecoder("windows-1252").decode(body.subarray(0, META_BYTES));
  const meta = META_CHARSET.exec(start)?.[1] ?? XML_ENCODING.exec(start)?.[1];
  // A page that could be read so far as to find this is no UTF-16, whatever it says.
  const said = meta === undefined ? undefined : decode(body, /^utf-?16/i.test(meta) ? "utf-8" : meta);
  return said ?? decodeStrictly(body) ?? decodeWindows1252(body);
}

function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return undefined;
}

/** Undefined when there is no such encoding, or when a page is said to be UTF-8 and is not. */
function decode(body: Uint8Array, label: string): string | undefined {
  try {
    const decoder = new TextDecoder(label);
    if (decoder.encoding === "utf-8") return decodeStrictly(body) ?? decoder.decode(body);
    return decoder.encoding === "windows-1252" ? decodeWindows1252(body) : decoder.decode(body);
  } catch {
    return undefined;
  }
}

/** What the bytes 0x80 to 0x9f are. Source: Encoding Standard, index windows-1252. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Node decodes windows-1252 as Latin-1, in which these are controls, and quotation marks would vanish. */
function decodeWindows1252(body: Uint8Array): string {
  const text = new TextDecoder("windows-1252").decode(body);
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

function decodeStrictly(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
