import { request } from "node:http";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import type { RunningServer } from "../../../src/server/http.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with exactly these headers; `fetch` does not let a program choose Host or Origin. */
export function rawRequest(
  server: RunningServer,
  { method = "POST", path = "/mcp", headers = {}, body = "" }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers, setHost: headers["host"] === undefined },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Writes bytes to the server, ends nothing, and gives what it sent by the time it closed the connection. */
export function rawConnection(server: RunningServer, bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("utf8");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}
