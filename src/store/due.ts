/** How long a page that has been the same for some time may go unasked, as a share of that time. Source: RFC 9111, 4.2.2. */
const RECHECK_SHARE = 0.1;

/** A page that has been the same for less than this is asked for in every run: who runs twice in a row wants to know. */
const SETTLED_AFTER_MS = 86_400_000;

/**
 * SQL for "a row of `urls` is to be asked for". One that a list of the site says has changed since: at once. One that has
 * not, by that list: only at the limit, for lists lie. Any other: the longer it has been the same, the less often, from a day
 * on and up to the limit. It is SQL, and no function, for a million rows are judged when a run begins.
 *
 * Takes `:now` and `:maxRecheckMs`, in milliseconds.
 * @param listedAt SQL for when the page last changed as the site's list says, in milliseconds since 1970; NULL without.
 */
export function isDueSql(listedAt: string): string {
  return `CASE
    WHEN checked_at IS NULL OR changed_at IS NULL THEN 1
    WHEN ${listedAt} IS NOT NULL THEN ${listedAt} > checked_at OR :now >= checked_at + :maxRecheckMs
    WHEN checked_at - changed_at < ${SETTLED_AFTER_MS} THEN 1
    ELSE :now >= checked_at + min(:maxRecheckMs, (checked_at - changed_at) * ${RECHECK_SHARE})
  END`;
}
