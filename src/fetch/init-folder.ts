import { open, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { CarrelError } from "../domain/errors.ts";
import { fileReasonOf } from "../domain/file-errors.ts";
import type { FolderLook } from "../domain/site-look.ts";
import { pageText } from "./charset.ts";
import { listFiles } from "./folder-files.ts";
import { addressOf } from "./folder-urls.ts";
import { htmlLinks } from "./links.ts";
import { mediaRule, typeOfMedia, type Media } from "./media.ts";

/** Documents that are read to learn what they are called in public. */
const SAMPLE = 25;
/** The head of a page is in its beginning. */
const READ_BYTES = 65_536;
/** What a reader would begin with, likeliest first. */
const STARTS = ["index.html", "index.htm", "contents.html", "README.html", "index.md", "README.md", "index.xhtml"];
/** Stands for the address that is looked for. */
const NOWHERE = "https://file.invalid/";

/** Looks at a folder: what is in it, where it begins, and what its pages say their address is. @throws CarrelError */
export async function lookAtFolder(path: string): Promise<FolderLook> {
  const given = await folderAt(path);
  const rule = mediaRule({});
  const { files } = await listFiles(given);
  const media = new Map<string, Media>();
  for (const file of files) {
    const kind = addressOf(NOWHERE, file).media;
    if (kind !== undefined && rule.refusal(kind, false) === undefined) media.set(file, kind);
  }
  if (media.size === 0) {
    throw new CarrelError(
      "not-found",
      `${path} holds no documentation: of its ${files.length} files none is HTML, Markdown, reStructuredText, AsciiDoc, PDF or a notebook. Plain text is read too, but has to be asked for; see data/manual/pipelines.md.`,
    );
  }
  const inside = commonFolder([...media.keys()]);
  const documents = [...media.keys()].map((file) => file.slice(inside.length)).sort();
  const types: Record<string, number> = {};
  for (const kind of media.values()) types[typeOfMedia(kind)] = (types[typeOfMedia(kind)] ?? 0) + 1;
  const folder = join(given, inside);
  const start = startOf(documents);
  const body = await beginning(join(folder, start), Number.POSITIVE_INFINITY);
  return {
    kind: "folder",
    folder: folder.length > 1 && folder.endsWith(sep) ? folder.slice(0, -1) : folder,
    documents,
    types,
    others: files.length - media.size,
    start,
    body,
    contentType: typeOfMedia(media.get(inside + start) ?? "html"),
    ...(await publicBase(folder, documents, (file) => media.get(inside + file) === "html")),
  };
}

async function folderAt(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (thrown) {
    throw new CarrelError(
      "not-found",
      `${path} cannot be read: ${fileReasonOf(thrown)}. Name a folder that there is, or the address of a site, such as https://docs.example.com/.`,
    );
  }
  throw new CarrelError(
    "invalid",
    `${path} is a file, and a folder or the address of a site is wanted. Archives such as .zip and .tar.gz are listed without looking; see data/manual/pipelines.md.`,
  );
}

/** The one folder that all paths are in, with a separator at its end; "" when there is none. */
function commonFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  let common = first.slice(0, first.lastIndexOf(sep) + 1);
  for (const path of others) {
    while (!path.startsWith(common)) common = common.slice(0, common.lastIndexOf(sep, common.length - 2) + 1);
  }
  return common;
}

/** The index nearest to the root, or the first document. */
function startOf(documents: readonly string[]): string {
  const depth = (path: string): number => path.split(sep).length;
  const rank = (path: string): number => {
    const at = STARTS.indexOf(basename(path));
    return depth(path) * 100 + (at === -1 ? 99 : at);
  };
  return documents.reduce((best, path) => (rank(path) < rank(best) ? path : best), documents[0] ?? "");
}

async function publicBase(
  folder: string,
  documents: readonly string[],
  isHtml: (file: string) => boolean,
): Promise<Pick<FolderLook, "baseUrl" | "sampled" | "agreeing">> {
  const pages = documents.filter(isHtml);
  const step = Math.max(1, pages.length / SAMPLE);
  const votes = new Map<string, number>();
  let sampled = 0;
  for (let at = 0; at < pages.length; at += step) {
    const page = pages[Math.floor(at)] ?? "";
    sampled++;
    const { canonical } = htmlLinks(pageText(await beginning(join(folder, page), READ_BYTES), "text/html"), "");
    const base = canonical === undefined ? undefined : baseOf(canonical, page);
    if (base !== undefined) votes.set(base, (votes.get(base) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  return { baseUrl: best?.[0], sampled, agreeing: best?.[1] ?? 0 };
}

/** The address of the root, given that of one page in it; undefined when the address does not end like the path. */
function baseOf(canonical: string, path: string): string | undefined {
  const url = URL.parse(canonical);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const own = addressOf(NOWHERE, path).url.slice(NOWHERE.length);
  const bare = url.origin + url.pathname;
  // Sites leave out what they can: `a/index.html`, `a.html`.
  const spellings = [
    own,
    own.replace(/(^|\/)index\.html?$/, "$1"),
    own.replace(/\.html?$/, ""),
    own.replace(/\.html?$/, "/"),
  ];
  for (const spelling of spellings) {
    if (spelling !== "" && bare.endsWith(`/${spelling}`)) return bare.slice(0, bare.length - spelling.length);
    if (spelling === "" && bare.endsWith("/")) return bare;
  }
  return undefined;
}

async function beginning(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, bytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
