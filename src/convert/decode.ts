import { analyse } from "chardet";

/** How far into a page its `<meta charset>` is looked for. Source: HTML, section 13.2.3.2, with room for long comments. */
const META_BYTES = 4096;

const META_CHARSET = /<meta[^>]{0,200}?charset\s{0,10}=\s{0,10}["']?\s{0,10}([\w.:-]{1,40})/i;
const XML_ENCODING = /^<\?xml[^>]{0,200}?encoding\s{0,10}=\s{0,10}["']([\w.:-]{1,40})/i;

/** Encodings with one byte a letter, which servers name by default for pages that are UTF-8. */
const ONE_BYTE = /^(?:iso-8859-|windows-125|macintosh|koi8|ibm866)/;

/**
 * The text of a page: by its byte order mark, the `charset` of its Content-Type, what it says of itself, then as UTF-8, and
 * when it is no valid UTF-8 by what its letters look like, else as windows-1252. Servers often name the wrong one: a page that is valid UTF-8 is UTF-8, for text in
 * another encoding is so by chance only when it has no letter beyond ASCII; and one that is hardly UTF-8 is not.
 * Never throws: bytes that are wrong for the encoding become U+FFFD, and a letter that is cut off at the end goes.
 */
export function decodePage(body: Uint8Array, contentType: string): string {
  const marked = byteOrderMark(body);
  if (marked !== undefined) return decode(body, marked) ?? "";
  const header = encodingOf(/charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]);
  const start = new TextDecoder("windows-1252").decode(body.subarray(0, META_BYTES));
  const own = encodingOf(META_CHARSET.exec(start)?.[1] ?? XML_ENCODING.exec(start)?.[1]);
  // A page that could be read so far as to find this is no UTF-16, whatever it says.
  const meta = own?.startsWith("utf-16") === true ? "utf-8" : own;
  const said = header ?? meta;
  if (said !== undefined && said !== "utf-8" && !ONE_BYTE.test(said)) return decode(body, said) ?? "";
  const utf8 = decodeStrictly(body);
  if (utf8 !== undefined) return utf8;
  if (said !== undefined && said !== "utf-8") return decode(body, said) ?? decodeWindows1252(body);
  const damaged = said === "utf-8" ? mostlyUtf8(body) : undefined;
  if (damaged !== undefined) return damaged;
  return decode(body, meta === undefined || meta === "utf-8" ? lookedAt(body) : meta) ?? "";
}

/** With fewer bytes beyond ASCII than this nothing can be told of them: a quotation mark, a name. */
const LEAST_BYTES_TO_TELL = 12;
const BYTES_LOOKED_AT = 64 * 1024;
/** Of a hundred. Encodings of two bytes a letter give themselves away; those of one byte are told by how often letters come. */
const LEAST_CONFIDENCE = { "one byte": 15, "more bytes": 50 };

/** The encoding that the bytes look like; windows-1252, in which most of such pages are, where that is not clear. */
function lookedAt(body: Uint8Array): string {
  // Tags are ASCII, and would speak for western languages.
  const text = Buffer.from(body.subarray(0, BYTES_LOOKED_AT))
    .toString("latin1")
    .replace(/<[^<>]{0,2000}>/g, " ");
  if ((text.match(/[\u0080-\u00ff]/g)?.length ?? 0) < LEAST_BYTES_TO_TELL) return "windows-1252";
  const [best] = analyse(Buffer.from(text, "latin1"));
  const encoding = encodingOf(best?.name);
  if (best === undefined || encoding === undefined || encoding.startsWith("utf-")) return "windows-1252";
  const least = LEAST_CONFIDENCE[ONE_BYTE.test(encoding) ? "one byte" : "more bytes"];
  return best.confidence >= least ? encoding : "windows-1252";
}

/** The name of an encoding by any of its labels; undefined for what is none. */
function encodingOf(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** UTF-8 in which some bytes are wrong; undefined when it has more of these than of letters beyond ASCII. */
function mostlyUtf8(body: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8").decode(body);
  let [wrong, right] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) wrong++;
    else if (code > 0x7f) right++;
  }
  return wrong > right ? undefined : text;
}

function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return undefined;
}

/** Undefined when there is no such encoding. */
function decode(body: Uint8Array, label: string): string | undefined {
  try {
    const decoder = new TextDecoder(label);
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

/** A letter that is cut off at the end is left out, where there are others that are whole. */
function decodeStrictly(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return decodeCutOff(body);
  }
}

function decodeCutOff(body: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true });
    return /[^\u{0}-\u{7f}]/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
