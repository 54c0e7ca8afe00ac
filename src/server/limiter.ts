/** Milliseconds that only grow. */
export type Now = () => number;

const MS_PER_MINUTE = 60_000;
/** Callers that are remembered; those that are beyond are the ones that were seen longest ago. */
const MAX_CALLERS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Lets each caller make so many requests a minute, all at once or spread out: a bucket that holds a minute's worth and fills
 * evenly. What it keeps is bounded, however many callers there are.
 */
export class Limiter {
  readonly #perMinute: number;
  readonly #now: Now;
  // In the order in which they were last seen.
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, now: Now) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Takes one request. @returns 0 when it may be answered, else the whole seconds after which the next one may be. */
  take(caller: string): number {
    const now = this.#now();
    const { tokens, at } = this.#buckets.get(caller) ?? { tokens: this.#perMinute, at: now };
    const filled = Math.min(this.#perMinute, tokens + ((now - at) * this.#perMinute) / MS_PER_MINUTE);
    const isIn = filled >= 1;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens: isIn ? filled - 1 : filled, at: now });
    if (this.#buckets.size > MAX_CALLERS) this.#forgetOldest();
    return isIn ? 0 : Math.max(1, Math.ceil(((1 - filled) * MS_PER_MINUTE) / this.#perMinute / 1_000));
  }

  #forgetOldest(): void {
    for (const caller of this.#buckets.keys()) {
      this.#buckets.delete(caller);
      return;
    }
  }
}

/** Who an address is taken for: one who has an IPv6 network has all addresses of its first 64 bits. */
export function callerOfAddress(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
