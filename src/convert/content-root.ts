import type { Document as Tree } from "domhandler";
import type { ConvertOptions, Preset } from "../domain/source.ts";
import type { Generator } from "./generators/generator.ts";
import { GENERATORS, GENERIC } from "./generators/generators.ts";
import { attribute, isElement, type AnyNode, type Element } from "./read/dom.ts";
import { isSilent } from "./read/hidden.ts";
import { selectOutermost, SelectorSet, type ElementList } from "./read/selectors.ts";

/** The parts of a page that are its text, and how they were found. */
export interface ContentRoot {
  readonly generator: Generator;
  readonly parts: readonly Element[];
  /** The rule that chose them, for people: `sphinx div.body`. */
  readonly rule: string;
}

/** The main content must hold this much of the text of the body, or it is a part only, and what is around it is tried. */
const LEAST_SHARE = 0.3;

/**
 * The generator of a page: the one that its pipeline names, else by its `<meta name=generator>` (a page may have several), then
 * by its markup.
 * @param metas The elements `meta` of the page.
 */
export function generatorOf(metas: readonly Element[], html: string, preset?: Preset): Generator {
  if (preset !== undefined) return GENERATORS.find(({ id }) => id === preset) ?? GENERIC;
  for (const meta of metas) {
    if (attribute(meta, "name").toLowerCase() !== "generator") continue;
    const content = attribute(meta, "content").trim().toLowerCase();
    const found = GENERATORS.find((generator) => generator.detect.meta?.some((prefix) => content.startsWith(prefix)));
    if (found !== undefined) return found;
  }
  return GENERATORS.find((generator) => generator.detect.html?.some((sign) => html.includes(sign))) ?? GENERIC;
}

const partSets = new Map<Generator, SelectorSet>();

/** The generator of a piece of a page, which may have neither head nor root: by what is in it, when nothing else tells. */
export function generatorOfPiece(metas: readonly Element[], html: string, { elements }: ElementList): Generator {
  const told = generatorOf(metas, html);
  if (told !== GENERIC) return told;
  for (const generator of GENERATORS) {
    const { parts } = generator.detect;
    if (parts === undefined) continue;
    const set = partSets.get(generator) ?? new SelectorSet(parts);
    partSets.set(generator, set);
    if (elements.some((element) => set.matches(element))) return generator;
  }
  return GENERIC;
}

/**
 * Finds the main content: what the pipeline says, else where the generator puts it, else where most sites do. Whatever was
 * found must hold a fair share of the body's words, and all of its code, else what is around it is taken, up to the body.
 */
export function contentRoot(tree: Tree, list: ElementList, generator: Generator, options: ConvertOptions): ContentRoot {
  const body = list.elements.find((element) => element.name === "body") ?? wholePage(tree);
  if (options.content !== undefined) {
    const parts = selectOutermost(options.content, list);
    if (parts.length > 0) return { generator, parts, rule: `pipeline ${options.content}` };
  }
  for (const { id, content } of generator === GENERIC ? [GENERIC] : [generator, GENERIC]) {
    for (const selector of content) {
      const parts = selector === "body" ? [body] : selectOutermost(selector, list);
      if (parts.length === 0 || (id === "generic" && parts.length > 1)) continue;
      const rule = `${id} ${selector}`;
      if (holdsEnough(parts, body)) return { generator, parts, rule };
      const climbed = climb(parts, body);
      if (climbed !== undefined) return { generator, parts: [climbed], rule: `${rule}, widened` };
    }
  }
  return { generator, parts: [body], rule: "body" };
}

/** A page without a body, such as a fragment. */
function wholePage(tree: Tree): Element {
  const html = tree.children.find((node): node is Element => isElement(node) && node.name === "html");
  return html ?? (tree as unknown as Element);
}

interface Measure {
  readonly characters: number;
  readonly blocks: number;
}

/** How much text, and how much code, is in parts of a page, without what is never text, and without some parts. */
function measure(parts: readonly Element[], without?: ReadonlySet<Element>): Measure {
  let characters = 0;
  let blocks = 0;
  const stack: AnyNode[] = [...parts];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "text") characters += node.data.trim().length;
    else if (isElement(node) && node.type === "tag") {
      if (without?.has(node) === true) continue;
      if (isSilent(node) || node.name === "footer" || node.name === "aside" || AROUND.test(attribute(node, "class")))
        continue;
      if (node.name === "pre") blocks++;
      for (const child of node.children) stack.push(child);
    } else if (node.type === "root") for (const child of node.children) stack.push(child);
  }
  return { characters, blocks };
}

const AROUND = /sidebar|navbar|menu|breadcrumb/i;

function holdsEnough(parts: readonly Element[], body: Element): boolean {
  const held = measure(parts);
  const outside = measure([body], new Set(parts));
  return (
    held.characters >= (held.characters + outside.characters) * LEAST_SHARE &&
    held.blocks >= (held.blocks + outside.blocks) * 0.9
  );
}

function climb(parts: readonly Element[], body: Element): Element | undefined {
  let element = parts[0]?.parent;
  for (let level = 0; level < MAX_CLIMB && isElement(element) && element !== body; level++) {
    if (holdsEnough([element], body)) return element;
    element = element.parent;
  }
  return undefined;
}

const MAX_CLIMB = 4;

/** The title element of a page whose title stands outside of its content. */
export function titleOutside(list: ElementList, generator: Generator): Element | undefined {
  for (const selector of generator.title ?? []) {
    const [found] = selectOutermost(selector, list);
    if (found !== undefined) return found;
  }
  return undefined;
}
