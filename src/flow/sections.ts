import type { Chunk } from "../domain/chunk.ts";

/** A part of a Markdown text with a name, in UTF-16 code units. */
export interface Section {
  /** The text of its heading, or the name of what its first line is the signature of; "" before the first heading. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Where a section begins: a heading, or a line that is the signature of a function, a class or a setting. */
interface Landmark {
  readonly name: string;
  readonly at: number;
  /** 1–6 of a heading; undefined for a signature. */
  readonly level: number | undefined;
}

/**
 * The section that a fragment of a URL or the words of a heading mean; undefined when there is none. `chunks` are those of
 * the document: they know the anchors of the page.
 */
export function findSection(markdown: string, chunks: readonly Chunk[], wanted: string): Section | undefined {
  const landmarks = landmarksOf(markdown);
  const asked = decoded(wanted.trim().replace(/^#+[ \t]*/, ""));
  const at = anchorAt(markdown, chunks, asked);
  const index = at === undefined ? named(landmarks, asked) : landmarks.findLastIndex((mark) => mark.at <= at);
  if (index >= 0) return sectionAt(landmarks, index, markdown.length);
  // An anchor before the first heading is that of the page: what comes before its sections.
  return at === undefined ? undefined : { name: "", start: 0, end: landmarks[0]?.at ?? markdown.length };
}

/** The names of the sections with headings, in their order. */
export function sectionNames(markdown: string): readonly string[] {
  return landmarksOf(markdown)
    .filter(({ level }) => level !== undefined)
    .map(({ name }) => name);
}

/** A heading's section ends at the next heading of its height; a signature's at the next one that is not below its name. */
function sectionAt(landmarks: readonly Landmark[], index: number, length: number): Section {
  const { name, at, level } = landmarks[index] as Landmark;
  const next = landmarks.slice(index + 1).find((mark) => {
    if (level !== undefined) return mark.level !== undefined && mark.level <= level;
    return mark.level !== undefined || !(mark.name === name || mark.name.startsWith(`${name}.`));
  });
  return { name, start: at, end: next?.at ?? length };
}

/** Where the first chunk with an anchor begins. */
function anchorAt(markdown: string, chunks: readonly Chunk[], anchor: string): number | undefined {
  if (anchor === "") return undefined;
  const same =
    chunks.find((chunk) => chunk.anchor === anchor) ??
    chunks.find((chunk) => chunk.anchor.toLowerCase() === anchor.toLowerCase());
  if (same === undefined) return undefined;
  // In order, for a line that begins a chunk may stand earlier in the text as well.
  let position = 0;
  for (const chunk of chunks) {
    const lineEnd = chunk.content.indexOf("\n");
    const found = markdown.indexOf(lineEnd === -1 ? chunk.content : chunk.content.slice(0, lineEnd), position);
    if (found !== -1) position = found;
    if (chunk === same) return found === -1 ? undefined : found;
  }
  return undefined;
}

/** The index of the landmark with a name; -1 when there is none. */
function named(landmarks: readonly Landmark[], asked: string): number {
  const slug = slugOf(asked);
  if (slug === "") return -1;
  const tests: readonly ((mark: Landmark) => boolean)[] = [
    ({ name }) => name === asked,
    ({ name, level }) => level !== undefined && slugOf(name) === slug,
    // `pathlib.Path.exists` is the anchor of what the page calls `Path.exists`.
    ({ name, level }) => level === undefined && (asked.endsWith(`.${name}`) || name.endsWith(`.${asked}`)),
    ({ name, level }) => level === undefined && name.toLowerCase() === asked.toLowerCase().replace(/\(.*/, ""),
  ];
  for (const test of tests) {
    const index = landmarks.findIndex(test);
    if (index >= 0) return index;
  }
  return onlyHeadingWith(landmarks, asked);
}

/** Fewer letters are rather an anchor that is gone than words of a heading. */
const LEAST_WORDS_CHARS = 4;

/** The one heading that has these words: people leave out its number, or all but what matters. Several are none. */
function onlyHeadingWith(landmarks: readonly Landmark[], asked: string): number {
  const wanted = asked.toLowerCase();
  if (wanted.length < LEAST_WORDS_CHARS) return -1;
  const found = landmarks.flatMap(({ name, level }, index) =>
    level !== undefined && name.toLowerCase().includes(wanted) ? [{ name, index }] : [],
  );
  const unnumbered = found.filter(({ name }) => name.toLowerCase().replace(/^[\d.]+\s*/, "") === wanted);
  const [only, ...others] = unnumbered.length > 0 ? unnumbered : found;
  return only === undefined || others.length > 0 ? -1 : only.index;
}

function landmarksOf(markdown: string): readonly Landmark[] {
  const landmarks: Landmark[] = [];
  let fence = "";
  for (let at = 0; at < markdown.length;) {
    const newline = markdown.indexOf("\n", at);
    const end = newline === -1 ? markdown.length : newline;
    const line = markdown.slice(at, end);
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      if (marker?.startsWith(fence) === true) fence = "";
    } else if (marker !== undefined) fence = marker;
    else {
      const heading = /^(#{1,6})[ \t]+(.+)/.exec(line);
      const signature = /^`+([^`]+)`+$/.exec(line);
      if (heading !== null) landmarks.push({ name: plain(heading[2] ?? ""), at, level: heading[1]?.length });
      else if (signature !== null) landmarks.push({ name: subject(signature[1] ?? ""), at, level: undefined });
    }
    at = end + 1;
  }
  return landmarks;
}

/** What a signature is of: `class os.PathLike(x)` of os.PathLike, `--verbose LEVEL` of --verbose. */
function subject(signature: string): string {
  const words = signature
    .trim()
    .replace(
      /^(?:(?:async|class|static|abstract|final|const|def|function|property|exception|classmethod|staticmethod|coroutine)\s+)+/,
      "",
    );
  return /^[^\s([{=,:]+/.exec(words)?.[0] ?? words;
}

/** A heading without its marks. */
function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`\\]/g, "")
    .trim();
}

/** As most generators make an anchor of a heading. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
