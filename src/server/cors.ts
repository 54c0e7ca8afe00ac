import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a browser may remember that it may ask, in seconds. */
const MAX_AGE_SECONDS = 600;
const METHODS = "GET, POST";
const HEADERS = [
  "content-type",
  "accept",
  "authorization",
  "x-goog-api-key",
  "x-goog-user-project",
  "x-goog-api-client",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
].join(", ");

/**
 * Lets pages of an origin read the answer: the operator has listed it. Other origins are given no such header, and a browser
 * shows their pages nothing. @returns whether the request was a preflight, which is answered with that.
 */
export function grantOrigin(request: IncomingMessage, response: ServerResponse, origin: string): boolean {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", "retry-after, www-authenticate");
  response.setHeader("vary", "origin");
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return false;
  response.setHeader("access-control-allow-methods", METHODS);
  response.setHeader("access-control-allow-headers", HEADERS);
  response.setHeader("access-control-max-age", String(MAX_AGE_SECONDS));
  return true;
}
