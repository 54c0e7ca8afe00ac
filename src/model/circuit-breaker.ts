import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { Clock, Logger } from "../domain/ports.ts";

/** How long a server that failed is left alone: at first, and at most. */
const FIRST_MS = 10_000;
const MOST_MS = 300_000;

/**
 * Asks a server only while it answers: one that failed is left alone for a while, twice as long after each further failure, so
 * that not every query waits for it. The first failure is logged, and that it answers again.
 */
export class CircuitBreaker {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  #failures = 0;
  #closedUntil = 0;

  /** @param name what fails, at the beginning of a sentence. */
  constructor(name: string, logger: Logger, clock: Clock) {
    this.#name = name;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** What `ask` gives; undefined when it fails, or is not asked. */
  async try<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.#clock().getTime() < this.#closedUntil) return undefined;
    try {
      const answer = await ask();
      if (this.#failures > 0) this.#logger.info(`${this.#name} answers again.`);
      this.#failures = 0;
      this.#closedUntil = 0;
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof CarrelError)) throw thrown;
      if (this.#failures === 0)
        this.#logger.warn(`${this.#name} fails, and searches do without until it answers. ${reasonOf(thrown)}`);
      this.#closedUntil = this.#clock().getTime() + Math.min(MOST_MS, FIRST_MS * 2 ** this.#failures);
      this.#failures++;
      return undefined;
    }
  }
}
