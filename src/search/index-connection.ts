import { statSync } from "node:fs";
import type Database from "better-sqlite3";
import { DocumentTable } from "./document-table.ts";
import { PostingsEngine } from "./engine.ts";
import { checkFingerprint, guarded, openIndexFile } from "./index-file.ts";
import { Meaning } from "./lsa/meaning.ts";
import type { OramaShell } from "./orama.ts";
import { createOrama } from "./orama.ts";
import { SegmentStore } from "./segment-store.ts";
import type { Weights } from "./weights.ts";

/** What is opened and how. */
export interface ConnectionOptions {
  readonly file: string;
  readonly readonly: boolean;
  readonly fingerprint: string;
  readonly weights: Weights;
  readonly exhaustive: boolean;
}

/** One opened `index.db`: Orama, the engine under it, and the transactions in which they are used. */
export class IndexConnection {
  readonly engine: PostingsEngine;
  readonly orama: OramaShell;
  readonly documents: DocumentTable;
  readonly meaning: Meaning;
  readonly #options: ConnectionOptions;
  readonly #db: Database.Database;
  readonly #store: SegmentStore;
  readonly #inode: number;
  readonly #revision;
  readonly #setRevision;

  constructor(options: ConnectionOptions) {
    const { file, readonly, fingerprint, weights, exhaustive } = options;
    this.#options = options;
    const db = openIndexFile(file, readonly, fingerprint);
    this.#db = db;
    this.#inode = inodeOf(file);
    this.#store = guarded(file, () => new SegmentStore(db));
    this.documents = guarded(file, () => new DocumentTable(db));
    this.meaning = guarded(file, () => new Meaning(db, this.#store));
    this.engine = new PostingsEngine(this.#store, this.documents, weights);
    this.engine.exhaustive = exhaustive;
    this.orama = createOrama(this.engine);
    this.#revision = db.prepare<[], number>("SELECT revision FROM state").pluck();
    this.#setRevision = db.prepare("UPDATE state SET revision = max(revision, ?)");
  }

  /** Whether another file is at the path now: the index was deleted and made again. */
  isReplaced(): boolean {
    const inode = inodeOf(this.#options.file);
    return inode !== 0 && inode !== this.#inode;
  }

  /** Runs with one state of the index, that of the last commit by whatever process. */
  read<T>(use: () => T): T {
    const { file, fingerprint } = this.#options;
    const read = this.#db.transaction(() => {
      checkFingerprint(file, this.#store.refresh(), fingerprint);
      return use();
    });
    return guarded(file, () => read.deferred());
  }

  /** Runs in one transaction, which what was added and removed and the revision are written in; or nothing is. */
  write(revision: number, use: () => void): void {
    const { file, fingerprint } = this.#options;
    const write = this.#db.transaction(() => {
      checkFingerprint(file, this.#store.refresh(), fingerprint);
      use();
      this.engine.flush();
      this.#setRevision.run(revision);
    });
    try {
      guarded(file, () => write.immediate());
    } catch (error) {
      this.engine.discard();
      this.#store.invalidate();
      throw error;
    }
  }

  /** Call it in `read`. */
  stats(): { readonly chunks: number; readonly revision: number } {
    return { chunks: this.#store.live.chunks, revision: this.#revision.get() ?? 0 };
  }

  close(): void {
    this.#db.close();
  }
}

function inodeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? 0;
}
