import { CarrelError } from "../../domain/errors.ts";

/** Takes bytes from a stream, piece by piece, and never holds more than was asked for and one chunk. */
export interface ByteReader {
  /** The next line without its end; undefined at the end of the stream. @throws CarrelError `invalid` when it is longer. */
  line(maxBytes: number): Promise<string | undefined>;
  /** Exactly so many bytes, copied. @throws CarrelError `invalid` when the stream ends before. */
  take(bytes: number): Promise<Buffer>;
  /** @throws as `take`. */
  skip(bytes: number): Promise<void>;
}

const LINE_FEED = 0x0a;

export function byteReader(stream: AsyncIterable<Buffer>): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next();
    if (done === true) return false;
    rest = value;
    return true;
  }

  async function* pieces(bytes: number): AsyncGenerator<Buffer, void, undefined> {
    for (let left = bytes; left > 0;) {
      if (rest.length === 0 && !(await more())) throw cutOff();
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  return {
    async line(maxBytes) {
      const parts: Buffer[] = [];
      let length = 0;
      for (;;) {
        if (rest.length === 0 && !(await more())) {
          if (length === 0) return undefined;
          throw cutOff();
        }
        const end = rest.indexOf(LINE_FEED);
        const part = end === -1 ? rest : rest.subarray(0, end);
        length += part.length;
        if (length > maxBytes) throw new CarrelError("invalid", "it is damaged: a header is too long");
        parts.push(part);
        rest = end === -1 ? rest.subarray(rest.length) : rest.subarray(end + 1);
        if (end === -1) continue;
        const line = Buffer.concat(parts).toString("utf8");
        return line.endsWith("\r") ? line.slice(0, -1) : line;
      }
    },
    async take(bytes) {
      const parts: Buffer[] = [];
      for await (const piece of pieces(bytes)) parts.push(Buffer.from(piece));
      return Buffer.concat(parts);
    },
    async skip(bytes) {
      for await (const _ of pieces(bytes));
    },
  };
}

function cutOff(): CarrelError {
  return new CarrelError("invalid", "it is cut off: its last record is not whole");
}
