import { compile } from "css-select";
import type { AnyNode, Element, ParentNode } from "domhandler";
import { attribute, classesOf, isElement } from "./dom.ts";

type Compiled = (element: Element) => boolean;

const compiled = new Map<string, Compiled>();

/** All elements of a page in its order, each with its depth: what selectors are tried on. */
export interface ElementList {
  readonly elements: readonly Element[];
  readonly depths: readonly number[];
}

/** Lists the elements below a node. */
export function listElements(root: ParentNode): ElementList {
  const elements: Element[] = [];
  const depths: number[] = [];
  const stack: { readonly children: readonly AnyNode[]; next: number }[] = [{ children: root.children, next: 0 }];
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const child = level.children[level.next++];
    if (child === undefined) stack.pop();
    else if (isElement(child)) {
      elements.push(child);
      depths.push(stack.length);
      if (child.children.length > 0) stack.push({ children: child.children, next: 0 });
    }
  }
  return { elements, depths };
}

/**
 * The elements of a page that a selector matches, in the order of the page, without those within another. A list is gone
 * through, for `selectAll` takes quadratic time on deeply nested pages.
 */
export function selectOutermost(selector: string, { elements, depths }: ElementList): Element[] {
  const simple = SIMPLE.test(selector) ? new SelectorSet([selector]) : undefined;
  const test =
    simple === undefined ? compiledSelector(selector) : (element: Element): boolean => simple.matches(element);
  const outermost: Element[] = [];
  let within = Infinity;
  for (const [i, element] of elements.entries()) {
    const depth = depths[i] ?? 0;
    if (depth > within) continue;
    within = Infinity;
    if (!test(element)) continue;
    outermost.push(element);
    within = depth;
  }
  return outermost;
}

function compiledSelector(selector: string): Compiled {
  let test = compiled.get(selector);
  if (test === undefined) {
    test = compile<AnyNode, Element>(selector);
    compiled.set(selector, test);
  }
  return test;
}

const SIMPLE = /^([a-z][\w-]*)?(?:\.([\w-]+)|#([\w-]+)|\[([\w-]+)\])?$/i;

/**
 * A set of selectors that is asked of every element of a page: those of one tag, class, id or attribute, nearly all of them,
 * are looked up in a table, and the others are tried one by one.
 */
export class SelectorSet {
  private readonly tags = new Set<string>();
  /** Class → the tag that must have it; "" for any. */
  private readonly classes = new Map<string, string[]>();
  private readonly ids = new Set<string>();
  private readonly attributes: { readonly name: string; readonly tag: string }[] = [];
  private readonly others: Compiled[] = [];

  constructor(selectors: Iterable<string>) {
    for (const selector of selectors) {
      const [whole, tag = "", className, id, attributeName] = SIMPLE.exec(selector) ?? [];
      if (whole === undefined || whole === "" || (id !== undefined && tag !== ""))
        this.others.push(compiledSelector(selector));
      else if (className !== undefined) {
        const tags = this.classes.get(className);
        if (tags === undefined) this.classes.set(className, [tag.toLowerCase()]);
        else tags.push(tag.toLowerCase());
      } else if (id !== undefined) this.ids.add(id);
      else if (attributeName !== undefined) this.attributes.push({ name: attributeName, tag: tag.toLowerCase() });
      else this.tags.add(tag.toLowerCase());
    }
  }

  matches(element: Element): boolean {
    if (this.tags.has(element.name)) return true;
    for (const name of classesOf(element)) {
      const tags = this.classes.get(name);
      if (tags !== undefined && tags.some((tag) => tag === "" || tag === element.name)) return true;
    }
    if (this.ids.size > 0 && this.ids.has(attribute(element, "id"))) return true;
    for (const { name, tag } of this.attributes) {
      if (element.attribs[name] !== undefined && (tag === "" || tag === element.name)) return true;
    }
    for (const test of this.others) if (test(element)) return true;
    return false;
  }
}
