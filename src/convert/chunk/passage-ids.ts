import { createHash } from "node:crypto";

/** Of the hash in hexadecimal: 40 bits, which a number holds exactly. */
const HASH_DIGITS = 10;

/**
 * Ids that stay while the passages are the same, wherever they stand: a number of 40 bits of the hash. A passage that repeats
 * takes the next free number.
 */
export class PassageIds {
  private readonly taken = new Set<number>();
  /** Where the last passage of a hash left off: looking from the start for each of many equal ones would take quadratic time. */
  private readonly next = new Map<number, number>();

  of(content: string): string {
    const hash = Number.parseInt(createHash("sha256").update(content).digest("hex").slice(0, HASH_DIGITS), 16);
    let number = this.next.get(hash) ?? hash;
    while (this.taken.has(number)) number++;
    this.taken.add(number);
    this.next.set(hash, number + 1);
    return `c${number}`;
  }
}
