import { isJSONRPCNotification, isJSONRPCRequest, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { Readable, Writable } from "node:stream";
import { reasonOf } from "../domain/errors.ts";
import { idOf, jsonRpcError } from "./mcp-endpoint.ts";
import { createMcpServer } from "./mcp.ts";
import type { McpOptions } from "./mcp.ts";
import { asMeant, paramsProblem } from "./request-check.ts";

export interface StdioOptions extends McpOptions {
  /** Default: the process's standard input and output. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** Ends the connection before the input does. */
  readonly signal?: AbortSignal;
}

/** Longest line that is read; no call needs nearly as much. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** How long what was asked before the input ended may still take: longer than a tool call may. */
const DRAIN_MS = 40_000;

/**
 * Serves one MCP client over standard input and output, in either era of the protocol, and binds no port. Resolves when the
 * input has ended and everything that was asked is answered, or when the client does not read any more.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal, logger } = options;
  const transport = new LineTransport(input, output);
  const connection = serveConnection(() => createMcpServer(options), {
    transport,
    onerror: (error) => logger.warn(`MCP: ${reasonOf(error)}`),
  });
  const stop = () => void connection.close();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  await transport.closed;
  signal?.removeEventListener("abort", stop);
  await connection.close();
}

/**
 * One JSON message a line. Besides what the SDK's own transport does, a line that is no message is answered with an error
 * (it is skipped there, and the client waits for ever), and what was asked before the input ended is still answered, so that
 * `printf '…' | carrel serve --stdio` works.
 */
class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #unanswered = new Set<RequestId>();
  #resolveClosed: () => void = () => {};
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #ended = false;
  #drain: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  start(): Promise<void> {
    this.#input.on("data", this.#read);
    this.#input.once("end", this.#end);
    this.#input.once("close", this.#end);
    this.#input.once("error", this.#fail);
    this.#output.once("error", this.#fail);
    if (this.#input.readableEnded || this.#input.destroyed) this.#end();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#output.write(`${JSON.stringify(message)}\n`, () => {
        resolve();
        if ("id" in message && !("method" in message) && message.id !== undefined) this.#answered(message.id);
      });
    });
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    clearTimeout(this.#drain);
    this.#input.off("data", this.#read);
    // An input that nobody reads keeps the process alive.
    this.#input.pause();
    this.onclose?.();
    this.#resolveClosed();
    return Promise.resolve();
  }

  readonly #read = (chunk: Buffer): void => {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, newline));
      this.#takeLine();
      from = newline + 1;
    }
    this.#keep(chunk.subarray(from));
  };

  #keep(piece: Buffer): void {
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes <= MAX_LINE_BYTES) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #takeLine(): void {
    const tooLong = this.#pieceBytes > MAX_LINE_BYTES;
    const line = Buffer.concat(this.#pieces).toString("utf8").trim();
    this.#pieces = [];
    this.#pieceBytes = 0;
    if (tooLong) this.#refuse(-32600, `A message must not exceed ${MAX_LINE_BYTES} bytes.`);
    else if (line !== "") this.#takeMessage(line);
  }

  #takeMessage(line: string): void {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      this.#refuse(-32700, "The line is not JSON.");
      return;
    }
    if (Array.isArray(json)) {
      this.#refuse(-32600, "Batches are not supported: send one message a line.");
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(typeof json === "object" && json !== null ? asMeant(json) : json);
    } catch {
      this.#refuse(-32600, "The line is not a JSON-RPC message.", idOf(json));
      return;
    }
    const problem = isJSONRPCRequest(message) ? paramsProblem(message) : undefined;
    if (problem !== undefined) {
      this.#refuse(-32602, problem, idOf(json));
      return;
    }
    // A subscription is answered only when it ends.
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
    this.onmessage?.(message);
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      // A call that is cancelled is not answered any more.
      const id = message.params?.["requestId"];
      if (typeof id === "string" || typeof id === "number") this.#answered(id);
    }
  }

  #refuse(code: number, message: string, id: RequestId | null = null): void {
    this.#output.write(`${JSON.stringify(jsonRpcError(code, message, id))}\n`);
  }

  #answered(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#ended && this.#unanswered.size === 0) void this.close();
  }

  readonly #end = (): void => {
    if (this.#ended) return;
    if (this.#pieceBytes > 0) this.#takeLine();
    this.#ended = true;
    if (this.#unanswered.size === 0) void this.close();
    else this.#drain = setTimeout(() => void this.close(), DRAIN_MS);
  };

  readonly #fail = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };
}
