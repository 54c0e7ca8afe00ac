import type { Db } from "./database.ts";
import { URL_DONE, URL_WAITING } from "./url-state.ts";

/** Names whose other spellings are kept while they wait; beyond it a page whose first spelling is gone may be missed. */
const MAX_NAMES = 200_000;

/**
 * One page has many spellings, `a` and `a/` among them, and it is asked for by the one that was found first. Where that one is
 * gone, the others are asked for in turn: a list of the site may spell it in a way that its server does not know.
 */
export class OtherSpellings {
  readonly #gone = new Set<string>();
  readonly #found = new Map<string, Set<string>>();
  readonly #row;
  readonly #askBy;
  readonly #source: string;

  constructor(db: Db, source: string) {
    this.#source = source;
    this.#row = db.prepare<[string, string], { url: string; state: number; outcome: string | null }>(
      "SELECT url, state, outcome FROM urls WHERE source = ? AND name = ?",
    );
    this.#askBy = db.prepare(
      `UPDATE urls SET url = ?, state = ${URL_WAITING}, outcome = NULL, detail = NULL WHERE source = ? AND name = ?`,
    );
  }

  /** Takes note of a link to a name that is known. @returns whether it is asked for again, for all others are gone. */
  note(name: string, url: string): boolean {
    if (this.#gone.has(url)) return false;
    const row = this.#row.get(this.#source, name);
    if (row === undefined || row.url === url) return false;
    if (row.state === URL_DONE) return this.#gone.has(row.url) && row.outcome === "gone" && this.#ask(name, url);
    if (this.#found.size >= MAX_NAMES) this.#found.clear();
    const others = this.#found.get(name) ?? new Set();
    this.#found.set(name, others.add(url));
    return false;
  }

  /** What is asked for needs no other spelling any more. */
  forget(name: string): void {
    this.#found.delete(name);
  }

  /** Takes note that one is gone. @returns whether its name is asked for by another. */
  noteGone(name: string, url: string): boolean {
    this.#gone.add(url);
    const next = [...(this.#found.get(name) ?? [])].find((other) => !this.#gone.has(other));
    return next !== undefined && this.#ask(name, next);
  }

  #ask(name: string, url: string): boolean {
    return this.#askBy.run(url, this.#source, name).changes > 0;
  }
}
