import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { Agent, type buildConnector, type Dispatcher } from "undici";
import type { Proxy } from "../domain/access.ts";
import type { Disclosure } from "./disclosure.ts";
import { BrokenAnswer, FetchFailure, failureOf, TooLarge } from "./failure.ts";

/** How long each phase of one exchange may take, in milliseconds. */
export interface Timeouts {
  readonly connectMs: number;
  /** From the request to the end of the headers. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly bodyMs: number;
  /** All of it: a server that drips is as good as one that hangs. */
  readonly totalMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 120_000 };

/** One answer of a server, its body expanded. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty when `wants` declined it. */
  readonly body: Buffer;
}

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A header as one string; a repeated one is joined with commas, as RFC 9110 section 5.2 has it; "" when it is not there. */
export function header(headers: Headers, name: string): string {
  const value = headers[name];
  return value === undefined ? "" : typeof value === "string" ? value : value.join(", ");
}

export interface Exchange {
  /**
   * One GET, no redirect followed. Bodies that `wants` declines are not read.
   * @throws FetchFailure when there is no whole answer within the limits, or when `signal` aborts.
   */
  get(url: string, ask: Ask): Promise<Answer>;
  close(): Promise<void>;
}

interface Ask {
  readonly headers: Readonly<Record<string, string>>;
  /** Cap on the body, both as sent and expanded: a small answer may expand to gigabytes. */
  readonly maxBytes: number;
  /** What sets the cap, for the message. */
  readonly capName?: string;
  readonly signal: AbortSignal;
  wants(status: number, headers: Headers): boolean;
}

/** Sockets stay open this long for the next page; servers commonly close theirs after 5 seconds. */
const KEEP_ALIVE_MS = 4_000;
/** A declined body up to this size is read and dropped, which is cheaper than a new connection. */
const DUMP_BYTES = 65_536;
/** Servers that stack encodings are rare, and those that stack many are hostile. */
const MAX_ENCODINGS = 2;

/** @param connections Most connections to one host. */
export function createExchange(options: {
  readonly userAgent: string;
  readonly timeouts: Timeouts;
  readonly connections: number;
  /** Makes the connections, and refuses some. */
  readonly connect: buildConnector.connector;
  readonly disclosure: Disclosure;
  /** The proxy that `connect` goes through to reach a URL. */
  proxyOf(url: URL): Proxy | undefined;
}): Exchange {
  const { userAgent, timeouts, disclosure } = options;
  const agent = new Agent({
    connections: options.connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: options.connect,
    allowH2: true,
  });
  const always = {
    "user-agent": userAgent,
    accept: "text/html, application/xhtml+xml, text/markdown;q=0.8, */*;q=0.1",
    "accept-encoding": "gzip, deflate, br",
  };

  /** A proxy is asked for whole URLs, unless it is a tunnel. */
  function addressOf(url: URL): { origin: string; path: string } {
    const path = url.pathname + url.search;
    const isForwarded = url.protocol === "http:" && options.proxyOf(url) !== undefined;
    return { origin: url.origin, path: isForwarded ? url.origin + path : path };
  }

  function secretHeaders(url: URL): Readonly<Record<string, string>> {
    const own = disclosure.headersFor(url);
    if (url.protocol === "https:") return own;
    const authorization = options.proxyOf(url)?.authorization;
    return authorization === undefined ? own : { ...own, "proxy-authorization": authorization };
  }

  async function get(address: string, ask: Ask): Promise<Answer> {
    if (ask.signal.aborted) throw stopped();
    const url = new URL(address);
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    ask.signal.addEventListener("abort", stop, { once: true });
    let late: string | undefined;
    const lateAfter = (ms: number, what: string): NodeJS.Timeout =>
      setTimeout(() => {
        late = `${what} within ${ms / 1000} s`;
        abort.abort();
      }, ms);
    const total = lateAfter(timeouts.totalMs, "not answered in full");
    let phase = lateAfter(timeouts.headersMs, "the host did not begin to answer");
    try {
      const response = await agent.request({
        ...addressOf(url),
        method: "GET",
        headers: { ...always, ...ask.headers, ...secretHeaders(url) },
        signal: abort.signal,
        // Undici's own are checked once a second, and cannot be shorter.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      clearTimeout(phase);
      phase = lateAfter(timeouts.bodyMs, "the host stopped sending in the middle of the page: nothing");
      const { statusCode: status, headers } = response;
      if (!ask.wants(status, headers)) {
        await response.body.dump({ limit: DUMP_BYTES, signal: abort.signal });
        return disclosure.withoutSecrets({ status, headers, body: Buffer.alloc(0) });
      }
      const limit = { ...ask, contentType: header(headers, "content-type") };
      const sent = await readBody(response.body, limit, () => phase.refresh());
      const body = expand(sent, header(headers, "content-encoding"), limit);
      return disclosure.withoutSecrets({ status, headers, body });
    } catch (thrown) {
      if (ask.signal.aborted) throw stopped();
      if (late !== undefined) throw new FetchFailure(late, true, undefined, thrown);
      throw failureOf(thrown);
    } finally {
      clearTimeout(total);
      clearTimeout(phase);
      ask.signal.removeEventListener("abort", stop);
    }
  }

  return { get, close: () => agent.destroy() };
}

function readBody(body: Dispatcher.ResponseData["body"], limit: Limit, onPiece: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let hasEnded = false;
    body.on("data", (piece: Buffer) => {
      onPiece();
      size += piece.length;
      pieces.push(piece);
      if (size > limit.maxBytes) body.destroy(tooLarge(limit));
    });
    body.on("end", () => {
      hasEnded = true;
      resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size));
    });
    body.on("error", reject);
    // A destroyed body may close without an error or an end, and then nothing else would ever settle this.
    body.on("close", () => {
      if (!hasEnded) reject(new FetchFailure("the connection closed in the middle of the page", true));
    });
  });
}

/** Expands what Content-Encoding lists, last applied first. */
function expand(sent: Buffer, encodings: string, limit: Limit): Buffer {
  const names = encodings
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS) throw new FetchFailure(`compressed ${names.length} times over`, false);
  let body = sent;
  for (const name of names.reverse()) body = expandOnce(body, name, limit);
  return body;
}

function expandOnce(body: Buffer, encoding: string, limit: Limit): Buffer {
  // Some servers announce an encoding on an answer without a body.
  if (body.length === 0) return body;
  const options = { maxOutputLength: limit.maxBytes };
  try {
    switch (encoding) {
      case "gzip":
      case "x-gzip":
        return gunzipSync(body, options);
      case "deflate":
        // RFC 9110 section 8.4.1.2: meant is zlib, but some servers send the bare stream. A zlib header's low bits are 8.
        return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
      case "br":
        return brotliDecompressSync(body, options);
    }
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooLarge(limit);
    throw new BrokenAnswer(`the ${encoding} body is damaged or cut short`, thrown);
  }
  throw new FetchFailure(
    `compressed as ${JSON.stringify(encoding)}, which was not asked for and is not understood`,
    false,
  );
}

/** The cap on a body, and what its excess is told of. */
type Limit = Pick<Ask, "maxBytes" | "capName"> & { readonly contentType: string };

function tooLarge({ maxBytes, capName, contentType }: Limit): TooLarge {
  return new TooLarge(`larger than ${maxBytes} bytes${capName === undefined ? "" : ` (${capName})`}`, contentType);
}

function stopped(): FetchFailure {
  return new FetchFailure("stopped", false);
}
