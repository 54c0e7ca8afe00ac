import { statSync } from "node:fs";
import { reasonOf } from "../domain/errors.ts";
import type { Clock, Logger } from "../domain/ports.ts";
import { findKey, isExpired, readKeys } from "./keys.ts";
import type { StoredKey } from "./keys.ts";

/** What becomes of a request by what it shows. */
export type Admission =
  /** No keys are wanted here. */
  | { readonly kind: "open" }
  | { readonly kind: "key"; readonly key: StoredKey }
  /** Nothing was shown. */
  | { readonly kind: "missing" }
  /** What was shown is no key of this server, or one that has expired. */
  | { readonly kind: "refused"; readonly expired: boolean };

/**
 * The keys of a running server. The file is looked at for every request, which takes some microseconds, so that a key that
 * was revoked is refused from then on. Where keys were wanted once they stay wanted: a file that is gone or broken refuses
 * everyone rather than lets everyone in.
 */
export class KeyRing {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #keys: readonly StoredKey[] | undefined;
  #stamp = "";

  /** @param file "" when there are to be no keys. @throws CarrelError `config` when it cannot be read. */
  constructor(file: string, clock: Clock, logger: Logger) {
    this.#file = file;
    this.#clock = clock;
    this.#logger = logger;
    if (file === "") return;
    this.#stamp = stampOf(file);
    this.#keys = readKeys(file);
  }

  /** Whether requests need a key. */
  get areWanted(): boolean {
    this.#refresh();
    return this.#keys !== undefined;
  }

  /** How many keys are good now. */
  get count(): number {
    this.#refresh();
    const now = this.#clock();
    return (this.#keys ?? []).filter((key) => !isExpired(key, now)).length;
  }

  /** @param shown everything that may be meant for a key; one good one is enough. */
  admit(shown: readonly string[]): Admission {
    this.#refresh();
    const keys = this.#keys;
    if (keys === undefined) return { kind: "open" };
    if (shown.length === 0) return { kind: "missing" };
    const now = this.#clock();
    let expired = false;
    for (const one of shown) {
      const key = findKey(keys, one);
      if (key === undefined) continue;
      if (!isExpired(key, now)) return { kind: "key", key };
      expired = true;
    }
    return { kind: "refused", expired };
  }

  #refresh(): void {
    if (this.#file === "") return;
    const stamp = stampOf(this.#file);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const before = this.#keys;
    try {
      this.#keys = readKeys(this.#file) ?? (before === undefined ? undefined : []);
      if (before !== undefined && stamp === "")
        this.#logger.warn(`${this.#file} is gone: every key is refused until it is back.`);
    } catch (error) {
      this.#keys = [];
      this.#logger.warn(`Every key is refused: ${reasonOf(error)}`);
    }
  }
}

/** Other for another file, or for one that was written to; "" for none. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.size}`;
}
