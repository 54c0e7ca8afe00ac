import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { headerMap } from "./warc-records.ts";

/** The head of an HTTP answer, as a capture keeps it. */
export interface HttpHead {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Where the body begins in the block. */
  readonly bodyAt: number;
}

/** Reads the head of an answer; undefined for what is none, or a head that is longer than these bytes. */
export function httpHead(bytes: Buffer): HttpHead | undefined {
  const crlf = bytes.indexOf("\r\n\r\n");
  const lf = bytes.indexOf("\n\n");
  const isCrlf = crlf !== -1 && (lf === -1 || crlf < lf);
  const end = isCrlf ? crlf : lf;
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split(/\r?\n/);
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) return undefined;
  return { status: Number(status), headers: headerMap(lines), bodyAt: end + (isCrlf ? 4 : 2) };
}

/** A body as the site meant it, or why it is not to be had. */
export type HttpBody = { readonly body: Buffer } | { readonly problem: string };

/**
 * Undoes the transfer and content encodings of a body. Some programs keep bodies that are decoded already under the headers of
 * the encoded ones: what is not encoded as its headers say is taken as it is.
 */
export function decodeBody(raw: Buffer, headers: ReadonlyMap<string, string>, maxBytes: number): HttpBody {
  let body = raw;
  if (/\bchunked\b/i.test(headers.get("transfer-encoding") ?? "")) {
    const joined = joinChunks(raw);
    if (joined === "cut off") return { problem: "the capture is cut off: its last chunk is missing" };
    body = joined ?? raw;
  } else {
    const length = Number(headers.get("content-length") ?? Number.NaN);
    const isEncoded = (headers.get("content-encoding") ?? "identity").trim().toLowerCase() !== "identity";
    if (length > raw.length && (!isEncoded || isGzip(raw)))
      return { problem: `the capture is cut off: ${raw.length} of ${length} bytes are there` };
  }
  const encodings = (headers.get("content-encoding") ?? "")
    .toLowerCase()
    .split(",")
    .map((word) => word.trim());
  try {
    for (const encoding of encodings.reverse()) body = decoded(body, encoding, maxBytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ERR_BUFFER_TOO_LARGE"
      ? { problem: `larger than ${maxBytes} bytes` }
      : { problem: `its content-encoding (${encodings.join(", ")}) cannot be undone` };
  }
  return { body };
}

function decoded(body: Buffer, encoding: string, maxBytes: number): Buffer {
  const limit = { maxOutputLength: maxBytes };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return isGzip(body) ? gunzipSync(body, limit) : body;
    case "deflate":
      // By RFC 9110 with zlib's header; servers leave it out.
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, limit) : inflateRawSync(body, limit);
    case "br":
      return brotli(body, limit);
    case "":
    case "identity":
      return body;
    default:
      throw new Error(encoding);
  }
}

/** Nothing marks Brotli: text that cannot be it was decoded already. */
function brotli(body: Buffer, limit: { readonly maxOutputLength: number }): Buffer {
  try {
    return brotliDecompressSync(body, limit);
  } catch (error) {
    if (/^\s*</.test(body.subarray(0, 64).toString("latin1"))) return body;
    throw error;
  }
}

function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** Source: RFC 9112, 7.1. Undefined for what is not chunked at all. */
function joinChunks(raw: Buffer): Buffer | "cut off" | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = raw.indexOf("\n", at);
    const size =
      end === -1
        ? undefined
        : /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(raw.subarray(at, end).toString("latin1"))?.[1];
    if (size === undefined) return parts.length === 0 ? undefined : "cut off";
    const length = Number.parseInt(size, 16);
    if (length === 0) return Buffer.concat(parts);
    if (end + 1 + length > raw.length) return "cut off";
    parts.push(raw.subarray(end + 1, end + 1 + length));
    at = raw.indexOf("\n", end + 1 + length) + 1;
    if (at === 0) return "cut off";
  }
}
