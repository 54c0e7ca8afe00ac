import { closeSync, openSync, writeSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import { CarrelError } from "../domain/errors.ts";

/** A file of an archive: its name there, with slashes, and its contents. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const VERSION_NEEDED = 20;
const DEFLATE = 8;
/** Names are UTF-8. */
const UTF8_FLAG = 0x0800;
/** 1 January 1980: archives of the same files are the same. */
const DATE = 0x0021;
const MOST_ENTRIES = 65_535;

/**
 * Writes a ZIP archive, file by file, so that no more than one is in memory.
 * Source: PKWARE's APPNOTE.TXT, without its 64-bit extension.
 * @returns how many files it holds. @throws CarrelError `invalid` when they are more than fit.
 */
export function writeZip(file: string, entries: Iterable<ZipEntry>): number {
  const out = openSync(file, "w");
  const central: Buffer[] = [];
  let offset = 0;
  const write = (bytes: Uint8Array): void => {
    for (let from = 0; from < bytes.length; from += writeSync(out, bytes, from));
    offset += bytes.length;
  };
  try {
    for (const { name, bytes } of entries) {
      const at = offset;
      const encoded = Buffer.from(name, "utf8");
      const packed = deflateRawSync(bytes);
      const facts = Buffer.alloc(26);
      facts.writeUInt16LE(VERSION_NEEDED, 0);
      facts.writeUInt16LE(UTF8_FLAG, 2);
      facts.writeUInt16LE(DEFLATE, 4);
      facts.writeUInt16LE(DATE, 8);
      facts.writeUInt32LE(crc32(bytes), 10);
      facts.writeUInt32LE(packed.length, 14);
      facts.writeUInt32LE(bytes.length, 18);
      facts.writeUInt16LE(encoded.length, 22);
      write(Buffer.concat([uint32(LOCAL_HEADER), facts, encoded]));
      write(packed);
      const tail = Buffer.alloc(14);
      tail.writeUInt32LE(at, 10);
      central.push(Buffer.concat([uint32(CENTRAL_HEADER), uint16(VERSION_NEEDED), facts, tail, encoded]));
      if (central.length > MOST_ENTRIES || offset > 0xffff_ffff) {
        throw new CarrelError("invalid", `${file} would hold more than a ZIP archive can.`);
      }
    }
    const start = offset;
    for (const header of central) write(header);
    const end = Buffer.alloc(18);
    end.writeUInt16LE(central.length, 4);
    end.writeUInt16LE(central.length, 6);
    end.writeUInt32LE(offset - start, 8);
    end.writeUInt32LE(start, 12);
    write(Buffer.concat([uint32(END), end]));
    return central.length;
  } finally {
    closeSync(out);
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
