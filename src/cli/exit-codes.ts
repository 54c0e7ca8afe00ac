import type { ErrorCode } from "../domain/errors.ts";
import type { RunStatus } from "../domain/run.ts";

/** What the process says to the one that called it. Held against the manual by a test. */
export const EXIT_CODE_OF_ERROR = {
  internal: 1,
  invalid: 2,
  config: 2,
  denied: 2,
  "not-found": 3,
  busy: 4,
  store: 5,
  unavailable: 5,
  stopped: 130,
} as const satisfies Record<ErrorCode, number>;

/** What a refresh says of its worst run. */
export const EXIT_CODE_OF_RUN = {
  complete: 0,
  partial: 10,
  suspicious: 11,
  failed: 12,
  stopped: 130,
  running: 1,
} as const satisfies Record<RunStatus, number>;
