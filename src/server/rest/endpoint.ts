import { CarrelError } from "../../domain/errors.ts";
import type { Queries } from "../../flow/queries.ts";
import { inTime } from "../deadline.ts";
import { parseFieldMask, masked } from "./field-mask.ts";
import { API_VERSIONS, openApi } from "./openapi.ts";
import { OPERATIONS } from "./operations.ts";
import type { Operation } from "./operations.ts";
import { decoded, readQuery, replyForm, textParameter } from "./parameters.ts";
import { SCHEMAS } from "./schemas.ts";

export interface RestOptions {
  readonly queries: Queries;
  /** Longest time of a call, in milliseconds. */
  readonly deadlineMs: number;
}

/** A call that is there, or how a request misses them all. */
export type Route =
  | { readonly kind: "operation"; readonly operation: Operation; readonly path: string }
  | { readonly kind: "description" }
  | { readonly kind: "wrong-method"; readonly allow: string }
  | { readonly kind: "none" };

/** Whether a path is of the REST API. */
export function isRest(path: string): boolean {
  return path === "/openapi.json" || /^\/v1(?:alpha)?(?:[/:]|%3[Aa]|$)/.test(path);
}

/** The call that a request means; `path` as sent, without the query. */
export function routeOf(method: string | undefined, path: string): Route {
  if (path === "/openapi.json") {
    return method === "GET" || method === "HEAD"
      ? { kind: "description" }
      : { kind: "wrong-method", allow: "GET, HEAD" };
  }
  const version = API_VERSIONS.find((version) => new RegExp(`^/${version}(?![a-z0-9])`).test(path));
  if (version === undefined) return { kind: "none" };
  const below = path.slice(`/${version}`.length).replace(/^\//, "");
  // Some clients encode the colon before a verb.
  const named = below.replace(/%3a/i, ":");
  const operation = OPERATIONS.find(({ path }) => path === named) ?? documentOf(below);
  if (operation === undefined) return { kind: "none" };
  // Node leaves the body of an answer to HEAD out. Source: RFC 9110, section 9.1: whatever knows GET knows HEAD.
  const asked = method === "HEAD" ? "GET" : method;
  if (operation.method === asked) return { kind: "operation", operation, path: below };
  return { kind: "wrong-method", allow: operation.method === "GET" ? "GET, HEAD" : operation.method };
}

function documentOf(below: string): Operation | undefined {
  return /^documents(?:\/|%2f)[^]/i.test(below) ? OPERATIONS.find(({ id }) => id === "get") : undefined;
}

/**
 * Answers a call with the text of its reply, which is JSON. `body` is the parsed body of a POST.
 * @throws CarrelError as the queries do, and `invalid` for parameters that cannot be.
 */
export async function answerCall(
  { queries, deadlineMs }: RestOptions,
  { operation, path }: Extract<Route, { kind: "operation" }>,
  query: string,
  body: unknown,
): Promise<string> {
  const parameters = readQuery(query);
  const { numericEnums, pretty } = replyForm(parameters);
  const fields = textParameter(parameters, "fields") ?? "";
  const mask = fields === "" ? undefined : parseFieldMask(fields, SCHEMAS[operation.reply]);
  const reply = await inTime(operation.answer(queries, { path, parameters, body, numericEnums }), deadlineMs);
  return JSON.stringify(masked(reply, mask), undefined, pretty ? 2 : undefined);
}

/** What is said of a path at which nothing is. */
export function nothingHere(path: string): CarrelError {
  const calls = OPERATIONS.map(({ method, path }) => `${method} /v1${path.startsWith(":") ? "" : "/"}${path}`);
  const shown = JSON.stringify(decodedOrAsIs(path).slice(0, 120));
  return new CarrelError("not-found", `Nothing is at ${shown}; the calls are ${calls.join(", ")}.`);
}

export { openApi };

function decodedOrAsIs(path: string): string {
  try {
    return decoded(path);
  } catch {
    return path;
  }
}
