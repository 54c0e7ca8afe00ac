import { PassThrough } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpOptions } from "../../../src/server/mcp.ts";
import { serveStdio } from "../../../src/server/stdio.ts";
import { smallQueries } from "./running-server.ts";

export interface StdioStreams {
  /** What the client writes to. */
  readonly input: PassThrough;
  /** What the client reads. */
  readonly output: PassThrough;
  /** Resolves when the server is done. */
  readonly served: Promise<void>;
  readonly warnings: readonly string[];
}

/** A server over the small corpus that talks over streams in memory. */
export function startStdio(options: Partial<McpOptions & { signal: AbortSignal }> = {}): StdioStreams {
  const input = new PassThrough();
  const output = new PassThrough();
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (message: string) => void warnings.push(message) };
  const served = serveStdio({ queries: smallQueries(), logger, version: "0.0.0-test", ...options, input, output });
  return { input, output, served, warnings };
}

/** What the official clients' own stdio transports do, without a process to start. */
export class LineClientTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #streams: StdioStreams;
  #rest = "";

  constructor(streams: StdioStreams) {
    this.#streams = streams;
  }

  start(): Promise<void> {
    this.#streams.output.on("data", (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString("utf8")).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) {
        const message: JSONRPCMessage = JSON.parse(line);
        this.onmessage?.(message);
      }
    });
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#streams.input.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#streams.input.end();
    this.onclose?.();
    return Promise.resolve();
  }
}
