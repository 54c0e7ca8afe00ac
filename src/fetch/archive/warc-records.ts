import { CarrelError } from "../../domain/errors.ts";
import { byteReader, type ByteReader } from "./byte-reader.ts";

/** One record of a WARC file. Source: ISO 28500, WARC 1.0 and 1.1. */
export interface WarcRecord {
  /** From 0, in the order of the file. */
  readonly place: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of the block. */
  readonly length: number;
  /** The first bytes of the block, or all of it; call it once, before the next record is asked for. */
  block(bytes: number): Promise<Buffer>;
}

const MAX_LINE_BYTES = 64 * 1024;
const MAX_HEADERS = 200;

/** The records of a file; what is not taken of a block is passed over. @throws CarrelError `invalid` for what is no WARC. */
export async function* warcRecords(stream: AsyncIterable<Buffer>): AsyncGenerator<WarcRecord, void, undefined> {
  const reader = byteReader(stream);
  for (let place = 0; ; place++) {
    const version = await firstLine(reader);
    if (version === undefined) return;
    if (!/^WARC\/\d/.test(version)) {
      throw new CarrelError(
        "invalid",
        place === 0 ? "it is no WARC" : `it is damaged: no record begins after record ${place}`,
      );
    }
    const headers = await headersOf(reader);
    const length = Number(headers.get("content-length") ?? Number.NaN);
    if (!Number.isSafeInteger(length) || length < 0)
      throw new CarrelError("invalid", `it is damaged: record ${place + 1} has no length`);
    let taken = 0;
    yield {
      place,
      headers,
      length,
      async block(bytes) {
        const size = Math.min(bytes, length - taken);
        taken += size;
        return reader.take(size);
      },
    };
    await reader.skip(length - taken);
  }
}

/** Two empty lines stand behind each record. */
async function firstLine(reader: ByteReader): Promise<string | undefined> {
  for (;;) {
    const line = await reader.line(MAX_LINE_BYTES);
    if (line !== "") return line;
  }
}

async function headersOf(reader: ByteReader): Promise<ReadonlyMap<string, string>> {
  const lines: string[] = [];
  for (;;) {
    const line = await reader.line(MAX_LINE_BYTES);
    if (line === undefined) throw new CarrelError("invalid", "it is cut off within the headers of a record");
    if (line === "") return headerMap(lines);
    if (lines.push(line) > MAX_HEADERS)
      throw new CarrelError("invalid", "it is damaged: a record has too many headers");
  }
}

/** Header lines by their names in lower case; of several with one name, the first. A line that begins with a blank goes on. */
export function headerMap(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let last = "";
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line) && last !== "") headers.set(last, `${headers.get(last) ?? ""} ${line.trim()}`);
    if (/^[ \t]/.test(line) || colon < 1) continue;
    last = line.slice(0, colon).trim().toLowerCase();
    if (headers.has(last)) last = "";
    else headers.set(last, line.slice(colon + 1).trim());
  }
  return headers;
}
