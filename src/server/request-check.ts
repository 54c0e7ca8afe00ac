import { kindOf } from "./arguments.ts";

/** What a method needs in its params: `text?` may be left out. */
type Needs = Readonly<Record<string, "text" | "text?" | "object" | "object?">>;

const CURSOR: Needs = { cursor: "text?" };

/** Source: the MCP specification, the schema of revision 2025-11-25. */
const NEEDS: ReadonlyMap<string, Needs> = new Map([
  ["initialize", { protocolVersion: "text", capabilities: "object", clientInfo: "object" }],
  ["tools/call", { name: "text", arguments: "object?" }],
  ["tools/list", CURSOR],
  ["resources/read", { uri: "text" }],
  ["resources/list", CURSOR],
  ["resources/templates/list", CURSOR],
  ["prompts/get", { name: "text", arguments: "object?" }],
  ["prompts/list", CURSOR],
]);

/** What a model has to put in place of arguments that are no object. */
const ARGUMENTS_EXAMPLE = ', such as {"query": "how to read a file line by line"}';

/**
 * What is wrong with the params of a request, a sentence for each thing; undefined when nothing is. The SDK would answer with
 * the dump of its validator, which tells a model nothing.
 */
export function paramsProblem(request: object): string | undefined {
  const { method, params } = request as { readonly method?: unknown; readonly params?: unknown };
  const needs = typeof method === "string" ? NEEDS.get(method) : undefined;
  if (needs === undefined) return undefined;
  if (params !== undefined && !isObject(params)) return undefined;
  // Revision 2026-07-28, whose requests carry an envelope, knows no such method.
  if (method === "initialize" && params?.["_meta"] !== undefined) return undefined;
  const problems = Object.entries(needs).flatMap(([key, need]) => {
    const value = params?.[key];
    if (value === undefined && need.endsWith("?")) return [];
    const isText = need.startsWith("text");
    if (isText ? typeof value === "string" : isObject(value)) return [];
    const what = isText ? "a text" : "an object";
    const example = key === "arguments" && method === "tools/call" ? ARGUMENTS_EXAMPLE : "";
    return value === undefined
      ? `params.${key} is missing; ${String(method)} needs ${what} there.`
      : `params.${key} is ${kindOf(value)}; ${String(method)} needs ${what} there${example}.`;
  });
  return problems.length === 0 ? undefined : problems.join(" ");
}

/**
 * A call as it is meant, where that is plain: some models write the arguments as the text of a JSON object, and some clients
 * send null for none.
 */
export function asMeant<T extends object>(request: T): T {
  const { method, params } = request as { readonly method?: unknown; readonly params?: unknown };
  if (method !== "tools/call" || !isObject(params)) return request;
  const meant = objectIn(params["arguments"]);
  return meant === undefined ? request : { ...request, params: { ...params, arguments: meant } };
}

function objectIn(value: unknown): object | undefined {
  if (value === null) return {};
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
