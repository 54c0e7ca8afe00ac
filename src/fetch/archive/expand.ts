import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { createMeter, type ArchiveLimits } from "./archive-limits.ts";

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file, expanded when it is gzip. The file stays open, which a stream of it would not promise. */
export async function* expanded(
  file: FileHandle,
  isGzip: boolean,
  limits: ArchiveLimits,
): AsyncGenerator<Buffer, void, undefined> {
  const meter = createMeter(limits);
  let position = 0;
  async function* raw(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  if (!isGzip) {
    for await (const chunk of raw()) {
      meter.out(chunk.length, position);
      yield chunk;
    }
    return;
  }
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // Its error comes out of the iteration.
  pipeline(raw, gunzip, () => {});
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      meter.out(chunk.length, position);
      yield chunk;
    }
  } finally {
    gunzip.destroy();
  }
}
