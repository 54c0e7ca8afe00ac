import type Database from "better-sqlite3";
import type { Bounding } from "./postings.ts";
import { Postings, postingsCount } from "./postings.ts";
import type { KnownTerm } from "./spelling.ts";
import type { LiveCounts, Segment, SegmentData } from "./segment.ts";
import { livePostings, liveCounts, withDeleted } from "./segment.ts";

/** Postings that are kept in memory, so that common words are not read for every query. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/**
 * A row of more than a quarter of a page would take pages of its own, half empty: longer lists are kept in parts. Below
 * what SQLite keeps in the tree at pages of 8 KiB, with room for the term.
 */
const PART_BYTES = 1900;

/** What an object costs besides its bytes, about. */
const CACHED_OBJECT_BYTES = 300;

interface SegmentRow {
  readonly id: number;
  readonly rows: Buffer;
  readonly documents: Buffer;
  readonly length_codes: Buffer;
  readonly bound_mean: number;
  readonly deleted: Buffer;
}

interface CachedPostings {
  readonly postings: Postings | undefined;
  /** Of how many chunks that are there; counted again when the segment's deletions change. */
  live: number;
  deletions: Uint32Array;
}

/**
 * The segments of the file, as they were at one commit. Segments are immutable but for their deletions, so what is kept
 * in memory is of use for as long as the segment is.
 */
export class SegmentStore {
  readonly #cache = new Map<string, CachedPostings>();
  readonly #statements;
  #cachedBytes = 0;
  #epoch = "";
  #commits = -1;
  #segments: readonly Segment[] = [];
  #live: LiveCounts = { chunks: 0, length: 0 };

  constructor(db: Database.Database) {
    this.#statements = {
      state: db.prepare<[], { fingerprint: string; epoch: string; commits: number }>(
        "SELECT fingerprint, epoch, commits FROM state",
      ),
      ids: db.prepare<[], { id: number; deleted: Buffer }>("SELECT id, deleted FROM segments ORDER BY id"),
      segment: db.prepare<[number], SegmentRow>("SELECT * FROM segments WHERE id = ?"),
      postings: db.prepare<[number, string], { data: Buffer }>(
        "SELECT data FROM postings WHERE segment = ? AND term = ?",
      ),
      terms: db.prepare<[number, string, string, number, number], { term: string; head: Buffer }>(
        `SELECT term, substr(data, 1, 5) AS head FROM postings
         WHERE segment = ? AND term >= ? AND term < ? AND part = 0 AND length(term) BETWEEN ? AND ?`,
      ),
      addSegment: db.prepare("INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?)"),
      addPostings: db.prepare("INSERT INTO postings VALUES (?, ?, ?, ?)"),
      setDeleted: db.prepare("UPDATE segments SET deleted = ? WHERE id = ?"),
      takeId: db.prepare<[], { id: number }>(
        "UPDATE state SET next_segment = next_segment + 1 RETURNING next_segment - 1 AS id",
      ),
      drop: db.prepare("DELETE FROM segments WHERE id = ?"),
      dropPostings: db.prepare("DELETE FROM postings WHERE segment = ? AND term <= ?"),
      page: db.prepare<[number, string, number], { term: string; data: Buffer }>(
        "SELECT term, data FROM postings WHERE segment = ? AND term > ? ORDER BY term, part LIMIT ?",
      ),
      committed: db.prepare("UPDATE state SET commits = commits + 1"),
    };
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Changes with every commit. */
  get version(): string {
    return `${this.#epoch} ${this.#commits}`;
  }

  get live(): LiveCounts {
    return this.#live;
  }

  /**
   * Takes up what was committed since; gives the fingerprint of the index that is there now. Call it in the transaction
   * in which the segments are then read.
   */
  refresh(): string {
    const state = this.#statements.state.get();
    if (state === undefined) throw new Error("the index has no state");
    if (state.epoch !== this.#epoch) this.invalidate();
    this.#epoch = state.epoch;
    if (state.commits !== this.#commits) this.#load(state.commits);
    return state.fingerprint;
  }

  /** Forgets everything, such as what a transaction has changed that was rolled back. */
  invalidate(): void {
    this.#commits = -1;
    this.#segments = [];
    this.#cache.clear();
    this.#cachedBytes = 0;
  }

  /** A term's postings in a segment, and of how many chunks that are there; undefined when there are none. */
  postings(segment: Segment, term: string): { readonly postings: Postings; readonly live: number } | undefined {
    const key = `${segment.id} ${term}`;
    let cached = this.#cache.get(key);
    if (cached === undefined) {
      const parts = this.#statements.postings.all(segment.id, term);
      const postings = parts.length === 0 ? undefined : new Postings(joined(parts));
      cached = { postings, live: postings?.count ?? 0, deletions: NONE };
      this.#keep(key, cached);
    } else {
      this.#cache.delete(key);
      this.#cache.set(key, cached);
    }
    if (cached.postings === undefined) return undefined;
    if (cached.deletions !== segment.deleted) {
      cached.live = livePostings(segment, cached.postings);
      cached.deletions = segment.deleted;
    }
    return { postings: cached.postings, live: cached.live };
  }

  /** The terms with a beginning and a length from `least` to `most`, and of how many chunks they are, about. */
  termsLike(beginning: string, least: number, most: number): readonly KnownTerm[] {
    const chunks = new Map<string, number>();
    for (const segment of this.#segments) {
      const found = this.#statements.terms.all(segment.id, beginning, `${beginning}\u{10ffff}`, least, most);
      for (const { term, head } of found) chunks.set(term, (chunks.get(term) ?? 0) + postingsCount(head));
    }
    return [...chunks].map(([term, count]) => ({ term, chunks: count }));
  }

  /** Writes a new segment. */
  add(data: SegmentData, bounding: Bounding, boundMean: number): void {
    const id = this.#statements.takeId.get()?.id ?? 1;
    this.#statements.addSegment.run(
      id,
      bytesOf(data.rows),
      bytesOf(data.documents),
      bytesOf(data.lengthCodes),
      boundMean,
      Buffer.alloc(0),
    );
    for (const [term, blob] of data.postings(bounding)) {
      for (let part = 0; part * PART_BYTES < blob.length; part++) {
        const bytes = blob.length <= PART_BYTES ? blob : blob.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        this.#statements.addPostings.run(id, term, part, bytes);
      }
    }
  }

  setDeleted(segment: Segment, deleted: Uint32Array): void {
    this.#statements.setDeleted.run(bytesOf(deleted), segment.id);
  }

  /** The postings of the next terms of a segment after a term, by ascending terms as SQLite compares them. */
  page(segment: Segment, after: string, limit: number): readonly { readonly term: string; readonly data: Buffer }[] {
    const rows = this.#statements.page.all(segment.id, after, limit);
    // The parts of the last term may go on after the limit.
    const last = rows.length < limit ? undefined : rows.at(-1)?.term;
    const terms: { term: string; data: Buffer }[] = [];
    for (let i = 0; i < rows.length && rows[i]?.term !== last;) {
      const term = rows[i]?.term ?? "";
      let end = i + 1;
      while (rows[end]?.term === term) end++;
      terms.push({ term, data: joined(rows.slice(i, end)) });
      i = end;
    }
    if (last !== undefined) terms.push({ term: last, data: joined(this.#statements.postings.all(segment.id, last)) });
    return terms;
  }

  /** Drops postings of a segment up to and with a term: a merge gives room back while it goes on. */
  dropPostings(segment: Segment, upTo: string): void {
    this.#statements.dropPostings.run(segment.id, upTo);
  }

  /** Drops a segment whose postings are dropped. */
  drop(segment: Segment): void {
    this.#statements.drop.run(segment.id);
  }

  /** Makes readers, this one too, take up what was written. Ends each writing transaction. */
  committed(): void {
    this.#statements.committed.run();
    this.refresh();
  }

  #load(commits: number): void {
    const known = new Map(this.#segments.map((segment) => [segment.id, segment]));
    const segments = this.#statements.ids.all().map(({ id, deleted }) => {
      const same = known.get(id);
      if (same === undefined) return this.#read(id);
      const gone = numbersOf(deleted);
      return sameNumbers(same.deleted, gone) ? same : withDeleted(same, gone);
    });
    const ids = new Set(segments.map((segment) => segment.id));
    for (const key of this.#cache.keys()) if (!ids.has(Number(key.slice(0, key.indexOf(" "))))) this.#drop(key);
    const live = segments.map(liveCounts);
    this.#live = {
      chunks: live.reduce((sum, { chunks }) => sum + chunks, 0),
      length: live.reduce((sum, { length }) => sum + length, 0),
    };
    this.#segments = segments;
    this.#commits = commits;
  }

  #read(id: number): Segment {
    const row = this.#statements.segment.get(id);
    if (row === undefined) throw new Error(`segment ${id} is gone within a transaction`);
    return withDeleted(
      {
        id,
        rows: numbersOf(row.rows),
        documents: numbersOf(row.documents),
        lengthCodes: row.length_codes,
        boundMean: row.bound_mean,
      },
      numbersOf(row.deleted),
    );
  }

  #keep(key: string, cached: CachedPostings): void {
    this.#cache.set(key, cached);
    this.#cachedBytes += (cached.postings?.bytes ?? 0) + CACHED_OBJECT_BYTES;
    for (const oldest of this.#cache.keys()) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#cachedBytes -= (this.#cache.get(key)?.postings?.bytes ?? 0) + CACHED_OBJECT_BYTES;
    this.#cache.delete(key);
  }
}

function joined(parts: readonly { readonly data: Buffer }[]): Buffer {
  return parts.length === 1 ? (parts[0]?.data ?? NO_BYTES) : Buffer.concat(parts.map(({ data }) => data));
}

const NO_BYTES = Buffer.alloc(0);
const NONE = new Uint32Array(0);

export function bytesOf(numbers: Uint32Array | Uint8Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** The numbers of a blob, copied, for a blob need not begin where four bytes do. */
export function numbersOf(blob: Uint8Array): Uint32Array {
  const copy = new Uint8Array(blob.byteLength);
  copy.set(blob);
  return new Uint32Array(copy.buffer);
}

function sameNumbers(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
