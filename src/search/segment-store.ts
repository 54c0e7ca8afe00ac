import type Database from "better-sqlite3";
import type { Bounding } from "./postings.ts";
import { Postings, postingsCount } from "./postings.ts";
import { PostingsCache } from "./postings-cache.ts";
import type { KnownTerm } from "./spelling.ts";
import type { LiveCounts, Segment, SegmentData } from "./segment.ts";
import { lengthOf, liveCounts, withDeleted } from "./segment.ts";
import { compareBytes, findTerm, TermPageWriter, TermStream } from "./term-pages.ts";

/** The pages of a segment have numbers that follow one another, from its id times this. */
const PAGES_OF_A_SEGMENT = 2 ** 24;

/** Pages that a merge reads at once. */
const PAGES_AT_ONCE = 32;

interface SegmentRow {
  readonly id: number;
  readonly rows: Buffer;
  readonly documents: Buffer;
  readonly length_codes: Buffer;
  readonly bound_mean: number;
}

/** Where the first term that begins in a page begins. */
interface FirstTerm {
  readonly page: number;
  readonly at: number;
}

/**
 * The segments of the file, as they were at one commit. Segments are immutable but for their deletions, so what is kept
 * in memory is of use for as long as the segment is.
 */
export class SegmentStore {
  readonly #cache = new PostingsCache();
  readonly #statements;
  #epoch = "";
  #commits = -1;
  #segments: readonly Segment[] = [];
  #live: LiveCounts = { chunks: 0, length: 0 };

  constructor(db: Database.Database) {
    this.#statements = {
      state: db.prepare<[], { fingerprint: string; epoch: string; commits: number }>(
        "SELECT fingerprint, epoch, commits FROM state",
      ),
      // In a table of their own: beside the rows of a large segment each removal would write these again too.
      ids: db.prepare<[], { id: number; deleted: Buffer | null }>(
        "SELECT id, ordinals AS deleted FROM segments LEFT JOIN deletions ON segment = id ORDER BY id",
      ),
      segment: db.prepare<[number], SegmentRow>("SELECT * FROM segments WHERE id = ?"),
      firstBefore: db.prepare<[number, Buffer], FirstTerm>(
        "SELECT page, at FROM first_terms WHERE segment = ? AND term <= ? ORDER BY term DESC LIMIT 1",
      ),
      firstOf: db.prepare<[number], FirstTerm>(
        "SELECT page, at FROM first_terms WHERE segment = ? ORDER BY term LIMIT 1",
      ),
      page: db.prepare<[number], Buffer>("SELECT data FROM term_pages WHERE id = ?").pluck(),
      pages: db
        .prepare<[number, number], Buffer>("SELECT data FROM term_pages WHERE id BETWEEN ? AND ? ORDER BY id")
        .pluck(),
      addSegment: db.prepare("INSERT INTO segments VALUES (?, ?, ?, ?, ?)"),
      addPage: db.prepare("INSERT INTO term_pages VALUES (?, ?)"),
      addFirst: db.prepare("INSERT INTO first_terms VALUES (?, ?, ?, ?)"),
      setDeleted: db.prepare("INSERT OR REPLACE INTO deletions VALUES (?, ?)"),
      takeId: db.prepare<[], { id: number }>(
        "UPDATE state SET next_segment = next_segment + 1 RETURNING next_segment - 1 AS id",
      ),
      drop: db.prepare("DELETE FROM segments WHERE id = ?"),
      dropDeleted: db.prepare("DELETE FROM deletions WHERE segment = ?"),
      dropPages: db.prepare("DELETE FROM term_pages WHERE id BETWEEN ? AND ?"),
      dropFirsts: db.prepare("DELETE FROM first_terms WHERE segment = ?"),
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
  }

  /** A term's postings in a segment, and of how many chunks that are there; undefined when there are none. */
  postings(segment: Segment, term: string): { readonly postings: Postings; readonly live: number } | undefined {
    return this.#cache.of(segment, term, () => {
      const list = this.#list(segment, Buffer.from(term));
      return list === undefined ? undefined : new Postings(list);
    });
  }

  /** A copy of the list of a term, so that it does not keep its whole page in memory. */
  #list(segment: Segment, term: Buffer): Uint8Array | undefined {
    const first = this.#statements.firstBefore.get(segment.id, term);
    if (first === undefined) return undefined;
    const page = this.#statements.page.get(first.page) ?? NO_BYTES;
    const found = findTerm(page, first.at, term);
    if (found === undefined) return undefined;
    const end = found.at + found.length;
    if (end <= page.length) return Uint8Array.prototype.slice.call(page, found.at, end);
    const list = new Uint8Array(found.length);
    list.set(page.subarray(found.at));
    let size = page.length - found.at;
    const pages = Math.ceil((found.length - size) / page.length);
    for (const part of this.#statements.pages.iterate(first.page + 1, first.page + pages)) {
      list.set(part.subarray(0, found.length - size), size);
      size += part.length;
    }
    return list;
  }

  /** The terms with a beginning and a length from `least` to `most`, and of how many chunks they are, about. */
  termsLike(beginning: string, least: number, most: number): readonly KnownTerm[] {
    const chunks = new Map<string, number>();
    const wanted = Buffer.from(beginning);
    for (const segment of this.#segments) {
      const first = this.#statements.firstBefore.get(segment.id, wanted) ?? this.#statements.firstOf.get(segment.id);
      if (first === undefined) continue;
      let next = first.page;
      const terms = new TermStream(() => this.#statements.page.get(next++), first.at);
      while (terms.next()) {
        const order = compareBytes(terms.term, Math.min(terms.length, wanted.length), wanted, wanted.length);
        if (order > 0) break;
        // A character takes one byte or more.
        if (order < 0 || terms.length < least) continue;
        const term = textOf(terms);
        if (term.length >= least && term.length <= most)
          chunks.set(term, (chunks.get(term) ?? 0) + postingsCount(terms.head()));
      }
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
    );
    let page = id * PAGES_OF_A_SEGMENT;
    const writer = new TermPageWriter({
      page: (bytes) => void this.#statements.addPage.run(page++, bytes),
      first: (term, at) => void this.#statements.addFirst.run(id, term, page, at),
    });
    data.write(writer, bounding);
    writer.end();
  }

  setDeleted(segment: Segment, deleted: Uint32Array): void {
    this.#statements.setDeleted.run(segment.id, bytesOf(deleted));
  }

  /** All terms of a segment. */
  terms(segment: Segment): TermStream {
    let next = segment.id * PAGES_OF_A_SEGMENT;
    return new TermStream(() => this.#statements.page.get(next++));
  }

  /** All terms of a segment; its pages are dropped when they are read: a merge gives room back while it goes on. */
  takeTerms(segment: Segment): TermStream {
    let next = segment.id * PAGES_OF_A_SEGMENT;
    let read: Buffer[] = [];
    return new TermStream(() => {
      if (read.length === 0) {
        read = this.#statements.pages.all(next, next + PAGES_AT_ONCE - 1).reverse();
        this.#statements.dropPages.run(next, next + PAGES_AT_ONCE - 1);
        next += PAGES_AT_ONCE;
      }
      return read.pop();
    });
  }

  /** Drops a segment. */
  drop(segment: Segment): void {
    const first = segment.id * PAGES_OF_A_SEGMENT;
    this.#statements.dropPages.run(first, first + PAGES_OF_A_SEGMENT - 1);
    this.#statements.dropFirsts.run(segment.id);
    this.#statements.dropDeleted.run(segment.id);
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
      const gone = deleted === null ? NONE : numbersOf(deleted);
      if (same === undefined) return this.#read(id, gone);
      return sameNumbers(same.deleted, gone) ? same : withDeleted(same, gone);
    });
    this.#cache.keepOnly(segments);
    const live = segments.map(liveCounts);
    this.#live = {
      chunks: live.reduce((sum, { chunks }) => sum + chunks, 0),
      length: live.reduce((sum, { length }) => sum + length, 0),
    };
    this.#segments = segments;
    this.#commits = commits;
  }

  #read(id: number, deleted: Uint32Array): Segment {
    const row = this.#statements.segment.get(id);
    if (row === undefined) throw new Error(`segment ${id} is gone within a transaction`);
    const lengthCodes = row.length_codes;
    return withDeleted(
      {
        id,
        rows: numbersOf(row.rows),
        documents: numbersOf(row.documents),
        lengthCodes,
        length: lengthOf(lengthCodes),
        boundMean: row.bound_mean,
      },
      deleted,
    );
  }
}

function textOf({ term, length }: TermStream): string {
  return Buffer.from(term.buffer, term.byteOffset, length).toString();
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
