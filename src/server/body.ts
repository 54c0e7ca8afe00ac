import type { IncomingMessage } from "node:http";

/** A body that is too large is read to its end this far, so that the client is there to hear of it. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;

/** A request's body: its bytes, or that there are more than `maxBytes` of them, in which case they are let go. */
export type Body = { readonly kind: "bytes"; readonly bytes: Buffer } | { readonly kind: "too-large" };

/** Reads a body. Rejects when the client goes away before its end; how long that may take is the HTTP server's to say. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > MAX_DRAINED_BYTES) {
      resolve({ kind: "too-large" });
      return;
    }
    let chunks: Buffer[] = [];
    let received = 0;
    request.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received <= maxBytes) chunks.push(chunk);
      else chunks = [];
      if (received > MAX_DRAINED_BYTES) resolve({ kind: "too-large" });
    });
    request.on("end", () => {
      resolve(received > maxBytes ? { kind: "too-large" } : { kind: "bytes", bytes: Buffer.concat(chunks) });
    });
    request.on("error", reject);
    request.on("close", () => reject(new Error("The client went away.")));
  });
}
