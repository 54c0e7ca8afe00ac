import type { PageTexts } from "./page-texts.ts";

/** What a site sends, with 200 OK, for pages that are not there. */
export interface NotFoundPage {
  /** What each of them holds. */
  readonly common: readonly string[];
  /** Characters that one may hold besides. */
  readonly slack: number;
}

/** Where a page says so in words, other text around them is an offer of pages that are there, or a search form. */
const SAYS_SO =
  /\b(?:404|0 error|error 0|not found|no such page|(?:does not|doesn.t) exist|(?:can ?not|can.t|could not|couldn.t) (?:be found|find)|no longer (?:available|exists|here))\b/;
const SLACK_WHERE_IT_SAYS_SO = 200;

/**
 * Learns from two answers to addresses that nobody has, and from a page that is there.
 * @returns undefined when nothing tells the one from the other: then no page may be judged by it.
 */
export function learnNotFoundPage(first: PageTexts, second: PageTexts, there: PageTexts): NotFoundPage | undefined {
  const common = [...first.bare].filter((text) => second.bare.has(text));
  const distinctive = common.filter((text) => !there.texts.has(text) && !there.bare.has(text));
  // An empty shell, whose text a script brings, says nothing that other pages do not: only one just like it counts.
  const varying = Math.max(excess(common, first), excess(common, second));
  let slack = distinctive.length === 0 ? 0 : varying * 2;
  if (distinctive.some((text) => SAYS_SO.test(text))) slack = Math.max(slack, SLACK_WHERE_IT_SAYS_SO);
  const page = { common, slack };
  return common.length === 0 || isNotFoundPage(page, there) ? undefined : page;
}

/** Whether a page is the one that the site sends for pages that are not there. */
export function isNotFoundPage({ common, slack }: NotFoundPage, page: PageTexts): boolean {
  return common.every((text) => page.bare.has(text) || page.texts.has(text)) && excess(common, page) <= slack;
}

/** Characters of a page that are not of the common texts. */
function excess(common: readonly string[], { bare }: PageTexts): number {
  const known = new Set(common);
  let characters = 0;
  for (const text of bare) if (!known.has(text)) characters += text.length;
  return characters;
}
