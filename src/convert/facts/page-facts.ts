import { NO_FACTS, type DocumentFacts } from "../../domain/document.ts";
import { pageKindOf } from "../../domain/page-kind.ts";
import type { Generator } from "../generators/generator.ts";
import { metaContent, SEPARATOR, type Head } from "../metadata.ts";
import { collapse } from "../read/clean-text.ts";
import { attribute, descendants, textOf, textStart, type Element } from "../read/dom.ts";
import { SelectorSet, type ElementList } from "../read/selectors.ts";
import { breadcrumbsOf, crumbsOf, type Crumb, type TrailRule } from "./breadcrumbs.ts";
import { checkedCanonical } from "./canonical.ts";
import { dateAfterWords, isoDate } from "./dates.ts";
import { namedRelease, releaseInTitle, versionInPath, versionOf, withoutNouns, type Release } from "./release.ts";
import { structuredData } from "./structured-data.ts";

/** A page that was read, and what is known of it. */
export interface ReadPage {
  readonly html: string;
  readonly url: string;
  readonly head: Head;
  readonly list: ElementList;
  readonly generator: Generator;
  readonly title: string;
  readonly markdown: string;
  /** How many declarations it describes. */
  readonly signatures: number;
}

/** Gathers what a page says of itself besides its text: in its head, in structured data, and where its generator puts it. */
export function pageFacts(page: ReadPage): DocumentFacts {
  const { html, url, head, list, generator, title } = page;
  const { pathname } = new URL(url);
  const data = structuredData(list.elements, html);
  const crumbs = data.crumbs.length > 0 ? data.crumbs : shownCrumbs(page);
  const breadcrumbs = breadcrumbsOf(crumbs, [title, head.title, head.title.split(SEPARATOR, 1)[0] ?? ""], url);
  const { product, version } = releaseOf(page);
  return {
    breadcrumbs,
    product,
    version: version || versionInPath(pathname),
    lastModified: data.modified || modifiedOf(page),
    canonical: checkedCanonical(head.canonical, url),
    generator: generator.id,
    pageKind: pageKindOf({
      path: pathname,
      title,
      headTitle: head.title,
      breadcrumbs,
      markdown: [page.markdown],
      signatures: page.signatures,
      types: data.types,
      isMarkedReference: generator.referenceSigns?.some((sign) => html.includes(sign)) === true,
      usual: generator.pageKind,
    }),
  };
}

/** What is known of a page that is no HTML, and says no more than its text and its address. */
export function plainFacts(url: string, title: string, markdown: string): DocumentFacts {
  const { pathname } = new URL(url);
  const pageKind = pageKindOf({ path: pathname, title, markdown: [markdown] });
  return { ...NO_FACTS, version: versionInPath(pathname), pageKind };
}

/** Trails of sites of any kind. */
const TRAILS: readonly TrailRule[] = [
  "[aria-label=breadcrumb]",
  "[aria-label=breadcrumbs]",
  "[aria-label=Breadcrumb]",
  "[aria-label=Breadcrumbs]",
  ".breadcrumbs",
  ".breadcrumb",
  "#breadcrumbs",
].map((trail) => ({ trail }));

function shownCrumbs({ html, list, generator }: ReadPage): readonly Crumb[] {
  for (const rule of [...(generator.trails ?? []), ...TRAILS]) {
    const trail = firstMatch(rule.trail, html, list);
    const crumbs = trail === undefined ? [] : crumbsOf(trail, rule);
    if (crumbs.length > 0) return crumbs;
  }
  return generator.trailInHead === true ? crumbsInHead(list) : [];
}

/** The pages above, as links of the head name them: the first of all, and the one right above. */
function crumbsInHead({ elements }: ElementList): readonly Crumb[] {
  const crumbs: Crumb[] = [];
  for (const element of elements) {
    if (element.name === "body") break;
    const isAbove = element.name === "link" && /^(?:home|start|up)$/.test(attribute(element, "rel"));
    const text = isAbove ? collapse(attribute(element, "title")).trim() : "";
    if (text !== "" && text !== crumbs.at(-1)?.text) crumbs.push({ text, href: attribute(element, "href") });
  }
  return crumbs;
}

/** Product and version: where the generator shows them, else in the head, else in its title. */
function releaseOf({ html, head, list, generator }: ReadPage): Release {
  const shown = shownRelease(html, list, generator);
  const inTitle = releaseInTitle(head.title, generator.titleRelease ?? {});
  // Docusaurus says "current", and a version may be "2.1,latest".
  const named = metaContent(head, "docsearch:version", "docusaurus_version", "readthedocs-version-slug");
  const version = named
    .split(",")
    .map(versionOf)
    .find((one) => one !== "");
  return {
    product: shown.product || inTitle.product || withoutNouns(head.site),
    version: shown.version || (version ?? "") || inTitle.version,
  };
}

const LONGEST_RELEASE = 200;

function shownRelease(html: string, list: ElementList, generator: Generator): Release {
  let product = "";
  for (const { select, attribute: name, behind, isProduct } of generator.releases ?? []) {
    const element = firstMatch(select, html, list);
    if (element === undefined) continue;
    const text = collapse(name === undefined ? textStart(element, LONGEST_RELEASE) : attribute(element, name)).trim();
    if (isProduct === true) {
      product ||= text;
      continue;
    }
    const found = behind === undefined ? 0 : text.indexOf(behind);
    if (found === -1) continue;
    // A sentence goes on after it: "reflects Dart 3.11.0. Page last updated on".
    const [named = ""] = text.slice(found + (behind ?? "").length).split(/\.?(?: \(|\. |$)/);
    const release = namedRelease(named, true);
    if (release.version !== "") return { product: release.product || product, version: release.version };
  }
  return { product, version: "" };
}

const MODIFIED_METAS = [
  "article:modified_time",
  "og:updated_time",
  "last-modified",
  "dcterms.modified",
  "dc.date.modified",
  "updated_at",
  "ms.date",
];

/** Lines of sites of any kind that say when a page was last changed. */
const MODIFIED = [".last-updated", ".last-modified", "#last-updated", ".page-last-updated", ".last_updated"];

function modifiedOf({ html, head, list, generator }: ReadPage): string {
  const told = isoDate(metaContent(head, ...MODIFIED_METAS));
  if (told !== "") return told;
  for (const selector of [...(generator.modified ?? []), ...MODIFIED]) {
    const line = firstMatch(selector, html, list);
    if (line === undefined) continue;
    const time = [line, ...descendants(line)].find((element) => attribute(element, "datetime") !== "");
    const date = time === undefined ? dateAfterWords(collapse(textOf(line))) : isoDate(attribute(time, "datetime"));
    if (date !== "") return date;
  }
  return "";
}

const sets = new Map<string, { readonly set: SelectorSet; readonly sign: string }>();

/** The first element of a page that a selector matches; most pages are told to have none by their text alone. */
function firstMatch(selector: string, html: string, { elements }: ElementList): Element | undefined {
  let known = sets.get(selector);
  if (known === undefined) {
    const names = selector.match(/[\w-]+/g) ?? [];
    known = {
      set: new SelectorSet([selector]),
      // Of names that are as long, the last is the more telling: a value rather than its attribute.
      sign: names.reduce((longest, name) => (name.length >= longest.length ? name : longest), ""),
    };
    sets.set(selector, known);
  }
  const { set, sign } = known;
  return html.includes(sign) ? elements.find((element) => set.matches(element)) : undefined;
}
