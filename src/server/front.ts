import { isJsonContentType } from "@modelcontextprotocol/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IntervalHistogram } from "node:perf_hooks";
import type { Clock, CorpusReader } from "../domain/ports.ts";
import type { AccessLog } from "./access-log.ts";
import { readBody } from "./body.ts";
import type { Gate, GateOptions } from "./gate.ts";
import type { sendError } from "./http-reply.ts";
import type { Now } from "./limiter.ts";
import type { Metrics } from "./metrics.ts";
import type { TlsFiles } from "./tls.ts";
import type { Turns } from "./turns.ts";

export interface HttpServerOptions extends GateOptions {
  /** An address or name of this machine; 127.0.0.1 keeps other machines out. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Names besides the loopback ones by which clients call this server, such as `docs.example.lan`; without ports. */
  readonly allowedHosts?: readonly string[];
  /** Accepts that other machines can read everything without a key. Default false. */
  readonly insecure?: boolean;
  /** File of the keys, which need not be there; without one there are no keys. */
  readonly keysFile?: string;
  /** Requests that each key, or without keys each address, may make in a minute; 0 for any number. Default 0. */
  readonly ratePerMinute?: number;
  /** Serves HTTPS with these. */
  readonly tls?: TlsFiles;
  /** Origins whose pages may ask, such as `https://portal.example.com`. Default none. */
  readonly corsOrigins?: readonly string[];
  readonly accessLog?: AccessLog;
  /** The runs that the metrics tell of. */
  readonly runs?: CorpusReader["runs"];
  /** The time, and milliseconds that only grow; for tests. */
  readonly clock?: Clock;
  readonly now?: Now;
  readonly limits?: Partial<HttpLimits>;
}

/** What one client may take, so that others still get theirs. */
export interface HttpLimits {
  readonly maxBodyBytes: number;
  /** Requests that are being answered; beyond, they get 503. */
  readonly maxConcurrent: number;
  /** Longest time for the headers of a request, and for all of it. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Longest time in which nothing moves on a connection: longer than a tool call may take. */
  readonly idleTimeoutMs: number;
  /** How long requests that are being answered when the server stops have left. */
  readonly shutdownGraceMs: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  maxBodyBytes: 1024 * 1024,
  maxConcurrent: 512,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  idleTimeoutMs: 90_000,
  shutdownGraceMs: 5_000,
};

/** A server that is running: what its requests share. */
export interface Front {
  readonly options: HttpServerOptions;
  readonly limits: HttpLimits;
  readonly names: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
  readonly gate: Gate;
  readonly turns: Turns;
  readonly metrics: Metrics;
  /** How late the event loop is, in nanoseconds. */
  readonly delay: IntervalHistogram;
  readonly clock: Clock;
  readonly now: Now;
  inFlight: number;
  stopping: boolean;
}

/** How a request is refused: as JSON-RPC, or as an error of the REST API. */
export type Refuse = typeof sendError;

/**
 * The JSON that was posted; undefined when it was refused, or when the client went away.
 * A page of another site can post a form without asking, but not JSON: any other type is refused.
 */
export async function readJson(
  { limits }: Front,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
): Promise<{ readonly json: unknown } | undefined> {
  if (!isJsonContentType(request.headers["content-type"]) || request.headers["content-encoding"] !== undefined) {
    refuse(response, 415, "The Content-Type must be application/json, without a Content-Encoding.");
    return undefined;
  }
  const body = await readBody(request, limits.maxBodyBytes).catch(() => undefined);
  if (body === undefined) return undefined;
  if (body.kind === "too-large") {
    refuse(response, 413, `The body must not exceed ${limits.maxBodyBytes} bytes.`, { connection: "close" });
    return undefined;
  }
  try {
    return { json: JSON.parse(body.bytes.toString("utf8")) };
  } catch {
    refuse(response, 400, "The body is not JSON.");
    return undefined;
  }
}

/** Answers a request, unless as many as may be are being answered. */
export async function inTurn(
  front: Front,
  response: ServerResponse,
  refuse: Refuse,
  answer: () => Promise<void>,
): Promise<void> {
  if (front.inFlight >= front.limits.maxConcurrent) {
    return refuse(response, 503, "Too many requests at once; try again in a moment.", { "retry-after": "1" });
  }
  front.inFlight++;
  try {
    await front.turns.take();
    // Nobody is there any more to hear of it.
    if (!response.destroyed) await answer();
  } finally {
    front.inFlight--;
  }
}
