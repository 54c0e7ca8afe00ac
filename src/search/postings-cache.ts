import type { Postings } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { livePostings } from "./segment.ts";

/** So much is kept that common words are not read for every query. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** What an object costs besides its bytes, about. */
const CACHED_OBJECT_BYTES = 300;

interface CachedPostings {
  readonly postings: Postings | undefined;
  /** Of how many chunks that are there; counted again when the segment's deletions change. */
  live: number;
  deletions: Uint32Array | undefined;
}

/** The postings that were read last, and words that a segment does not have. */
export class PostingsCache {
  readonly #cached = new Map<string, CachedPostings>();
  #bytes = 0;

  /**
   * A term's postings in a segment, and of how many chunks that are there; undefined when there are none.
   * @param read reads them when they are not kept.
   */
  of(
    segment: Segment,
    term: string,
    read: () => Postings | undefined,
  ): { readonly postings: Postings; readonly live: number } | undefined {
    const key = `${segment.id} ${term}`;
    let cached = this.#cached.get(key);
    if (cached === undefined) {
      const postings = read();
      cached = { postings, live: postings?.count ?? 0, deletions: undefined };
      this.#keep(key, cached);
    } else {
      this.#cached.delete(key);
      this.#cached.set(key, cached);
    }
    if (cached.postings === undefined) return undefined;
    if (cached.deletions !== segment.deleted) {
      cached.live = livePostings(segment, cached.postings);
      cached.deletions = segment.deleted;
    }
    return { postings: cached.postings, live: cached.live };
  }

  /** Drops those of other segments: they are gone. */
  keepOnly(segments: readonly Segment[]): void {
    const ids = new Set(segments.map(({ id }) => id));
    for (const key of this.#cached.keys()) if (!ids.has(Number(key.slice(0, key.indexOf(" "))))) this.#drop(key);
  }

  clear(): void {
    this.#cached.clear();
    this.#bytes = 0;
  }

  #keep(key: string, cached: CachedPostings): void {
    this.#cached.set(key, cached);
    this.#bytes += (cached.postings?.bytes ?? 0) + CACHED_OBJECT_BYTES;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= MAX_CACHED_BYTES || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= (this.#cached.get(key)?.postings?.bytes ?? 0) + CACHED_OBJECT_BYTES;
    this.#cached.delete(key);
  }
}
