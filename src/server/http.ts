import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { accessLine, statusOf } from "./access-log.ts";
import type { RequestNote } from "./access-log.ts";
import { DEFAULT_LIMITS } from "./front.ts";
import type { Front, HttpServerOptions } from "./front.ts";
import { Gate } from "./gate.ts";
import { hostNames, isLoopback } from "./guards.ts";
import { KeyRing } from "./key-ring.ts";
import { Limiter } from "./limiter.ts";
import { Metrics } from "./metrics.ts";
import { handle, refusalFor } from "./routes.ts";
import { createTlsServer } from "./tls.ts";
import { Turns } from "./turns.ts";
import { isWatchPath } from "./watch.ts";

export type { HttpServerOptions } from "./front.ts";

const MAX_CONNECTIONS = 2_000;
/** Twenty names of 500 characters each, percent-encoded, are in the first line of a request. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Clients that reuse a connection just when it is closed see an error: it is kept longer than most of them keep it. */
const KEEP_ALIVE_MS = 65_000;
/** How often the event loop's delay is measured. */
const DELAY_RESOLUTION_MS = 10;

export interface RunningServer {
  /** Such as `http://127.0.0.1:7300/`; the MCP endpoint is at `mcp` below it. */
  readonly url: string;
  /** Stops: what is being answered is finished, what comes is refused. */
  close(): Promise<void>;
}

/**
 * Serves MCP at `/mcp` and REST at `/v1`, and says at `/healthz` that it is alive, at `/readyz` that it can answer, and at
 * `/metrics` how it does.
 * @throws CarrelError `busy` when the port is taken, `config` when it cannot or may not listen there.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const { host, port, tls, logger, now = () => performance.now(), clock = () => new Date() } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const ring = new KeyRing(options.keysFile ?? "", clock, logger);
  const names = allowedNames(options, ring);
  const { ratePerMinute = 0 } = options;
  const gate = new Gate(options, ring, ratePerMinute > 0 ? new Limiter(ratePerMinute, now) : undefined);
  const front: Front = {
    options,
    limits,
    names,
    origins: new Set(options.corsOrigins),
    gate,
    turns: new Turns(),
    metrics: new Metrics(),
    delay: monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS }),
    clock,
    now,
    inFlight: 0,
    stopping: false,
  };

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer(front, request, response)
      .finally(() => {
        // The client may keep the connection for the next request, which would keep the server from stopping.
        if (front.stopping) response.once("close", () => server.closeIdleConnections());
      })
      .catch(() => {});
  };
  const serverOptions = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // How often the two timeouts are looked at.
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
  };
  const server =
    tls === undefined ? createServer(serverOptions, listener) : createTlsServer(tls, serverOptions, logger, listener);
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(limits.idleTimeoutMs);
  await listen(server, host, port);
  front.delay.enable();

  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${bound}/`,
    async close() {
      front.stopping = true;
      await stop(server, limits.shutdownGraceMs);
      front.delay.disable();
      await gate.close();
    },
  };
}

/** @throws CarrelError `config` when the server may not listen there. */
function allowedNames(options: HttpServerOptions, ring: KeyRing): ReadonlySet<string> {
  const { host, allowedHosts = [], insecure = false, tls, logger } = options;
  const names = hostNames({ host, allowedHosts, insecure, hasKeys: ring.areWanted });
  if (ring.areWanted && ring.count === 0) logger.warn("No key is good: nobody can ask until one is added.");
  if (ring.areWanted && !isLoopback(host) && tls === undefined) {
    logger.warn("Keys are sent over the network in the clear: set a certificate, or put a proxy with one before this.");
  }
  return names;
}

/** Answers a request, and notes what came of it. Never rejects. */
async function answer(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { accessLog, logger } = front.options;
  const note: RequestNote = {
    startedAt: front.now(),
    surface: "other",
    call: "",
    query: undefined,
    label: "",
    failed: false,
  };
  response.once("close", () => {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (isWatchPath(path)) return;
    const ms = front.now() - note.startedAt;
    front.metrics.observe(note.surface, note.call, statusOf(response), ms / 1000);
    if (note.failed) front.metrics.fail(note.surface, note.call);
    if (accessLog !== undefined) {
      accessLog.write(accessLine(accessLog, request, response, note, front.clock(), ms));
    }
  });
  try {
    await handle(front, request, response, note);
  } catch (thrown) {
    logger.warn(`A request failed: ${reasonOf(thrown)}`);
    if (response.headersSent) response.destroy();
    else refusalFor(request)(response, 500, "Something went wrong; the server's log says more.");
  }
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
