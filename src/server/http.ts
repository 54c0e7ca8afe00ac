import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { callerError } from "./errors.ts";
import { DEFAULT_LIMITS, inTurn, readJson } from "./front.ts";
import type { Front, HttpServerOptions } from "./front.ts";
import { hostNames, isHostAllowed, isOriginAllowed } from "./guards.ts";
import { sendEmpty, sendError, sendJson, sendMcpRefusal, sendText, sendWebResponse } from "./http-reply.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import { DEFAULT_TOOL_DEADLINE_MS } from "./mcp.ts";
import { answerCall, isRest, nothingHere, openApi, routeOf } from "./rest/endpoint.ts";

export type { HttpServerOptions } from "./front.ts";

const MAX_CONNECTIONS = 2_000;
/** Twenty names of 500 characters each, percent-encoded, are in the first line of a request. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Clients that reuse a connection just when it is closed see an error: it is kept longer than most of them keep it. */
const KEEP_ALIVE_MS = 65_000;

export interface RunningServer {
  /** Such as `http://127.0.0.1:7300/`; the MCP endpoint is at `mcp` below it. */
  readonly url: string;
  /** Stops: what is being answered is finished, what comes is refused. */
  close(): Promise<void>;
}

/**
 * Serves MCP at `/mcp` and REST at `/v1`, and says at `/healthz` that it is alive and at `/readyz` that it can answer.
 * @throws CarrelError `busy` when the port is taken, `config` when it cannot or may not listen there.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const { host, port, allowedHosts = [], insecure = false } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const names = hostNames({ host, allowedHosts, insecure });
  const endpoint = createMcpEndpoint(options);
  const front = { options, limits, names, endpoint, inFlight: 0, stopping: false };

  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // How often the two timeouts are looked at.
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    },
    (request, response) => {
      handle(front, request, response)
        .catch((thrown: unknown) => {
          options.logger.warn(`A request failed: ${reasonOf(thrown)}`);
          if (response.headersSent) response.destroy();
          else refusalAt(pathOf(request))(response, 500, "Something went wrong; the server's log says more.");
        })
        .finally(() => {
          // The client may keep the connection for the next request, which would keep the server from stopping.
          if (front.stopping) response.once("close", () => server.closeIdleConnections());
        });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(limits.idleTimeoutMs);
  await listen(server, host, port);

  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    async close() {
      front.stopping = true;
      await stop(server, limits.shutdownGraceMs);
      await endpoint.close();
    },
  };
}

async function handle(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = pathOf(request);
  const refuse = refusalAt(path);
  if (front.stopping) return refuse(response, 503, "The server is stopping.", { connection: "close" });
  if (!isHostAllowed(request.headers.host, front.names)) {
    return refuse(response, 403, "This server is not called by that name; its operator can add allowed hosts.");
  }
  if (!isOriginAllowed(request.headers.origin, front.names)) {
    return refuse(response, 403, "Pages of other sites may not ask this server.");
  }
  if (isMcp(path)) return handleMcp(front, request, response);
  if (isRest(path)) return handleRest(front, request, response);
  if (path === "/healthz" || path === "/readyz") {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(response, 405, "Only GET is answered here.", { allow: "GET, HEAD" });
    }
    return path === "/healthz" ? sendJson(response, 200, { status: "ok" }) : sendReadiness(front, response);
  }
  // JSON at the well-known paths too: clients that find anything else there take the server for one that wants a login.
  return refuse(response, 404, "Nothing is here; the MCP endpoint is /mcp, and /openapi.json describes the REST API.");
}

async function handleMcp(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A GET that is answered leaves old clients with a stream that never says anything.
  if (request.method !== "POST") return sendMcpRefusal(response, 405, "Only POST is answered here.", { allow: "POST" });
  const message = await readJson(front, request, response, sendMcpRefusal);
  if (message === undefined) return;
  await inTurn(front, response, sendMcpRefusal, async () => {
    const answer = await front.endpoint.answer(message.json, {
      protocolVersion: headerOf(request, "mcp-protocol-version"),
      method: headerOf(request, "mcp-method"),
      name: headerOf(request, "mcp-name"),
    });
    if (answer.kind === "json") return sendJson(response, answer.status, answer.body);
    if (answer.kind === "accepted") return sendEmpty(response, 202);
    await sendWebResponse(response, answer.response);
  });
}

/** The REST API: `/v1`, `/v1alpha`, and its description. */
async function handleRest(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { queries, logger, version, toolDeadlineMs: deadlineMs = DEFAULT_TOOL_DEADLINE_MS } = front.options;
  const path = pathOf(request);
  const route = routeOf(request.method, path);
  if (route.kind === "description") return sendJson(response, 200, openApi(version));
  if (route.kind === "none") return sendError(response, 404, nothingHere(path).message);
  if (route.kind === "wrong-method") {
    return sendError(response, 405, `Only ${route.allow} is answered here.`, { allow: route.allow });
  }
  const posted = route.operation.method === "POST" ? await readJson(front, request, response, sendError) : NO_BODY;
  if (posted === undefined) return;
  await inTurn(front, response, sendError, async () => {
    try {
      const query = request.url?.slice(path.length + 1) ?? "";
      sendText(response, 200, await answerCall({ queries, deadlineMs }, route, query, posted.json));
    } catch (thrown) {
      const { status, message } = callerError(thrown, logger);
      sendError(response, status, message);
    }
  });
}

const NO_BODY = { json: undefined };

/** Whether there is anything to ask: documents, and an index that knows of them, if perhaps not yet of the newest. */
function sendReadiness({ options }: Front, response: ServerResponse): void {
  try {
    const { documents, revision, indexRevision } = options.queries.status();
    const ready = documents > 0 && indexRevision > 0;
    const status = ready ? "ready" : documents === 0 ? "no documents yet" : "the index is being built";
    sendJson(response, ready ? 200 : 503, { status, documents, revision, indexRevision });
  } catch (thrown) {
    const { status, message } = callerError(thrown, options.logger);
    sendError(response, status, message);
  }
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?", 1)[0] ?? "";
}

function isMcp(path: string): boolean {
  return path === "/mcp" || path === "/mcp/";
}

function refusalAt(path: string): typeof sendError {
  return isMcp(path) ? sendMcpRefusal : sendError;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): CarrelError {
  const where = `port ${port} of ${host}`;
  if (error.code === "EADDRINUSE") {
    const message = `Cannot listen on ${where}: another program does; stop that one, or choose another port with --port.`;
    return new CarrelError("busy", message);
  }
  const remedy =
    error.code === "EACCES"
      ? "this user may not; choose a port above 1023 with --port"
      : "that is no address of this machine; choose another with --host";
  const reason = ["EACCES", "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(error.code ?? "")
    ? remedy
    : error.message;
  return new CarrelError("config", `Cannot listen on ${where}: ${reason}.`, { cause: error });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(impatient);
      resolve();
    });
    server.closeIdleConnections();
  });
}
