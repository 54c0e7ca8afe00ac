import { setTimeout as sleep } from "node:timers/promises";
import { FetchFailure } from "./failure.ts";

/** How failed requests are asked again. */
export interface RetryRule {
  /** Times one URL is asked again. */
  readonly retries: number;
  /** Wait before the first retry; doubles with each. */
  readonly firstMs: number;
  /** A site that asks for more with Retry-After is left alone for the rest of the run. */
  readonly maxWaitMs: number;
}

export const DEFAULT_RETRY: RetryRule = { retries: 3, firstMs: 1_000, maxWaitMs: 120_000 };

/** Doubles with each attempt, so that a struggling site gets air; capped. `attempt` counts from 1. */
export function backoffMs(rule: RetryRule, attempt: number): number {
  return Math.min(rule.firstMs * 2 ** (attempt - 1), rule.maxWaitMs);
}

/**
 * A Retry-After header in milliseconds from now: seconds, or an HTTP date. Undefined when it is neither.
 * Source: RFC 9110 section 10.2.3.
 */
export function retryAfterMs(value: string, now: number): number | undefined {
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Gives each request its turn: never sooner than `delayMs` after the turn before, on one host never sooner than that host
 * asks, and not while the host wants to be left alone. Times are of performance.now, which no clock change moves.
 */
export class Pace {
  readonly #delayMs: number;
  readonly #rule: RetryRule;
  readonly #hosts = new Map<string, HostPace>();
  #next: number;

  constructor(delayMs: number, rule: RetryRule) {
    this.#delayMs = delayMs;
    this.#rule = rule;
    // The first turn waits as well: a run that was killed and goes on may have asked a moment ago.
    this.#next = performance.now() + delayMs;
  }

  /**
   * Resolves when a request to `host` may start.
   * @throws FetchFailure when the host is to be left alone for longer than this run waits; AbortError on abort.
   */
  async turn(host: string, signal: AbortSignal): Promise<void> {
    const pace = this.#host(host);
    // Taken when it has come and not before: a turn that was booked ahead would fall together with the next one when this
    // process was busy in the meantime.
    for (;;) {
      await this.#waitWhileHeld(host, pace, signal);
      const now = performance.now();
      const rest = Math.max(pace.next, this.#next) - now;
      if (rest <= 0) {
        pace.next = now + pace.delayMs;
        this.#next = now + this.#delayMs;
        return;
      }
      await sleep(Math.ceil(rest), undefined, { signal });
    }
  }

  /** From now on this long passes between two requests to a host. */
  slow(host: string, delayMs: number): void {
    const pace = this.#host(host);
    pace.delayMs = delayMs;
    pace.next = performance.now() + delayMs;
  }

  /** Leaves a host that says "slow down" alone: for as long as it asks, else for longer each time in a row. */
  hold(host: string, askedMs: number | undefined): void {
    const pace = this.#host(host);
    const now = performance.now();
    // Requests that were in flight together are told the same thing once.
    if (pace.heldUntil <= now) pace.holds++;
    pace.heldUntil = Math.max(pace.heldUntil, now + (askedMs ?? backoffMs(this.#rule, pace.holds)));
  }

  /** The host answers as usual again. */
  release(host: string): void {
    const pace = this.#host(host);
    if (pace.heldUntil <= performance.now()) pace.holds = 0;
  }

  async #waitWhileHeld(host: string, pace: HostPace, signal: AbortSignal): Promise<void> {
    for (let rest = pace.heldUntil - performance.now(); rest > 0; rest = pace.heldUntil - performance.now()) {
      if (rest > this.#rule.maxWaitMs) {
        const wait = Math.ceil(rest / 1000);
        throw new FetchFailure(`not asked: ${host} wants no request for the next ${wait} s (Retry-After)`, false);
      }
      await sleep(Math.ceil(rest), undefined, { signal });
    }
  }

  #host(host: string): HostPace {
    let pace = this.#hosts.get(host);
    if (pace === undefined) {
      pace = { delayMs: 0, next: 0, heldUntil: 0, holds: 0 };
      this.#hosts.set(host, pace);
    }
    return pace;
  }
}

interface HostPace {
  delayMs: number;
  next: number;
  heldUntil: number;
  /** Times in a row that the host said "slow down". */
  holds: number;
}
