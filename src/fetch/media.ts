import type { DocumentType, Scope } from "../domain/source.ts";

/** What kind of document an answer or a file holds. */
export type Media = "html" | "markdown" | "text" | "rst" | "asciidoc" | "pdf" | "notebook" | "json" | "yaml";

interface MediaForm {
  /** What the archive calls it. */
  readonly type: DocumentType;
  /** What servers call it as well. */
  readonly otherTypes: readonly string[];
  /** Of its files, in lower case. */
  readonly endings: readonly string[];
  /** Set for what is more often data, a licence or a page's own source than documentation: it has to be asked for. */
  readonly onlyIfAsked?: true;
}

/** All that is known of each kind: the crawl and the folder reader go by this table alone. */
const MEDIA: Readonly<Record<Media, MediaForm>> = {
  html: { type: "text/html", otherTypes: ["application/xhtml+xml"], endings: ["html", "htm", "xhtml"] },
  markdown: { type: "text/markdown", otherTypes: ["text/x-markdown"], endings: ["md", "markdown", "mdx"] },
  rst: {
    type: "text/x-rst",
    otherTypes: ["text/prs.fallenstein.rst", "text/restructuredtext", "text/x-restructuredtext"],
    endings: ["rst"],
  },
  asciidoc: {
    type: "text/asciidoc",
    otherTypes: ["text/x-asciidoc", "application/asciidoc"],
    endings: ["adoc", "asciidoc"],
  },
  pdf: { type: "application/pdf", otherTypes: ["application/x-pdf"], endings: ["pdf"] },
  notebook: { type: "application/x-ipynb+json", otherTypes: [], endings: ["ipynb"] },
  text: { type: "text/plain", otherTypes: [], endings: ["txt"], onlyIfAsked: true },
  json: {
    type: "application/json",
    otherTypes: ["text/json", "application/vnd.oai.openapi+json", "application/openapi+json"],
    endings: ["json"],
    onlyIfAsked: true,
  },
  yaml: {
    type: "application/yaml",
    otherTypes: "text/yaml text/x-yaml application/x-yaml application/vnd.oai.openapi application/openapi+yaml".split(
      " ",
    ),
    endings: ["yaml", "yml"],
    onlyIfAsked: true,
  },
};

const FORMS = Object.entries(MEDIA) as readonly (readonly [Media, MediaForm])[];
const BY_TYPE = new Map(FORMS.flatMap(([media, form]) => [form.type, ...form.otherTypes].map((type) => [type, media])));
const BY_ENDING = new Map(FORMS.flatMap(([media, form]) => form.endings.map((ending) => [ending, media])));

/** Types that say little: the bytes or the ending decide. */
const VAGUE_TYPES: readonly string[] = [
  "",
  "text/plain",
  "application/octet-stream",
  "binary/octet-stream",
  "text/xml",
  "application/xml",
];

/** What the ending of a file tells where its type says little: the others are told by their bytes, or by their type alone. */
const TOLD_BY_ENDING: ReadonlySet<Media> = new Set(["markdown", "rst", "asciidoc", "notebook", "json", "yaml"]);

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
  ..."doc docx epub mobi odp ods odt ppt pptx ps xls xlsx".split(" "),
  // What pages are made of
  ..."css map webmanifest".split(" "),
  // Sphinx links the source of every page (`_sources/os.rst.txt`), which says the same as the page
  ..."rst.txt md.txt".split(" "),
];

const NO_DOCUMENT_ENDINGS = new Set(NO_DOCUMENT);

/** The ending by which a public URL is known to be no document, such as "png"; undefined when only asking can tell. */
export function binaryEnding(url: string): string | undefined {
  const file = fileName(url);
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

/** The last segment of a URL's path, in lower case. */
function fileName(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** The kind of document that the ending of a URL's or file's path stands for; undefined when it stands for none. */
export function mediaOfEnding(url: string): Media | undefined {
  const file = fileName(url);
  const dot = file.lastIndexOf(".");
  return dot < 1 ? undefined : BY_ENDING.get(file.slice(dot + 1));
}

/** What the archive calls a kind of document. */
export function typeOfMedia(media: Media): DocumentType {
  return MEDIA[media].type;
}

/** What decides which kinds of documents a source keeps. */
export interface MediaRule {
  /** Why a document of this kind is not kept; undefined when it is. @param isAsked whether this very URL is asked for. */
  refusal(media: Media, isAsked: boolean): string | undefined;
}

/** By the content types that a scope lists; without a list all are kept, but for those that have to be asked for. */
export function mediaRule({ contentTypes }: Pick<Scope, "contentTypes">): MediaRule {
  return {
    refusal(media, isAsked) {
      const { type, onlyIfAsked } = MEDIA[media];
      if (contentTypes !== undefined) {
        return contentTypes.includes(type)
          ? undefined
          : `${type} is not in scope.contentTypes (${contentTypes.join(", ")})`;
      }
      if (onlyIfAsked !== true || isAsked) return undefined;
      return `${type} is no document, unless a pattern of scope.include or scope.contentTypes asks for it`;
    },
  };
}

/** The part of a URL before the ending of its file: what a pattern that asks for the ending does not match. */
export function withoutEnding(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const dot = path.lastIndexOf(".");
  return dot <= path.lastIndexOf("/") ? url : path.slice(0, dot) + (end === -1 ? "" : url.slice(end));
}

/** Whether a type alone says that this is a document, whatever the source asks for. */
export function isDocumentType(contentType: string): boolean {
  const media = BY_TYPE.get(mediaType(contentType));
  return media !== undefined && MEDIA[media].onlyIfAsked !== true;
}

/** Whether an answer of this type may hold a document that is kept, so that its body is worth reading. */
export function isWorthReading(contentType: string, url: string, rule: MediaRule, isAsked: boolean): boolean {
  const type = mediaType(contentType);
  if (VAGUE_TYPES.includes(type)) return true;
  const media = BY_TYPE.get(type);
  if (media === undefined) return false;
  // What may turn out to be another kind is read: Markdown is sent as HTML, a login page as anything.
  const isData = media === "yaml" || (media === "json" && mediaOfEnding(url) !== "notebook");
  return media === "pdf" || isData ? rule.refusal(media, isAsked) === undefined : true;
}

/**
 * What a body is, by its type and, where the type says little or is wrong, by its ending and its first bytes: servers send
 * Markdown and PDF as anything, and so HTML. Undefined when it is no document.
 */
export function mediaOf(contentType: string, url: string, body: Uint8Array): Media | undefined {
  const type = mediaType(contentType);
  const byType = BY_TYPE.get(type);
  const byEnding = mediaOfEnding(url);
  if (beginsLikePdf(body) && (byType === "pdf" || VAGUE_TYPES.includes(type))) return "pdf";
  if (byType === "html") return byEnding === "markdown" && !beginsWithTag(body) ? "markdown" : "html";
  if (byType === "json" && byEnding === "notebook") return "notebook";
  // A login page under the address of a file, too.
  const mayBeHtml = VAGUE_TYPES.includes(type) || byType === "pdf" || byType === "rst" || byType === "asciidoc";
  if (mayBeHtml && beginsLikeHtml(body)) return "html";
  // Nothing is said of it: then a tag of HTML at its beginning is enough.
  if (
    type === "" &&
    byEnding === undefined &&
    /^\s*<(?:head|title|meta|body|main|article|div|h[1-6]|p)[\s>]/i.test(startOf(body))
  )
    return "html";
  if (!VAGUE_TYPES.includes(type)) return byType;
  return byEnding !== undefined && TOLD_BY_ENDING.has(byEnding) && !type.endsWith("/xml") ? byEnding : byType;
}

/** The Content-Type for the archive: as sent, unless it is another name, or names another kind of document than the body is. */
export function trueContentType(contentType: string, media: Media): string {
  const type = mediaType(contentType);
  const isPage = media === "html" || media === "markdown" || media === "text";
  if (BY_TYPE.get(type) === media && (isPage || type === MEDIA[media].type)) return contentType;
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  return charset === undefined || media === "pdf" ? MEDIA[media].type : `${MEDIA[media].type}; charset=${charset}`;
}

/** Far enough for an XML declaration and a licence comment before the first tag. */
const SNIFF_BYTES = 1_024;

function startOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SNIFF_BYTES)).toString("latin1");
}

function beginsLikeHtml(body: Uint8Array): boolean {
  return /<!doctype\s+html|<html[\s>]/i.test(startOf(body)) && beginsWithTag(body);
}

function beginsLikePdf(body: Uint8Array): boolean {
  return Buffer.from(body.subarray(0, 5)).toString("latin1") === "%PDF-";
}

function beginsWithTag(body: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*</.test(startOf(body));
}

/** Whether a body has nothing to read in it. */
export function isBlank(body: Uint8Array): boolean {
  for (const byte of body) if (byte > 0x20) return false;
  return true;
}
