import { attribute, childElements, descendants, hasClass, isElement, textOf, type Element } from "./dom.ts";
import { collapse } from "./clean-text.ts";
import type { ParentNode } from "domhandler";

/** The tabs of a page: what is written above each panel, and which elements are only the labels, and are not read. */
export interface Tabs {
  readonly labelOf: ReadonlyMap<Element, string>;
  readonly labels: ReadonlySet<Element>;
}

const NO_TABS: Tabs = { labelOf: new Map(), labels: new Set() };

/** What the HTML of every page with tabs has in it; most pages have none, and are spared the walk. */
const SIGNS = [
  'role="tab',
  "role=tab",
  "tabbed-set",
  "tabpanel",
  "nav-tabs",
  "devsite-selector",
  "ds-selector-tabs",
  "vp-code-group",
  "tab-set",
  "<tabitem",
  "<TabItem",
  "<tab ",
  "<Tab ",
  "-tab ",
  "tabcontent",
  'type="radio"',
  "type=radio",
];

interface TabList {
  readonly element: Element;
  readonly tabs: readonly Element[];
  /** How many panels were met. */
  panels: number;
}

/** Finds the tabs below `roots`, in the ways of the generators and in that of ARIA. */
export function findTabs(roots: readonly ParentNode[], html: string): Tabs {
  if (!SIGNS.some((sign) => html.includes(sign))) return NO_TABS;
  const labelOf = new Map<Element, string>();
  const labels = new Set<Element>();
  const pair = (panel: Element, label: Element): void => {
    const text = labelText(label);
    if (text === "" || labelOf.has(panel)) return;
    labelOf.set(panel, text);
    labels.add(label);
  };

  const lists: TabList[] = [];
  // Panels follow their list; tabs within a panel have their own, and when it is used up the outer one goes on.
  const unfinished: TabList[] = [];
  const panels: { readonly panel: Element; readonly tab: Element | undefined }[] = [];
  const tabById = new Map<string, Element>();
  const tabByPanel = new Map<string, Element | undefined>();
  for (const root of roots) {
    for (const element of descendants(root)) {
      switch (roleOf(element)) {
        case "tablist": {
          const list = { element, tabs: tabsIn(element), panels: 0 };
          lists.push(list);
          unfinished.push(list);
          break;
        }
        case "tab": {
          const controls = panelOf(element);
          tabById.set(attribute(element, "id"), element);
          // Tabs that share a panel are a filter of it, and none is its label.
          if (controls !== "") tabByPanel.set(controls, tabByPanel.has(controls) ? undefined : element);
          break;
        }
        case "tabpanel": {
          while (unfinished.length > 0 && isUsedUp(unfinished.at(-1))) unfinished.pop();
          const list = unfinished.at(-1);
          panels.push({ panel: element, tab: list?.tabs[list.panels] });
          if (list !== undefined) list.panels++;
          break;
        }
        default:
          pairByGenerator(element, pair, (list) => labels.add(list));
      }
    }
  }
  for (const { panel, tab } of panels) {
    const id = attribute(panel, "id");
    if (tabByPanel.has(id) && tabByPanel.get(id) === undefined) continue;
    const label = tabById.get(attribute(panel, "aria-labelledby") || "-") ?? tabByPanel.get(id) ?? tab;
    if (label !== undefined) pair(panel, label);
  }
  for (const { element, tabs } of lists) if (tabs.some((tab) => labels.has(tab))) labels.add(element);
  return { labelOf, labels };
}

/** What an element is of tabs: as ARIA says, or by the classes of AsciiDoctor's tabs and of Bootstrap's. */
function roleOf(element: Element): string {
  const role = attribute(element, "role");
  if (role !== "") return role === "presentation" ? "" : role;
  if (hasClass(element, "nav-tabs") || (hasClass(element, "tablist") && element.name === "div")) return "tablist";
  if (hasClass(element, "tabpanel") || hasClass(element, "tab-pane") || hasClass(element, "tabcontent"))
    return "tabpanel";
  const isTab =
    (element.name === "li" && hasClass(element, "tab")) ||
    hasClass(element, "tablinks") ||
    TOGGLES.some((name) => attribute(element, name) === "tab" || attribute(element, name) === "pill");
  return isTab ? "tab" : "";
}

const TOGGLES = ["data-toggle", "data-bs-toggle"];

/** The id of the panel that a tab opens; "" when it does not say. */
function panelOf(tab: Element): string {
  for (const name of ["aria-controls", "data-bs-target", "data-target", "href"]) {
    const id = attribute(tab, name).replace(/^#/, "");
    if (id !== "") return id;
  }
  // `openTab(event, 'panel')`: a tab of a script of the page's own.
  return /'([\w-]+)'\)?;?\s*$/.exec(attribute(tab, "onclick"))?.[1] ?? "";
}

function isUsedUp(list: TabList | undefined): boolean {
  return list === undefined || list.panels >= list.tabs.length;
}

function tabsIn(list: Element): Element[] {
  const tabs: Element[] = [];
  for (const inner of descendants(list)) if (roleOf(inner) === "tab") tabs.push(inner);
  return tabs;
}

/** Tabs without ARIA: the label is found by its place. */
function pairByGenerator(
  element: Element,
  pair: (panel: Element, label: Element) => void,
  hide: (labels: Element) => void,
): void {
  if (element.name === "devsite-selector" || hasClass(element, "ds-selector-tabs")) {
    const list = childElements(element).find((child) => child.name === "devsite-tabs");
    const tabs = list === undefined ? [] : tabsIn(list);
    const sections = childElements(element).filter((child) => child.name === "section");
    for (const [i, section] of sections.entries()) {
      const label = childElements(section).find((child) => /^h[1-6]$/.test(child.name)) ?? tabs[i];
      if (label !== undefined) pair(section, label);
    }
    if (list !== undefined && sections.length > 0) hide(list);
  } else if (hasClass(element, "tabbed-set") || hasClass(element, "sd-tab-set") || hasClass(element, "tab-set")) {
    const children = childElements(element);
    const labels = children.find((child) => hasClass(child, "tabbed-labels"));
    const panels = children.find((child) => hasClass(child, "tabbed-content"));
    if (labels !== undefined && panels !== undefined) pairInOrder(labels, panels, pair);
    else pairSequence(children, pair);
  } else if (hasClass(element, "vp-code-group")) {
    const children = childElements(element);
    const labels = children.find((child) => hasClass(child, "tabs"));
    const panels = children.find((child) => hasClass(child, "blocks"));
    if (labels !== undefined && panels !== undefined) pairInOrder(labels, panels, pair);
  } else if (element.name === "div" && isRadioTabs(childElements(element))) pairSequence(childElements(element), pair);
}

/** Whether elements are two or more round buttons of a form, each with its label and a panel. */
function isRadioTabs(children: readonly Element[]): boolean {
  const starts = children.filter(
    (child, i) =>
      child.name === "input" &&
      attribute(child, "type") === "radio" &&
      children[i + 1]?.name === "label" &&
      children[i + 2]?.name === "div",
  );
  return starts.length >= 2;
}

function pairInOrder(labels: Element, panels: Element, pair: (panel: Element, label: Element) => void): void {
  const inOrder = childElements(panels);
  for (const [index, label] of childElements(labels)
    .filter((child) => child.name === "label")
    .entries()) {
    const panel = inOrder[index];
    if (panel !== undefined) pair(panel, label);
  }
}

/** `input`, `label`, panel, and so on. */
function pairSequence(children: readonly Element[], pair: (panel: Element, label: Element) => void): void {
  let label: Element | undefined;
  for (const child of children) {
    if (child.name === "label") label = child;
    else if (child.name === "div" && label !== undefined) {
      pair(child, label);
      label = undefined;
    }
  }
}

function labelText(label: Element): string {
  return collapse(textOf(label, (inner) => inner.name === "svg")).trim();
}

/** The label that a tab of MDX says in an attribute. */
export function attributeLabel(element: Element): string {
  if (!/^(?:[a-z]+-)?tab(?:-?item)?$/.test(element.name)) return "";
  return attribute(element, "label") || attribute(element, "title") || attribute(element, "value");
}

/** Whether a node is an element that only holds the labels of tabs. */
export function isTabLabel(tabs: Tabs, node: Element): boolean {
  if (tabs.labels.has(node)) return true;
  return hasClass(node, "tabbed-labels") && isElement(node.parent) && hasClass(node.parent, "tabbed-set");
}
