/**
 * The one vocabulary of things that go wrong. Each surface (exit codes, MCP, HTTP) maps it once, with
 * `satisfies Record<ErrorCode, …>`, so that a new code does not compile until every surface answers it.
 */
export type ErrorCode =
  /** What the caller sent is malformed: a flag, a name, a query. */
  | "invalid"
  /** A pipeline or a setting is wrong. */
  | "config"
  /** What is asked for is kept from the one who asks. */
  | "denied"
  /** No such document, source, run or file. */
  | "not-found"
  /** Another process holds what is needed. */
  | "busy"
  /** A store is damaged, or was written by a newer Carrel. */
  | "store"
  /** The index or a store cannot answer now. */
  | "unavailable"
  /** The user stopped it. */
  | "stopped"
  /** A fault of ours. */
  | "internal";

/** An error whose message is written for the person who reads it: what happened, to which thing, and what to do next. */
export class CarrelError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "CarrelError";
    this.code = code;
  }
}

/** The reason in an unknown thrown value, for a message or a failure row. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error && thrown.cause.message ? `: ${thrown.cause.message}` : "";
  return (thrown.message || thrown.name) + cause;
}
