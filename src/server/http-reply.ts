import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { jsonRpcError } from "./mcp-endpoint.ts";

/** Sent with every response. Nothing here is a page, so nothing may be run, framed, sniffed, embedded or kept. */
const SECURITY_HEADERS: OutgoingHttpHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
};

/** The status texts of Google's API errors, which clients of the contract read. Source: google.rpc.Code. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  413: "INVALID_ARGUMENT",
  415: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

export function sendJson(response: ServerResponse, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends a text that is JSON. */
export function sendText(response: ServerResponse, status: number, json: string, headers?: OutgoingHttpHeaders): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(json),
    ...headers,
  });
  response.end(json);
}

/** Sends a text of another type. */
export function sendPlain(response: ServerResponse, text: string, type: string): void {
  sendText(response, 200, text, { "content-type": type });
}

/** An answer without a body. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...SECURITY_HEADERS, "content-length": 0 });
  response.end();
}

/** What is refused at `/mcp` is refused as JSON-RPC, for MCP clients show nothing else. */
export function sendMcpRefusal(
  response: ServerResponse,
  status: number,
  message: string,
  headers?: OutgoingHttpHeaders,
  details?: readonly object[],
): void {
  const data = details && { details };
  sendJson(response, status, jsonRpcError(status === 400 ? -32700 : -32000, message, null, data), headers);
}

/** An error in the shape of Google's APIs. */
export function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers?: OutgoingHttpHeaders,
  details?: readonly object[],
): void {
  const error = { code: status, message, status: STATUS_TEXTS[status] ?? "UNKNOWN", ...(details && { details }) };
  sendJson(response, status, { error }, headers);
}

/** Passes on an answer of the SDK: JSON as a whole, an event stream as it comes. */
export async function sendWebResponse(response: ServerResponse, from: Response): Promise<void> {
  const type = from.headers.get("content-type");
  if (from.body === null) return sendEmpty(response, from.status);
  if (type?.startsWith("application/json") === true) return sendText(response, from.status, await from.text());
  response.writeHead(from.status, { ...SECURITY_HEADERS, ...(type !== null && { "content-type": type }) });
  for await (const chunk of from.body) {
    if (response.destroyed) break;
    response.write(chunk);
  }
  response.end();
}
