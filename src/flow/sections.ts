import { nearest } from "../domain/nearest.ts";
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
  /** What a signature declares besides its name: `PyUnicode_AsUTF8` of `const char *PyUnicode_AsUTF8(PyObject *unicode)`. */
  readonly declared?: string;
}

/**
 * The section that a fragment of a URL or the words of a heading mean; undefined when there is none. `chunks` are those of
 * the document: they know the anchors of the page.
 */
export function findSection(markdown: string, chunks: readonly Chunk[], wanted: string): Section | undefined {
  const landmarks = landmarksOf(markdown);
  const asked = decoded(wanted.trim().replace(/^#+[ \t]*/, "")).replace(/^@/, "");
  const at = anchorAt(markdown, chunks, asked);
  const entry = at === undefined ? undefined : entryAt(markdown, at);
  if (entry !== undefined) return entry;
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

/** Likeness from which on a name may be what was meant. */
const LEAST_LIKENESS = 0.35;
/** Names that are spelt nearly so, and names that are like it; the rest of a list are the headings of the page. */
const MAX_SPELT = 3;
const MAX_LIKE = 10;

/**
 * Names of sections for one that is not there: first those that are spelt nearly so, anchors of the page among them, and those
 * that share most with it, of headings and signatures alike, then the headings in their order. Each can be asked for.
 */
export function nearestSections(
  markdown: string,
  chunks: readonly Chunk[],
  asked: string,
  limit: number,
): readonly string[] {
  const landmarks = landmarksOf(markdown).filter(({ name }) => name !== "");
  const names = [...new Set(landmarks.map(({ name }) => name))];
  const wanted = pairsOf(decoded(asked));
  const like = names
    .map((name) => ({ name, likeness: likeness(wanted, pairsOf(name)) }))
    .filter((one) => one.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_LIKE);
  const headings = landmarks.filter(({ level }) => level !== undefined);
  const anchors = chunks.flatMap((chunk) => chunk.anchors.map(([id]) => id));
  const spelt = nearest(decoded(asked), new Set([...names, ...anchors]), MAX_SPELT);
  return [...new Set([...spelt, ...[...like, ...headings].map(({ name }) => name)])].slice(0, limit);
}

/** How many pairs of neighbouring characters two names share, from 0 to 1. Source: the Sørensen–Dice coefficient. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / Math.max(1, a.size + b.size);
}

function pairsOf(name: string): ReadonlySet<string> {
  const slug = ` ${slugOf(name)} `;
  return new Set(Array.from({ length: slug.length - 1 }, (_, at) => slug.slice(at, at + 2)));
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

/** Where an anchor of the page leads to: to a line of the text, else to the beginning of the first chunk under it. */
function anchorAt(markdown: string, chunks: readonly Chunk[], anchor: string): number | undefined {
  const place = placeOf(chunks, anchor);
  if (place === undefined) return undefined;
  // In order, for a line that begins a chunk may stand earlier in the text as well.
  let position = 0;
  for (const chunk of chunks) {
    const found = markdown.indexOf(lineAt(chunk.content, 0), position);
    if (found !== -1) position = found;
    if (chunk !== place.chunk) continue;
    if (found === -1 || place.at === 0) return found === -1 ? undefined : found;
    // A chunk may repeat a label or the header of a table, so that places in it are not those in the text.
    const line = markdown.indexOf(lineAt(chunk.content, place.at), found);
    return line === -1 ? found : line;
  }
  return undefined;
}

function placeOf(chunks: readonly Chunk[], anchor: string): { readonly chunk: Chunk; readonly at: number } | undefined {
  if (anchor === "") return undefined;
  const lower = anchor.toLowerCase();
  for (const isSame of [(id: string) => id === anchor, (id: string) => id.toLowerCase() === lower]) {
    for (const chunk of chunks) {
      const found = chunk.anchors.find(([id]) => isSame(id));
      if (found !== undefined) return { chunk, at: found[1] };
    }
    const under = chunks.find((chunk) => isSame(chunk.anchor));
    if (under !== undefined) return { chunk: under, at: 0 };
  }
  return undefined;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(at, end === -1 ? undefined : end);
}

/** The item of a list that begins in a line, such as a setting and what is said of it; undefined when none begins there. */
function entryAt(markdown: string, at: number): Section | undefined {
  const line = lineAt(markdown, at);
  const [marker, indent = ""] = /^( *)(?:- |\d{1,9}\. )/.exec(line) ?? [];
  if (marker === undefined) return undefined;
  let end = at + line.length + 1;
  while (end < markdown.length) {
    const next = lineAt(markdown, end);
    if (next.trim() !== "" && next.length - next.trimStart().length <= indent.length) break;
    end += next.length + 1;
  }
  const text = line.slice(marker.length);
  const colon = text.indexOf(": ");
  return { name: plain(colon === -1 ? text : text.slice(0, colon)), start: at, end: Math.min(end, markdown.length) };
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
    ({ declared }) => declared === asked.replace(/\(.*/, ""),
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
      else if (signature !== null) {
        const [, text = ""] = signature;
        landmarks.push({ name: subject(text), at, level: undefined, declared: declaredIn(text) });
      }
    }
    at = end + 1;
  }
  return landmarks;
}

/** What a signature is of: `class os.PathLike(x)` of os.PathLike, `--verbose LEVEL` of --verbose. */
function subject(signature: string): string {
  const words = signature
    .trim()
    // A decorator is called by its name.
    .replace(/^@/, "")
    .replace(
      /^(?:(?:async|class|static|abstract|final|const|def|function|property|exception|classmethod|staticmethod|coroutine)\s+)+/,
      "",
    );
  return /^[^\s([{=,:]+/.exec(words)?.[0] ?? words;
}

/** The name before the parentheses of a signature in the manner of C, else its last word. */
function declaredIn(signature: string): string {
  return /([\w$.:]+)\s*\(/.exec(signature)?.[1] ?? /[\w$.]+$/.exec(signature)?.[0] ?? "";
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
