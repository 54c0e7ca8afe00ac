import { pipeline } from "node:stream";
import { extract, type Header } from "tar-stream";
import { CarrelError } from "../../domain/errors.ts";
import type { ArchiveForm, MemberContent, OpenArchive } from "./archive-contents.ts";
import { createMeter } from "./archive-limits.ts";
import { expanded } from "./expand.ts";
import { linkTarget, memberPath } from "./member-path.ts";
import { rootedDocuments, type MemberList } from "./rooted.ts";

/** Tar files, plain and as gzip. They have no directory, so each look is a pass over the whole. */
export function tarForm(isGzip: boolean): ArchiveForm {
  return {
    async list(archive) {
      const list: MemberList = { files: new Map(), links: new Map() };
      for await (const { header, place, stream } of members(archive, isGzip)) {
        add(archive, list, header, place);
        stream.resume();
      }
      return rootedDocuments(archive, list);
    },
    async *read(archive, places) {
      let left = places.size;
      for await (const { place, stream } of members(archive, isGzip)) {
        if (!places.has(place)) {
          stream.resume();
          continue;
        }
        yield await content(place, stream);
        if (--left === 0) return;
      }
    },
  };
}

/** What is in a member; the next one comes when it is at its end. */
interface MemberStream extends AsyncIterable<unknown> {
  resume(): unknown;
}

interface Member {
  readonly header: Header;
  /** From 0, in the order of the file. */
  readonly place: number;
  readonly stream: MemberStream;
}

const BLOCK_BYTES = 512;

async function* members(archive: OpenArchive, isGzip: boolean): AsyncGenerator<Member, void, undefined> {
  const meter = createMeter(archive.limits);
  let end: Buffer = Buffer.alloc(0);
  async function* watched(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of expanded(archive.file, isGzip, archive.limits)) {
      end =
        chunk.length >= BLOCK_BYTES ? chunk.subarray(-BLOCK_BYTES) : Buffer.concat([end, chunk]).subarray(-BLOCK_BYTES);
      yield chunk;
    }
  }
  const entries = extract();
  // Its error comes out of the iteration.
  pipeline(watched, entries, () => {});
  let place = 0;
  for await (const stream of entries) {
    meter.member();
    yield { header: stream.header, place: place++, stream };
  }
  // Without this, what is cut off between two members would look whole.
  if (end.some((byte) => byte !== 0))
    throw new CarrelError("invalid", "it is cut off: the blocks at its end are missing");
}

function add({ limits, omitted }: OpenArchive, list: MemberList, header: Header, place: number): void {
  const { name, type, size, mtime, linkname } = header;
  if (type === "directory") return;
  const at = memberPath(name);
  if ("refused" in at) return omitted.add(at.refused, name);
  const { path } = at;
  const isLink = type === "link" || type === "symlink";
  if (!isLink && type !== "file" && type !== "contiguous-file") return omitted.add("device", path);
  if (list.files.has(path) || list.links.has(path)) omitted.add("duplicate", path);
  list.files.delete(path);
  list.links.delete(path);
  if (isLink) list.links.set(path, targetOf(type, path, linkname));
  else list.files.set(path, { place, lastModified: mtime, ...tooLarge(size, limits.maxMemberBytes) });
}

/** A hard link is told by the path from the root, a symbolic one by that from its own folder. */
function targetOf(type: "link" | "symlink", path: string, text: string): string | undefined {
  if (type === "symlink") return linkTarget(path, text);
  const target = memberPath(text);
  return "refused" in target ? undefined : target.path;
}

/** Why a member of this size is not read. */
export function tooLarge(size: number, limit: number): { readonly problem?: string } {
  return size > limit ? { problem: `larger than ${limit} bytes` } : {};
}

/** What is in one member; its size was looked at when the archive was listed. */
async function content(place: number, stream: MemberStream): Promise<MemberContent> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return { place, body: Buffer.concat(chunks) };
}
