import type { IncomingMessage, ServerResponse } from "node:http";

/** What is noted of a request while it is answered. */
export interface RequestNote {
  /** Milliseconds of a clock that only grows. */
  readonly startedAt: number;
  surface: "mcp" | "rest" | "other";
  /** The tool, the call, or the method; "" until it is known. Never what a client made up. */
  call: string;
  /** What was searched for; never a key. */
  query: string | undefined;
  /** The label of the key. */
  label: string;
  /** Whether a tool answered that it failed, which over MCP has status 200. */
  failed: boolean;
}

/** Takes one line for each request that is over. */
export interface AccessLog {
  write(line: string): void;
  /** Whether what was searched for is in it. */
  readonly logQueries: boolean;
}

const MAX_QUERY_CHARS = 500;
const MAX_PATH_CHARS = 200;
/** As nginx logs a client that went away before it was answered. */
const CLIENT_WENT_AWAY = 499;

/**
 * One request as a line of JSON. A key cannot be in it: of the URL only the path is there, and of the headers nothing. Without
 * queries, neither words nor document names are.
 */
export function accessLine(
  { logQueries }: AccessLog,
  request: IncomingMessage,
  response: ServerResponse,
  note: RequestNote,
  now: Date,
  ms: number,
): string {
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  const isOfReader = note.surface === "rest" && !logQueries;
  return JSON.stringify({
    time: now.toISOString(),
    address: request.socket.remoteAddress,
    method: request.method,
    path: isOfReader ? undefined : path.slice(0, MAX_PATH_CHARS),
    status: statusOf(response),
    ms: Math.round(ms * 10) / 10,
    surface: note.surface,
    call: note.call === "" ? undefined : note.call,
    key: note.label === "" ? undefined : note.label,
    failed: note.failed ? true : undefined,
    query: logQueries ? note.query?.slice(0, MAX_QUERY_CHARS) : undefined,
  });
}

/** As sent; or that the client went away before. */
export function statusOf(response: ServerResponse): number {
  return response.writableFinished || response.headersSent ? response.statusCode : CLIENT_WENT_AWAY;
}
