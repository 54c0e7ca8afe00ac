/** What kind of document an answer holds. */
export type Media = "html" | "markdown" | "text";

const BY_TYPE: Readonly<Record<string, Media>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "text/plain": "text",
};

/** Types that say little: the bytes or the ending decide. */
const VAGUE_TYPES: readonly string[] = ["", "text/plain", "application/octet-stream", "text/xml", "application/xml"];

/** Endings of files that are no documents whatever the site; a link to one is not followed, which saves the request. */
const NO_DOCUMENT: readonly string[] = [
  // Pictures, sound, video, fonts
  ..."apng avif bmp gif ico jpeg jpg png svg svgz tif tiff webp".split(" "),
  ..."aac flac m4a mid mov mp3 mp4 m4v mpeg mpg oga ogg ogv opus wav webm avi mkv".split(" "),
  ..."eot otf ttf woff woff2".split(" "),
  // Archives, packages, programs, disk images
  ..."7z bz2 gz lz lzma rar tar tgz txz xz zip zst".split(" "),
  ..."apk crate deb dmg egg exe gem iso jar msi nupkg pkg rpm war whl".split(" "),
  ..."class dll dylib so wasm".split(" "),
  // Office documents and books: not read by this program
  ..."doc docx epub mobi odp ods odt pdf ppt pptx ps xls xlsx".split(" "),
  // What pages are made of
  ..."css map webmanifest".split(" "),
  // Sphinx links the source of every page (`_sources/os.rst.txt`), which says the same as the page
  ..."rst.txt md.txt".split(" "),
];

const NO_DOCUMENT_ENDINGS = new Set(NO_DOCUMENT);

/** The ending by which a public URL is known to be no document, such as "png"; undefined when only asking can tell. */
export function binaryEnding(url: string): string | undefined {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = file.lastIndexOf(".");
  // A name that is all ending (`/.png`) names a place rather than a file.
  if (dot < 1) return undefined;
  const ending = file.slice(dot + 1);
  if (NO_DOCUMENT_ENDINGS.has(ending)) return ending;
  const second = file.lastIndexOf(".", dot - 1);
  const double = file.slice(second + 1);
  return second > 0 && NO_DOCUMENT_ENDINGS.has(double) ? double : undefined;
}

/** The bare type of a Content-Type header, in lower case. */
export function mediaType(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** Whether a type alone says that this is a document. */
export function isDocumentType(contentType: string): boolean {
  const media = BY_TYPE[mediaType(contentType)];
  return media === "html" || media === "markdown";
}

/** Whether an answer of this type may hold a document, so that its body is worth reading. */
export function mayBeDocument(contentType: string): boolean {
  const type = mediaType(contentType);
  return type in BY_TYPE || VAGUE_TYPES.includes(type);
}

/**
 * What a body is, by its type and, where the type says little or is wrong, by its ending and its first bytes: servers send
 * Markdown as text/plain, and HTML as anything. Undefined when it is none of the three.
 */
export function mediaOf(contentType: string, url: string, body: Uint8Array): Media | undefined {
  const type = mediaType(contentType);
  const known = BY_TYPE[type];
  const isMarkdownFile = /\.(md|markdown)$/i.test(new URL(url).pathname);
  if (known === "html" && isMarkdownFile && !beginsWithTag(body)) return "markdown";
  if (!VAGUE_TYPES.includes(type)) return known;
  if (beginsLikeHtml(body)) return "html";
  return isMarkdownFile ? "markdown" : known;
}

/** The Content-Type for the archive: as sent, unless it names another kind of document than the body is. */
export function trueContentType(contentType: string, media: Media): string {
  if (BY_TYPE[mediaType(contentType)] === media) return contentType;
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const type = media === "html" ? "text/html" : media === "markdown" ? "text/markdown" : "text/plain";
  return charset === undefined ? type : `${type}; charset=${charset}`;
}

/** Far enough for an XML declaration and a licence comment before the first tag. */
const SNIFF_BYTES = 1_024;

function beginsLikeHtml(body: Uint8Array): boolean {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SNIFF_BYTES)).toString("latin1");
  return /<!doctype\s+html|<html[\s>]/i.test(start) && beginsWithTag(body);
}

function beginsWithTag(body: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(Buffer.from(body.subarray(0, SNIFF_BYTES)).toString("latin1"));
}

/** Whether a body has nothing to read in it. */
export function isBlank(body: Uint8Array): boolean {
  for (const byte of body) if (byte > 0x20) return false;
  return true;
}
