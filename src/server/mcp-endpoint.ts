import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import { answerDirectly } from "./direct-calls.ts";
import { createMcpServer } from "./mcp.ts";
import type { McpOptions } from "./mcp.ts";
import { asMeant, paramsProblem } from "./request-check.ts";

/** The headers of a request that say which revision of the protocol it speaks, and what it asks for. */
interface McpHeaders {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** What is sent back: JSON, or nothing, or for revision 2026-07-28 whatever the SDK answers. */
type McpAnswer =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | { readonly kind: "accepted" }
  | { readonly kind: "response"; readonly response: Response };

export interface McpEndpoint {
  /** Answers one posted message; `message` is the parsed body. */
  answer(message: unknown, headers: McpHeaders): Promise<McpAnswer>;
  /** Ends streams that are open, so that a server that stops does not wait for them. */
  close(): Promise<void>;
}

/** Open change streams; ours never have anything to say, and end at once. */
const MAX_SUBSCRIPTIONS = 16;

/**
 * The stateless MCP endpoint. Revision 2026-07-28 is answered by the SDK's handler; earlier ones here, with a transport for
 * one message, because the SDK answers them as an event stream, which a plain HTTP client cannot read, and refuses clients
 * whose Accept header does not name both media types.
 */
export function createMcpEndpoint(options: McpOptions): McpEndpoint {
  const modern = createMcpHandler(() => createMcpServer(options), {
    legacy: "reject",
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  return {
    async answer(posted, headers) {
      const message = typeof posted === "object" && posted !== null ? asMeant(posted) : posted;
      // A batch that holds a notification beside a call leaves the SDK waiting for ever.
      if (Array.isArray(message)) {
        return refusal(-32600, "Batches are not supported: post one message at a time.", null);
      }
      const route = classifyInboundRequest({
        httpMethod: "POST",
        ...(headers.protocolVersion !== undefined && { protocolVersionHeader: headers.protocolVersion }),
        ...(headers.method !== undefined && { mcpMethodHeader: headers.method }),
        ...(headers.name !== undefined && { mcpNameHeader: headers.name }),
        body: message,
      });
      if (route.kind === "reject") {
        return refusal(route.code, route.message, idOf(message), route.httpStatus, route.data);
      }
      const problem = isJSONRPCRequest(message) ? paramsProblem(message) : undefined;
      if (problem !== undefined) return refusal(-32602, problem, idOf(message), 200);
      if (route.kind === "modern") {
        const direct = isJSONRPCRequest(message)
          ? await answerDirectly(options, message, "modern", headers)
          : undefined;
        if (direct !== undefined) return { kind: "json", status: 200, body: direct };
        return { kind: "response", response: await modern.fetch(modernRequest(headers), { parsedBody: message }) };
      }
      // Stateless: there is no earlier request that a notification could be about, and none of ours to respond to.
      if (!isJSONRPCRequest(message)) return { kind: "accepted" };
      const version = headers.protocolVersion;
      if (route.reason !== "initialize" && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
        const known = SUPPORTED_PROTOCOL_VERSIONS.join(", ");
        return refusal(-32000, `Unsupported protocol version ${version}; supported are ${known}.`, message.id);
      }
      return {
        kind: "json",
        status: 200,
        body: (await answerDirectly(options, message, "legacy", headers)) ?? (await exchange(options, message)),
      };
    },
    close: () => modern.close(),
  };
}

/** Asks a server of its own, and gives its answer. */
async function exchange(options: McpOptions, request: JSONRPCRequest): Promise<JSONRPCMessage> {
  const server = createMcpServer(options);
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  await server.connect(transport);
  return new Promise((resolve) => {
    transport.send = (message) => {
      if ("id" in message && !("method" in message)) resolve(message);
      return Promise.resolve();
    };
    transport.onmessage?.(request);
  });
}

/** What the SDK reads of a request whose body is parsed already. */
function modernRequest({ protocolVersion, method, name }: McpHeaders): Request {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (protocolVersion !== undefined) headers["mcp-protocol-version"] = protocolVersion;
  if (method !== undefined) headers["mcp-method"] = method;
  if (name !== undefined) headers["mcp-name"] = name;
  return new Request("http://localhost/mcp", { method: "POST", headers });
}

function refusal(code: number, message: string, id: string | number | null, status = 400, data?: unknown): McpAnswer {
  return { kind: "json", status, body: jsonRpcError(code, message, id, data) };
}

/** Source: JSON-RPC 2.0, section 5.1. */
export function jsonRpcError(code: number, message: string, id: string | number | null = null, data?: unknown): object {
  return { jsonrpc: "2.0", error: { code, message, ...(data !== undefined && { data }) }, id };
}

/** The id to send back with an error; null when the message is no request with one. */
export function idOf(message: unknown): string | number | null {
  if (typeof message !== "object" || message === null || !("id" in message) || !("method" in message)) return null;
  return typeof message.id === "string" || typeof message.id === "number" ? message.id : null;
}
