import type { PageNames } from "../domain/page-names.ts";
import { FetchFailure } from "./failure.ts";

/** Redirects from document to document; more in a row than honest sites use. */
const MAX_CHAIN = 10;

/**
 * The redirects of one crawl. Each document of a chain has its own place in the frontier, so no single visit sees a loop
 * from document to document: without this, all of its members would count as moved and none would be there.
 */
export class RedirectChains {
  readonly #names: PageNames;
  readonly #to = new Map<string, string>();
  /** How many redirects lead to a document at the most. */
  readonly #length = new Map<string, number>();

  constructor(names: PageNames) {
    this.#names = names;
  }

  /** @throws FetchFailure when the chain that this redirect belongs to leads back to itself, or is too long. */
  add(from: string, to: string): void {
    const start = this.#names.name(from);
    const target = this.#names.name(to);
    const length = (this.#length.get(start) ?? 0) + 1;
    if (length > MAX_CHAIN)
      throw new FetchFailure(`more than ${MAX_CHAIN} redirects in a row, the last to ${to}`, false);
    this.#to.set(start, target);
    this.#length.set(target, Math.max(length, this.#length.get(target) ?? 0));
    let name: string | undefined = target;
    for (let hop = 0; name !== undefined && hop <= MAX_CHAIN; hop++) {
      if (name === start) throw new FetchFailure(`redirects in a loop, by way of ${to}`, false);
      name = this.#to.get(name);
    }
  }
}
