import type { ModelUse, QueryReading } from "../domain/chunk.ts";

/** A reading is asked for right after its search; older queries need not be known. */
const MAX_QUERIES = 100;

/** Remembers which of the last queries were answered without a model that was to be asked. */
export class DoneWithout {
  readonly #use: ModelUse;
  readonly #queries = new Set<string>();

  constructor(use: ModelUse) {
    this.#use = use;
  }

  note(query: string, isWithout: boolean): void {
    this.#queries.delete(query);
    if (!isWithout) return;
    this.#queries.add(query);
    for (const oldest of this.#queries) {
      if (this.#queries.size <= MAX_QUERIES) break;
      this.#queries.delete(oldest);
    }
  }

  /** The reading of a query, with what was done without. */
  tell(query: string, reading: QueryReading): QueryReading {
    return this.#queries.has(query) ? { ...reading, without: [...(reading.without ?? []), this.#use] } : reading;
  }
}
