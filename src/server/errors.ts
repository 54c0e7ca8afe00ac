import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { Logger } from "../domain/ports.ts";

/** How each error is answered over HTTP, and what a caller who gets it can do besides what the message says. */
const ANSWERS = {
  invalid: { status: 400, advice: "" },
  config: { status: 500, advice: "The server's operator has to mend its settings." },
  denied: { status: 403, advice: "" },
  "not-found": { status: 404, advice: "" },
  busy: { status: 503, advice: "Try again in a moment." },
  store: { status: 503, advice: "The server's operator has to see to it; `carrel doctor` says what is wrong." },
  unavailable: { status: 503, advice: "Try again in a moment." },
  stopped: { status: 503, advice: "The server is stopping; try again later." },
  internal: {
    status: 500,
    advice: "It is a fault of the server, and its log says more; try again, or in another way.",
  },
} as const satisfies Record<ErrorCode, { readonly status: number; readonly advice: string }>;

/** An error as a caller may see it: of a fault of ours only that it happened, for details can hold paths and data. */
export interface CallerError {
  readonly status: number;
  readonly message: string;
}

/** What a caller is told of anything thrown; faults of ours go to the log in full. */
export function callerError(thrown: unknown, logger: Logger): CallerError {
  const known = thrown instanceof CarrelError ? thrown : undefined;
  const code = known?.code ?? "internal";
  const { status, advice } = ANSWERS[code];
  if (status >= 500) logger.warn(`A request failed: ${reasonOf(thrown)}`);
  const message = known === undefined || code === "internal" ? "Something went wrong." : known.message;
  return { status, message: advice === "" ? message : `${message} ${advice}` };
}
