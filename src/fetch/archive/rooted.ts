import { CarrelError } from "../../domain/errors.ts";
import { compileLocalRules } from "../folder-urls.ts";
import { addressed, documentsAmong } from "../local-documents.ts";
import { typeOfMedia } from "../media.ts";
import type { ArchivedDocument, OpenArchive } from "./archive-contents.ts";
import { followLink, isHidden } from "./member-path.ts";
import type { OmissionTally } from "./omitted.ts";
import { printable } from "./omitted.ts";

/** A file in an archive. */
export interface ArchiveMember {
  readonly place: number;
  readonly lastModified: Date | undefined;
  /** Why it cannot be read. */
  readonly problem?: string;
}

/** The files of an archive and its links, by their paths; see `memberPath`. */
export interface MemberList {
  readonly files: Map<string, ArchiveMember>;
  /** The paths that links lead to, by their own; undefined for what leads out. */
  readonly links: Map<string, string | undefined>;
}

const ARCHIVES = /\.(?:zip|jar|war|tar|tgz|tbz2?|txz|7z|rar|warc|wacz|zim|(?:tar|warc)\.(?:gz|bz2|xz|zst))$/i;

/** The documents that files in an archive are, below the root that the pipeline names. */
export function rootedDocuments(archive: OpenArchive, { files, links }: MemberList): Map<string, ArchivedDocument> {
  const { source, omitted } = archive;
  resolveLinks(files, links, omitted);
  const below = belowRoot(source.root ?? "", files, (problem) => {
    throw new CarrelError("not-found", `${source.archive} (source ${source.id}): ${problem}; nothing was changed.`);
  });
  const paths = [...below.keys()].filter((path) => !isHidden(path)).sort();
  for (const path of paths) if (ARCHIVES.test(path)) omitted.add("archive", path);
  const { names } = compileLocalRules(source);
  const documents = new Map<string, ArchivedDocument>();
  for (const { path, url, media } of documentsAmong(source, addressed(source.baseUrl ?? "", paths), archive.logger)) {
    const member = below.get(path);
    const name = names.name(url);
    // `a/index.html` and `a/index.htm` are one document: the first of them, as of a folder.
    if (member === undefined || documents.has(name)) continue;
    documents.set(name, {
      url,
      publicUrl: names.rewritten(url),
      place: member.place,
      contentType: media === undefined ? "" : typeOfMedia(media),
      isSent: false,
      isAsked: true,
      lastModified: httpDate(member.lastModified),
      ...(member.problem === undefined ? {} : { problem: member.problem }),
    });
  }
  return documents;
}

/** Links to files become files; all others are left out. */
function resolveLinks(
  files: Map<string, ArchiveMember>,
  links: ReadonlyMap<string, string | undefined>,
  omitted: OmissionTally,
): void {
  const targets = new Map([...links].flatMap(([path, to]) => (to === undefined ? [] : [[path, to] as const])));
  const found: [string, ArchiveMember][] = [];
  for (const path of links.keys()) {
    const target = followLink(path, targets, (at) => files.has(at));
    const member = target === undefined ? undefined : files.get(target);
    if (member === undefined) omitted.add("link", path);
    else found.push([path, member]);
  }
  for (const [path, member] of found) files.set(path, member);
}

/** The files below the root, by their paths from there. */
function belowRoot(
  root: string,
  files: ReadonlyMap<string, ArchiveMember>,
  fail: (problem: string) => never,
): ReadonlyMap<string, ArchiveMember> {
  if (root === "") return files;
  const wanted = root.split("/");
  const roots = new Set<string>();
  const below = new Map<string, ArchiveMember>();
  for (const [path, member] of files) {
    const segments = path.split("/");
    const above = segments.slice(0, wanted.length);
    const isBelow = wanted.every((segment, i) => (segment === "*" ? !isHidden(above[i] ?? ".") : segment === above[i]));
    if (!isBelow || segments.length <= wanted.length) continue;
    roots.add(above.join("/"));
    below.set(segments.slice(wanted.length).join("/"), member);
  }
  const [first, second] = [...roots].sort().map(printable);
  if (second !== undefined) fail(`its root "${root}" may be ${first ?? ""} or ${second}; name one of them`);
  if (first === undefined) {
    const tops = [...new Set([...files.keys()].map((path) => path.split("/")[0] ?? ""))]
      .sort()
      .slice(0, 5)
      .map(printable);
    fail(`there is no folder "${root}" in it, which begins with ${tops.join(", ")}; correct "root" in the pipeline`);
  }
  return below;
}

function httpDate(date: Date | undefined): string | undefined {
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toUTCString();
}
