import type { Conversion } from "../domain/conversion.ts";
import type { Archive, Converter, Corpus, RunReview } from "../domain/ports.ts";
import type { Source } from "../domain/source.ts";
import { convertPage } from "./catch-up.ts";

/** Fewer pages than this may always go, unless they are all there are: one of four pages is no sign of a fault. */
const LEAST_SUSPICIOUS_LOSS = 5;
/** A page that keeps less of its text than this share has been emptied. */
const EMPTIED_SHARE = 0.25;
/** So many pages that had different texts and now have one are a login wall, or a notice. */
const SAME_TEXT_PAGES = 3;

/**
 * Whether a run would remove or empty more of a source than its pipeline lets it: a login wall, a maintenance page or a
 * redesign must not wipe a corpus. Nothing is written.
 * @param review what settling the run would do.
 * @returns what is suspicious, for people; undefined when nothing is.
 */
export async function findSuspicion(
  { archive, corpus, converter }: { archive: Archive; corpus: Corpus; converter: Converter },
  source: Source,
  review: RunReview,
): Promise<string | undefined> {
  const { live, changed, leaving, refused } = review;
  const tooMany = (lost: number): boolean =>
    lost > live * source.freshness.maxLoss && (lost >= LEAST_SUSPICIOUS_LOSS || lost === live);
  // Converting is what takes time: only when the changed pages could make up the loss.
  const emptied = tooMany(leaving + refused + changed) ? await countEmptied({ archive, corpus, converter }, source) : 0;
  if (!tooMany(leaving + refused + emptied)) return undefined;
  const parts = [
    leaving > 0 ? `${leaving} would be removed` : "",
    refused > 0 ? `${refused} are no documentation any more` : "",
    emptied > 0 ? `${emptied} have lost their text` : "",
  ].filter((part) => part !== "");
  return `of ${live} pages, ${parts.join(" and ")}`;
}

async function countEmptied(
  { archive, corpus, converter }: { archive: Archive; corpus: Corpus; converter: Converter },
  source: Source,
): Promise<number> {
  const pagesWithText = new Map<string, number>();
  let emptied = 0;
  for (const page of archive.incoming(source.id)) {
    const before = corpus.document(page.name);
    if (before === undefined) continue;
    const conversion = await convertPage(converter, page, source);
    // It is kept out by a rule, and not for what the site sent.
    if (conversion.kind === "skipped" && conversion.isIndex === true) continue;
    const after = textOf(conversion);
    if (after.length < before.content.length * EMPTIED_SHARE) emptied++;
    else if (after !== before.content) pagesWithText.set(after, (pagesWithText.get(after) ?? 0) + 1);
  }
  for (const pages of pagesWithText.values()) if (pages >= SAME_TEXT_PAGES) emptied += pages;
  return emptied;
}

function textOf(conversion: Conversion): string {
  return conversion.kind === "document" ? conversion.content : "";
}
