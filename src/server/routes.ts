import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestNote } from "./access-log.ts";
import { grantOrigin } from "./cors.ts";
import { callerError } from "./errors.ts";
import { inTurn, readJson } from "./front.ts";
import type { Front, Refuse } from "./front.ts";
import { refusalOfMessage } from "./gate.ts";
import type { Refusal } from "./gate.ts";
import { isHostAllowed, isOriginAllowed } from "./guards.ts";
import { sendEmpty, sendError, sendJson, sendMcpRefusal, sendText, sendWebResponse } from "./http-reply.ts";
import { DEFAULT_TOOL_DEADLINE_MS } from "./mcp.ts";
import { answerCall, isRest, nothingHere, openApi, routeOf } from "./rest/endpoint.ts";
import { findTool } from "./tool-calls.ts";
import { isWatchPath, sendWatch } from "./watch.ts";

/** Answers one request; what is learnt of it goes into the note. */
export async function handle(
  front: Front,
  request: IncomingMessage,
  response: ServerResponse,
  note: RequestNote,
): Promise<void> {
  const path = pathOf(request);
  const refuse = refusalAt(path);
  if (front.stopping) return refuse(response, 503, "The server is stopping.", { connection: "close" });
  if (!isHostAllowed(request.headers.host, front.names)) {
    return refuse(response, 403, "This server is not called by that name; its operator can add allowed hosts.");
  }
  const { origin } = request.headers;
  if (origin !== undefined && front.origins.has(origin)) {
    if (grantOrigin(request, response, origin)) return sendEmpty(response, 204);
  } else if (!isOriginAllowed(origin, front.names)) {
    return refuse(response, 403, "Pages of other sites may not ask this server.");
  }
  if (isMcp(path)) return handleMcp(front, request, response, note);
  if (isRest(path)) return handleRest(front, request, response, note);
  if (isWatchPath(path)) return sendWatch(front, path, request, response);
  // JSON at the well-known paths too: clients that find anything else there take the server for one that wants a login.
  return refuse(response, 404, "Nothing is here; the MCP endpoint is /mcp, and /openapi.json describes the REST API.");
}

async function handleMcp(
  front: Front,
  request: IncomingMessage,
  response: ServerResponse,
  note: RequestNote,
): Promise<void> {
  note.surface = "mcp";
  // A GET that is answered leaves old clients with a stream that never says anything.
  if (request.method !== "POST") return sendMcpRefusal(response, 405, "Only POST is answered here.", { allow: "POST" });
  const entry = front.gate.enter(request);
  if (entry.kind === "out") return sendRefusal(response, sendMcpRefusal, entry.refusal);
  const { caller } = entry;
  note.label = caller.label;
  const message = await readJson(front, request, response, sendMcpRefusal);
  if (message === undefined) return;
  const refusal = refusalOfMessage(caller, message.json);
  if (refusal !== undefined) return sendRefusal(response, sendMcpRefusal, refusal);
  noteMessage(note, message.json);
  await inTurn(front, response, sendMcpRefusal, async () => {
    const answer = await caller.endpoint.answer(message.json, {
      protocolVersion: headerOf(request, "mcp-protocol-version"),
      method: headerOf(request, "mcp-method"),
      name: headerOf(request, "mcp-name"),
    });
    if (answer.kind === "json") {
      note.failed = isFailure(answer.body);
      return sendJson(response, answer.status, answer.body);
    }
    if (answer.kind === "accepted") return sendEmpty(response, 202);
    await sendWebResponse(response, answer.response);
  });
}

/** The REST API: `/v1`, `/v1alpha`, and its description. */
async function handleRest(
  front: Front,
  request: IncomingMessage,
  response: ServerResponse,
  note: RequestNote,
): Promise<void> {
  note.surface = "rest";
  const { logger, version, toolDeadlineMs: deadlineMs = DEFAULT_TOOL_DEADLINE_MS } = front.options;
  const path = pathOf(request);
  const query = request.url?.slice(path.length + 1) ?? "";
  const route = routeOf(request.method, path);
  if (route.kind === "description") return sendJson(response, 200, openApi(version));
  if (route.kind === "operation") note.call = route.operation.id;
  const entry = front.gate.enterWithKey(request, query);
  if (entry.kind === "out") return sendRefusal(response, sendError, entry.refusal);
  const { caller } = entry;
  note.label = caller.label;
  if (route.kind === "none") return sendError(response, 404, nothingHere(path).message);
  if (route.kind === "wrong-method") {
    return sendError(response, 405, `Only ${route.allow} is answered here.`, { allow: route.allow });
  }
  const posted = route.operation.method === "POST" ? await readJson(front, request, response, sendError) : NO_BODY;
  if (posted === undefined) return;
  note.query = new URLSearchParams(query).get("query") ?? textIn(posted.json, "query");
  await inTurn(front, response, sendError, async () => {
    try {
      const { queries } = caller;
      sendText(response, 200, await answerCall({ queries, deadlineMs }, route, query, posted.json));
    } catch (thrown) {
      const { status, message } = callerError(thrown, logger);
      note.failed = true;
      sendError(response, status, message);
    }
  });
}

const NO_BODY = { json: undefined };

function sendRefusal(response: ServerResponse, refuse: Refuse, refusal: Refusal): void {
  refuse(response, refusal.status, refusal.message, refusal.headers, refusal.details);
}

/** Methods by which calls are counted; names that a client makes up would be counted without end. */
const METHODS = new Set(
  "initialize ping server/discover tools/list resources/list resources/templates/list resources/read prompts/list".split(
    " ",
  ),
);

function noteMessage(note: RequestNote, message: unknown): void {
  const method = textIn(message, "method");
  const params = valueIn(message, "params");
  if (method === "tools/call") {
    const name = textIn(params, "name");
    note.call = name !== undefined && findTool(name) !== undefined ? name : "other";
    note.query = textIn(valueIn(params, "arguments"), "query");
  } else {
    note.call = method === undefined ? "" : METHODS.has(method) ? method : "other";
  }
}

function isFailure(body: unknown): boolean {
  return valueIn(body, "error") !== undefined || valueIn(valueIn(body, "result"), "isError") === true;
}

function valueIn(object: unknown, key: string): unknown {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, key)) return undefined;
  return (object as Readonly<Record<string, unknown>>)[key];
}

function textIn(object: unknown, key: string): string | undefined {
  const value = valueIn(object, key);
  return typeof value === "string" ? value : undefined;
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?", 1)[0] ?? "";
}

function isMcp(path: string): boolean {
  return path === "/mcp" || path === "/mcp/";
}

/** How a request is refused where it was sent to. */
export function refusalFor(request: IncomingMessage): Refuse {
  return refusalAt(pathOf(request));
}

function refusalAt(path: string): Refuse {
  return isMcp(path) ? sendMcpRefusal : sendError;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
