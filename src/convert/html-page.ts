import { parseDocument } from "htmlparser2";
import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { contentRoot, generatorOf, generatorOfPiece, titleOutside } from "./content-root.ts";
import type { Generator } from "./generators/generator.ts";
import { DROPPED_EVERYWHERE } from "./generators/generators.ts";
import { pageFacts } from "./facts/page-facts.ts";
import { firstSentence, isAboutPage, pageTitle, readHead } from "./metadata.ts";
import { isInCell } from "./markdown/turndown-rules.ts";
import { render } from "./markdown/render.ts";
import { cutChunks } from "./chunk/cut-chunks.ts";
import { collapse } from "./read/clean-text.ts";
import { textOf, type Element } from "./read/dom.ts";
import { isPermalink } from "./read/heading.ts";
import { isSilent } from "./read/hidden.ts";
import { linkResolver, type LinkResolver } from "./read/links.ts";
import type { ReadOptions } from "./read/page-reader.ts";
import { readParts } from "./read/read-element.ts";
import { listElements, SelectorSet } from "./read/selectors.ts";
import { siteRules } from "./read/site-rules.ts";
import type { PageTrace } from "./page-trace.ts";
import { MarkdownNode } from "./tree/markdown-node.ts";

type PageInput = Pick<ConversionInput, "url" | "options" | "aliases">;

/** Converts the HTML of a page. @param trace is told how. */
export function convertHtml(html: string, input: PageInput, trace?: PageTrace): Conversion {
  const tree = parseDocument(html);
  const head = readHead(tree);
  const generator = generatorOf(head.metas, html, input.options.preset);
  const { pathname } = new URL(input.url);
  const skipped = generator.skip?.find((rule) => rule.path.test(pathname) && html.includes(rule.html ?? ""));
  if (skipped !== undefined && !(skipped.isIndex === true && input.options.keepIndexPages === true)) {
    const { what, isIndex = false } = skipped;
    return { kind: "skipped", reason: `it is ${what}`, isIndex };
  }
  const list = listElements(tree);
  const root = contentRoot(tree, list, generator, input.options);
  const outside = titleOutside(list, generator);
  const links = linkResolver(baseOf(input.url, head.base), input.aliases);
  const drop = [...DROPPED_EVERYWHERE, ...(generator.drop ?? []), ...input.options.remove];
  const read = (selectors: readonly string[]): MarkdownNode => {
    trace?.begin(root, input.options);
    const options = readOptions(html, generator, selectors, links);
    const { keep = [], rules = [] } = input.options;
    return readParts(root.parts, {
      ...options,
      rules: rules.length === 0 ? undefined : siteRules(rules),
      onRule: trace === undefined ? undefined : (element, rule) => trace.use(element, rule),
      keep: keep.length === 0 ? undefined : selectorSet(keep),
      onDrop: trace === undefined ? undefined : (element) => trace.drop(element),
    });
  };
  let content = read([...drop, ...(generator.contents ?? [])]);
  // The first page of a chapter may be its table of contents and nothing else.
  if (!hasText(content)) content = read(drop);
  const title = takeTitle(
    content,
    head.title,
    outside === undefined ? "" : headingText(outside, new SelectorSet(drop)),
  );
  dropOuterRules(content);
  shiftHeadings(content);
  const markdown = render(content);
  if (head.refreshTo !== "" && markdown.length < MAX_STUB_CHARACTERS) {
    return { kind: "skipped", reason: `it only leads on to ${baseOf(input.url, head.refreshTo)}` };
  }
  if (markdown === "") {
    return { kind: "failed", reason: "it has no text in its main content; is it built by a script in the browser?" };
  }
  const isOwn = generator.ignoreDescription !== true && isAboutPage(head.description, `${title} ${markdown}`);
  const isTitle = [title, head.title].some((text) => comparable(text) === comparable(head.description));
  const described = isOwn && !isTitle ? head.description : "";
  const named =
    (comparable(head.title) === comparable(title) ? head.title : pageTitle(head.title, title, head.site)) ||
    lastSegment(input.url);
  const signatures = content.childNodes.filter((node) => node.getAttribute("signature") !== null).length;
  return {
    kind: "document",
    title: named,
    description: described || firstSentence(firstParagraph(content)),
    language: head.language,
    ...pageFacts({ html, url: input.url, head, list, generator, title: named, markdown, signatures }),
    content: markdown,
    chunks: cutChunks(content),
  };
}

/** A page that sends its readers elsewhere says so in a sentence or two. */
const MAX_STUB_CHARACTERS = 500;

/**
 * Converts a piece of HTML, such as a body without head, to Markdown, with its title where it stands.
 * @param base What relative links are resolved against; undefined leaves them as they are.
 */
export function convertFragment(html: string, base?: string): string {
  const tree = parseDocument(html);
  const { metas } = readHead(tree);
  const generator = generatorOfPiece(metas, html, listElements(tree));
  const options = readOptions(
    html,
    generator,
    [...DROPPED_EVERYWHERE, ...(generator.drop ?? [])],
    linkResolver(base, []),
  );
  return render(readParts([tree], options));
}

const selectorSets = new Map<string, SelectorSet>();

/** The set of these selectors, which is made once. */
function selectorSet(selectors: readonly string[]): SelectorSet {
  const key = selectors.join("\n");
  let set = selectorSets.get(key);
  if (set === undefined) {
    set = new SelectorSet(selectors);
    selectorSets.set(key, set);
  }
  return set;
}

function readOptions(
  html: string,
  generator: Generator,
  selectors: readonly string[],
  links: LinkResolver,
): ReadOptions {
  const { codeBlocks, codeLines, blocks, layoutLists, gridTable } = generator;
  return {
    html,
    drop: selectorSet(selectors),
    links,
    codeBlocks: new Set(codeBlocks),
    codeLines: new Set(codeLines),
    blocks: new Set(blocks),
    layoutLists: new Set(layoutLists),
    gridTable,
  };
}

function hasText(content: MarkdownNode): boolean {
  return content.childNodes.some((node) => !HEADING.test(node.nodeName) && node.nodeName !== "HR");
}

function baseOf(url: string, base: string): string {
  if (base === "") return url;
  try {
    return new URL(base, url).href;
  } catch {
    return url;
  }
}

const HEADING = /^H[1-6]$/;

/**
 * Takes the page's title out of its content, for a document carries it beside: the first `h1`, or the first heading of all when
 * it is the title in the head, as DocBook's is. Returns its text; "" when the content has none.
 */
function takeTitle(content: MarkdownNode, headTitle: string, outside: string): string {
  const headings = content.childNodes.filter((node) => HEADING.test(node.nodeName));
  const tops = headings.filter((node) => node.nodeName === "H1");
  const isTitle = (node: MarkdownNode | undefined): boolean =>
    node !== undefined &&
    (sameTitle(node.textContent, outside) || (outside === "" && sameTitle(node.textContent, headTitle)));
  const [first] = headings;
  // Of several `h1` the first need not be the title: they may be the chapters.
  const title =
    tops.length === 1 && outside === "" ? tops[0] : isTitle(tops[0]) ? tops[0] : isTitle(first) ? first : undefined;
  if (title === undefined) return outside;
  content.childNodes.splice(content.childNodes.indexOf(title), 1);
  content.titleAnchor = title.getAttribute("id") ?? "";
  content.titleAnchors = [...new Set([content.titleAnchor, ...title.anchors])].filter((id) => id !== "");
  return title.textContent.trim();
}

/** Whether a heading is the title, which in the head may be followed by the site's name, and may be without its number. */
function sameTitle(heading: string, title: string): boolean {
  const other = comparable(title);
  return [heading, heading.replace(SECTION_NUMBER, "")].some((text) => {
    const one = comparable(text);
    return one !== "" && other !== "" && (other.startsWith(one) || one.startsWith(other));
  });
}

const SECTION_NUMBER = /^(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.? (?=\S)/;

/** Rules between the text and what is around it part nothing any more. */
function dropOuterRules({ childNodes }: MarkdownNode): void {
  while (childNodes[0]?.nodeName === "HR") childNodes.shift();
  while (childNodes.at(-1)?.nodeName === "HR") childNodes.pop();
}

function comparable(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Sections begin at the second level, wherever the page begins them. */
function shiftHeadings(content: MarkdownNode): void {
  let least = 7;
  for (const node of content.childNodes)
    if (HEADING.test(node.nodeName)) least = Math.min(least, Number(node.nodeName[1]));
  const shift = 2 - least;
  if (shift === 0 || least === 7) return;
  for (const [i, node] of content.childNodes.entries()) {
    if (!HEADING.test(node.nodeName)) continue;
    const level = Math.min(6, Number(node.nodeName[1]) + shift);
    const shifted = new MarkdownNode(`H${level}`, node.attributes);
    for (const child of node.childNodes) shifted.append(child);
    shifted.parentNode = content;
    shifted.signatures = node.signatures;
    shifted.anchors = node.anchors;
    content.childNodes[i] = shifted;
  }
}

const LEAST_DESCRIPTION_CHARACTERS = 15;

/** The first paragraph that is a sentence, and no label, date or signature. */
function firstParagraph(content: MarkdownNode): string {
  for (const node of content.childNodes) {
    if (node.nodeName !== "P" || node.getAttribute("signature") !== null || isInCell(node)) continue;
    if (node.getAttribute("aside") !== null || isLabel(node)) continue;
    const text = collapse(node.textContent).trim();
    if (text.length >= LEAST_DESCRIPTION_CHARACTERS && /[.!?:)”。！？]$/u.test(text)) return text;
  }
  return "";
}

/** A line in bold stands above what it names. */
function isLabel({ childNodes }: MarkdownNode): boolean {
  return childNodes.length === 1 && childNodes[0]?.nodeName === "STRONG";
}

/** The text of a title that stands outside of the content, without what sites put into it. */
function headingText(element: Element, drop: SelectorSet): string {
  const isNoTitle = (inner: Element): boolean =>
    (inner.name === "a" && isPermalink(inner, true)) || isSilent(inner) || drop.matches(inner);
  return collapse(textOf(element, isNoTitle)).trim();
}

function lastSegment(url: string): string {
  const { pathname, host } = new URL(url);
  return decodeURIComponentSafely(pathname.split("/").findLast((segment) => segment !== "") ?? host);
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
