import { crc32 } from "node:zlib";
import { fromFdPromise, type Entry, type ZipFile } from "yauzl";
import { CarrelError, reasonOf } from "../../domain/errors.ts";
import type { ArchiveForm, MemberContent, OpenArchive } from "./archive-contents.ts";
import { createMeter } from "./archive-limits.ts";
import { linkTarget, memberName, memberPath } from "./member-path.ts";
import { rootedDocuments, type MemberList } from "./rooted.ts";
import { tooLarge } from "./tar.ts";

/** Zip files: their directory says what is in them, and each member is read by itself. */
export const ZIP_FORM: ArchiveForm = {
  async list(archive) {
    const list: MemberList = { files: new Map(), links: new Map() };
    const meter = createMeter(archive.limits);
    const links: [string, Entry][] = [];
    const zip = await open(archive);
    let encrypted = 0;
    for await (const { entry, place } of entries(zip)) {
      meter.member();
      // What they say is held against what comes out when they are read.
      meter.out(entry.uncompressedSize, archive.size);
      if (entry.isEncrypted()) encrypted++;
      const path = add(archive, list, entry, place);
      if (path !== undefined) links.push([path, entry]);
    }
    for (const [path, entry] of links) list.links.set(path, await targetOf(zip, path, entry));
    if (encrypted > 0 && encrypted === list.files.size)
      throw new CarrelError("invalid", "it is encrypted; make one without a password");
    return rootedDocuments(archive, list);
  },
  async *read(archive, places) {
    const zip = await open(archive);
    for await (const { entry, place } of entries(zip)) {
      if (places.has(place)) yield await content(zip, entry, place);
    }
  },
};

function open({ file }: OpenArchive): Promise<ZipFile> {
  // The descriptor is the caller's, who closes it.
  return fromFdPromise(file.fd, { autoClose: false, lazyEntries: true, decodeStrings: false });
}

async function* entries(zip: ZipFile): AsyncGenerator<{ entry: Entry; place: number }, void, undefined> {
  let place = 0;
  for await (const entry of zip.eachEntry()) yield { entry, place: place++ };
}

/** Of `st_mode`, which zips made on Unix have in the upper half of their attributes. */
const TYPE_MASK = 0o170000;
const SYMLINK = 0o120000;
const REGULAR = 0o100000;
const UNIX = 3;

/** @returns the path, if it is a symbolic link. */
function add({ limits, omitted }: OpenArchive, list: MemberList, entry: Entry, place: number): string | undefined {
  const name = memberName(entry.fileNameRaw);
  if (name === undefined) {
    omitted.add("encoding", entry.fileNameRaw.toString("latin1"));
    return undefined;
  }
  const at = memberPath(name);
  if ("refused" in at) {
    omitted.add(at.refused, name);
    return undefined;
  }
  if (name.endsWith("/")) return undefined;
  const { path } = at;
  const mode = entry.versionMadeBy >>> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & TYPE_MASK : 0;
  if (mode !== 0 && mode !== REGULAR && mode !== SYMLINK) {
    omitted.add("device", path);
    return undefined;
  }
  if (list.files.has(path) || list.links.has(path)) omitted.add("duplicate", path);
  list.files.delete(path);
  list.links.delete(path);
  if (mode === SYMLINK) {
    list.links.set(path, undefined);
    return path;
  }
  const { maxMemberBytes } = limits;
  const problem = problemOf(entry) ?? tooLarge(entry.uncompressedSize, maxMemberBytes).problem;
  const member = { place, lastModified: entry.getLastModDate() };
  list.files.set(path, problem === undefined ? member : { ...member, problem });
  return undefined;
}

const STORED = 0;
const DEFLATED = 8;

function problemOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return "it is encrypted; make an archive without a password";
  const method = entry.compressionMethod;
  return method === STORED || method === DEFLATED
    ? undefined
    : `it is compressed by the method ${method}, which is not read; make the archive with deflate`;
}

/** The text of a link that is longer is no path. */
const MAX_TARGET_BYTES = 4_096;

async function targetOf(zip: ZipFile, path: string, entry: Entry): Promise<string | undefined> {
  if (problemOf(entry) !== undefined || entry.uncompressedSize > MAX_TARGET_BYTES) return undefined;
  const read = await content(zip, entry, 0);
  const text = "body" in read ? memberName(read.body) : undefined;
  return text === undefined ? undefined : linkTarget(path, text);
}

/** What is in one member, held against its size and checksum: damage to one leaves the others readable. */
async function content(zip: ZipFile, entry: Entry, place: number): Promise<MemberContent> {
  const chunks: Buffer[] = [];
  try {
    // Stops beyond the size that the directory names.
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    return { place, problem: `damaged in the archive: ${reasonOf(error)}` };
  }
  const body = Buffer.concat(chunks);
  if (crc32(body) !== entry.crc32) return { place, problem: "damaged in the archive: its checksum is another" };
  return { place, body };
}
