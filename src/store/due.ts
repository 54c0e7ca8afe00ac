import { documentName } from "../domain/document.ts";
import type { Link } from "../domain/page.ts";

/** How long a page that has been the same for some time may go unasked, as a share of that time. Source: RFC 9111, 4.2.2. */
const RECHECK_SHARE = 0.1;

/** A page that has been the same for less than this is asked for in every run: who runs twice in a row wants to know. */
const SETTLED_AFTER_MS = 86_400_000;

/** When a page was asked for, in milliseconds since 1970; null for never. */
interface Checked {
  /** When it last answered with a page or 304. */
  readonly checked_at: number | null;
  /** When its page was last other than before. */
  readonly changed_at: number | null;
}

/**
 * Whether a page is to be asked for. One that a list of the site says has changed since: at once. One that has not, by that
 * list: only at the limit, for lists lie. Any other: the longer it has been the same, the less often, from a day on and up
 * to the limit.
 */
export function isDue(
  { checked_at, changed_at }: Checked,
  listedAt: number | undefined,
  maxMs: number,
  now: number,
): boolean {
  if (checked_at === null || changed_at === null) return true;
  if (listedAt !== undefined) return listedAt > checked_at || now >= checked_at + maxMs;
  if (checked_at - changed_at < SETTLED_AFTER_MS) return true;
  return now >= checked_at + Math.min(maxMs, (checked_at - changed_at) * RECHECK_SHARE);
}

/** When pages last changed as the site's lists say, by their names, in milliseconds since 1970. */
export function listedChanges(links: readonly Link[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const { url, lastModified } of links) {
    if (lastModified !== undefined) changes.set(documentName(url), Date.parse(lastModified));
  }
  return changes;
}
