import type { CallToolResult, JSONRPCRequest } from "@modelcontextprotocol/server";
import { callTool, coverage, SERVER_INFO } from "./mcp.ts";
import type { McpOptions } from "./mcp.ts";
import { findTool } from "./tool-calls.ts";
import { listTools } from "./tool-listing.ts";

/** The revision whose results say that they are whole, and from which server they are. */
const MODERN = "2026-07-28";

/** What the request's own headers say of it, in revision 2026-07-28. */
interface Claimed {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/**
 * Answers what is asked most, in its plain form, as the SDK would: a server of the SDK's own for each call costs more than all
 * else but the search. Everything else, and whatever is not quite plain, is left to the SDK: undefined.
 * @param era how the SDK has classified the request, whose form it has checked.
 */
export async function answerDirectly(
  options: McpOptions,
  request: JSONRPCRequest,
  era: "legacy" | "modern",
  headers: Claimed,
): Promise<object | undefined> {
  const { method, params = {} } = request as JSONRPCRequest & { readonly params?: Readonly<Record<string, unknown>> };
  if (method === "tools/call") {
    const { name, arguments: args = {} } = params;
    if (typeof name !== "string" || findTool(name) === undefined || !isPlain(args)) return undefined;
    if (!hasOnly(params, ["name", "arguments", "_meta"])) return undefined;
    if (era === "legacy") return reply(request, await callTool(options, name, args));
    const isClaimed = headers.protocolVersion === MODERN && headers.method === method && headers.name === name;
    if (!isClaimed) return undefined;
    return reply(request, whole(options, await callTool(options, name, args)));
  }
  if (era === "modern" || !hasOnly(params, ["_meta"])) return undefined;
  if (method === "ping") return reply(request, {});
  if (method === "tools/list") return reply(request, { tools: listTools(coverage(options), options.queries.answers) });
  return undefined;
}

function reply({ id }: JSONRPCRequest, result: object): object {
  return { result, jsonrpc: "2.0", id };
}

function whole({ version }: McpOptions, result: CallToolResult): object {
  const serverInfo = { ...SERVER_INFO, version };
  return { ...result, resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } };
}

function hasOnly(params: object, keys: readonly string[]): boolean {
  return Object.keys(params).every((key) => keys.includes(key));
}

function isPlain(args: unknown): args is Record<string, unknown> {
  return typeof args === "object" && args !== null && !Array.isArray(args);
}
