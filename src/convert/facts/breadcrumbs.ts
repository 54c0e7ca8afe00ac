import { collapse } from "../read/clean-text.ts";
import { attribute, classesOf, descendants, hasClass, isElement, parentOf, textOf, type Element } from "../read/dom.ts";
import { isSilent } from "../read/hidden.ts";
import { SelectorSet } from "../read/selectors.ts";

/** One step of a trail. */
export interface Crumb {
  readonly text: string;
  /** Where it leads; "" when nowhere: the last one that does not lead elsewhere is the page itself. */
  readonly href: string;
}

/** How a generator shows the trail of a page. */
export interface TrailRule {
  /** Selector of the trail. */
  readonly trail: string;
  /** Selector of its steps; the items of its list, else its links, when there is none. */
  readonly step?: string;
}

const LONGEST_CRUMB = 120;
const MOST_CRUMBS = 12;

/** What only parts the steps: arrows and bars before or after their names. */
const SIGNS = " /\\|>»›→·•«‹:—–-";

/** The steps of a trail as it stands in the page. */
export function crumbsOf(trail: Element, { step }: TrailRule): Crumb[] {
  const inner = [...descendants(trail)].filter((element) => !hasClass(element, ASIDE) && !isWithinAside(element));
  const steps = step === undefined ? undefined : new SelectorSet([step]);
  const chosen = steps === undefined ? stepsOf(inner) : outermost(inner.filter((element) => steps.matches(element)));
  if (chosen.length === 0) return steps === undefined ? [{ text: nameOf(trail), href: "" }] : [];
  return chosen.map((element) => {
    const link = element.name === "a" ? element : [...descendants(element)].find(({ name }) => name === "a");
    const isHere = [element, ...descendants(element)].some((one) => attribute(one, "aria-current") !== "");
    return { text: nameOf(element), href: isHere || link === undefined ? "" : attribute(link, "href") };
  });
}

/** Read the Docs has links to the source of a page, and to a place to edit it, in the list of the trail. */
const ASIDE = "wy-breadcrumbs-aside";

function isWithinAside(element: Element): boolean {
  const around = parentOf(element);
  const outer = around === undefined ? undefined : parentOf(around);
  return [around, outer].some((one) => one !== undefined && hasClass(one, ASIDE));
}

function stepsOf(inner: readonly Element[]): readonly Element[] {
  const items = outermost(inner.filter(({ name }) => name === "li"));
  return items.length > 0 ? items : inner.filter(({ name }) => name === "a");
}

/** Those within no other one. */
function outermost(elements: readonly Element[]): readonly Element[] {
  const all = new Set(elements);
  return elements.filter((element) => {
    for (let { parent } = element; isElement(parent); { parent } = parent) if (all.has(parent)) return false;
    return true;
  });
}

function nameOf(element: Element): string {
  const text = textOf(element, (inner) => isSilent(inner) || classesOf(inner).some((name) => ICONS.test(name)));
  return withoutSigns(collapse(text));
}

function withoutSigns(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SIGNS.includes(text.charAt(start))) start++;
  while (end > start && SIGNS.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const ICONS = /icon|material-symbols|sr-only|visually-hidden/;

/**
 * The titles above a page: without steps that have no name, and without the page itself, which ends most trails.
 * @param titles How the page calls itself.
 */
export function breadcrumbsOf(crumbs: readonly Crumb[], titles: readonly string[], url: string): readonly string[] {
  const named = crumbs.filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && text.length <= LONGEST_CRUMB);
  const last = named.at(-1);
  const areLinks = named.some(({ href }) => href !== "");
  const isPage =
    last !== undefined &&
    (titles.some((title) => comparable(title) === comparable(last.text)) ||
      (last.href === "" ? areLinks : leadsTo(last.href, url)));
  return named
    .slice(0, isPage ? -1 : undefined)
    .slice(0, MOST_CRUMBS)
    .map(({ text }) => text);
}

function leadsTo(href: string, url: string): boolean {
  if (!URL.canParse(href, url)) return false;
  return new URL(href, url).pathname === new URL(url).pathname;
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
