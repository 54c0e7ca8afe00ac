import { crc32, deflateRawSync } from "node:zlib";

/** A member of an archive that a test writes byte by byte, so that it can be wrong in any way. */
export interface Member {
  readonly name: string | Buffer;
  readonly body?: string | Buffer;
  /** tar: the type flag; "5" is a folder, "2" a symbolic link, "1" a hard link, "3" a device. */
  readonly type?: string;
  readonly link?: string;
  /** zip: bits of st_mode, the flags, the method, and what the directory says of size and checksum. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly size?: number;
  readonly crc?: number;
}

export function tarFile(members: readonly Member[], end = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...members.flatMap(tarMember), end]);
}

function tarMember({ name, body = "", type = "0", link = "", size }: Member): readonly Buffer[] {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(512);
  Buffer.from(name).copy(header, 0);
  header.write("0000644\0", 100);
  header.write(`${(size ?? bytes.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("14000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}

export function zipFile(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, body = "", mode = 0o100644, flags = 0, method = 8, size, crc } of members) {
    const raw = Buffer.from(body);
    const data = method === 8 ? deflateRawSync(raw) : raw;
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(0x5a21_0000, 6);
    common.writeUInt32LE(crc ?? crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size ?? raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, nameBytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made on Unix.
    directory.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), common, rest, nameBytes);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** A record of a WARC. */
export function warcRecord(
  type: string,
  url: string,
  block: string | Buffer,
  headers: Record<string, string> = {},
): Buffer {
  const bytes = Buffer.from(block);
  const all = { "WARC-Type": type, "WARC-Target-URI": url, "WARC-Date": "2026-01-01T00:00:00Z", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `WARC/1.0\r\n${lines.join("")}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n\r\n")]);
}

/** An answer of HTTP, as a capture has it. */
export function answer(body: string | Buffer, headers: Record<string, string> = {}, status = "200 OK"): Buffer {
  const lines = Object.entries({ "Content-Type": "text/html", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`), Buffer.from(body)]);
}
