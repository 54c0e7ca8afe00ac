import type { AnyNode, Element, ParentNode } from "domhandler";

export type { AnyNode, Element } from "domhandler";

/** Elements, scripts and styles: what has a tag. */
export function isElement(node: AnyNode | ParentNode | null | undefined): node is Element {
  return (
    node !== null && node !== undefined && (node.type === "tag" || node.type === "script" || node.type === "style")
  );
}

export function attribute(element: Element, name: string): string {
  return element.attribs[name] ?? "";
}

export function hasAttribute(element: Element, name: string): boolean {
  return element.attribs[name] !== undefined;
}

/** The class attribute repeats a lot within a site; it is split once for each spelling, and kept at the element, which is asked often. */
const splitClasses = new Map<string, readonly string[]>();
const MAX_REMEMBERED_CLASSES = 5000;
const NO_CLASSES: readonly string[] = [];

const CLASSES = Symbol("classes");

export function classesOf(element: Element & { [CLASSES]?: readonly string[] }): readonly string[] {
  const known = element[CLASSES];
  if (known !== undefined) return known;
  const classes = splitClassesOf(element);
  element[CLASSES] = classes;
  return classes;
}

function splitClassesOf(element: Element): readonly string[] {
  const value = element.attribs["class"];
  if (value === undefined || value === "") return NO_CLASSES;
  let classes = splitClasses.get(value);
  if (classes === undefined) {
    classes = value.split(/[ \t\n\r\f]+/).filter((name) => name !== "");
    if (splitClasses.size >= MAX_REMEMBERED_CLASSES) splitClasses.clear();
    splitClasses.set(value, classes);
  }
  return classes;
}

export function hasClass(element: Element, name: string): boolean {
  return classesOf(element).includes(name);
}

/** The parent, if it is an element. */
export function parentOf(node: AnyNode): Element | undefined {
  return isElement(node.parent) ? node.parent : undefined;
}

export function childElements(element: ParentNode): Element[] {
  return element.children.filter(isElement);
}

/** Elements below a node in the order of the page, without the node. Takes no stack, so any depth will do. */
export function* descendants(root: ParentNode): Generator<Element, undefined> {
  const stack: AnyNode[] = [];
  pushChildren(stack, root);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isElement(node)) continue;
    yield node;
    pushChildren(stack, node);
  }
}

/** How far a look into an element goes; with no bound, looking into each of many nested elements would take quadratic time. */
const MAX_LOOK = 1000;

/** The first element below a node for which `test` holds, among the first thousand or so many as are said. */
export function findElement(
  root: ParentNode,
  test: (element: Element) => boolean,
  most = MAX_LOOK,
): Element | undefined {
  let looked = 0;
  const stack: AnyNode[] = root.children.toReversed();
  for (let node = stack.pop(); node !== undefined && looked < most; node = stack.pop()) {
    if (!isElement(node)) continue;
    if (test(node)) return node;
    looked++;
    pushChildren(stack, node);
  }
  return undefined;
}

/** All text of a node as it stands in the page, but for that of scripts, styles and what `skip` leaves out. */
export function textOf(root: AnyNode, skip: (element: Element) => boolean = () => false): string {
  let text = "";
  const stack: AnyNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "text") text += node.data;
    else if (node.type === "tag" && !(node !== root && skip(node))) pushChildren(stack, node);
    else if (node.type === "root" || node.type === "cdata") pushChildren(stack, node);
  }
  return text;
}

/** The text of a node if it is at most about so long; else its start. Takes a time bounded by `maxLength`. */
export function textStart(root: AnyNode, maxLength: number): string {
  let text = "";
  let looked = 0;
  const stack: AnyNode[] = [root];
  for (let node = stack.pop(); node !== undefined && looked < MAX_LOOK; node = stack.pop(), looked++) {
    if (node.type === "text") {
      text += node.data;
      if (text.length > maxLength && text.trim().length > maxLength) break;
    } else if (node.type === "tag") pushChildren(stack, node);
  }
  return text;
}

function pushChildren(stack: AnyNode[], parent: ParentNode): void {
  for (let i = parent.children.length - 1; i >= 0; i--) {
    const child = parent.children[i];
    if (child !== undefined) stack.push(child);
  }
}
