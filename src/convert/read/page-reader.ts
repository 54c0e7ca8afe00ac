import type { ParentNode } from "domhandler";
import type { ConvertRule } from "../../domain/convert-rule.ts";
import { MarkdownNode, type Signature } from "../tree/markdown-node.ts";
import { TreeBuilder } from "../tree/tree-builder.ts";
import { classesOf, type AnyNode, type Element } from "./dom.ts";
import { boilerplateTest, type BoilerplateTest } from "./boilerplate.ts";
import { collapse } from "./clean-text.ts";
import { findFootnotes, type Footnotes } from "./footnotes.ts";
import { isHidden } from "./hidden.ts";
import type { LinkResolver } from "./links.ts";
import type { SelectorSet } from "./selectors.ts";
import type { SiteRule } from "./site-rules.ts";
import { findTabs, type Tabs } from "./tabs.ts";

/** A formula in a text, of at most two thousand characters, so that one that is not closed costs no more. */
const BARE_TEX =
  /\\\(([^\\]{0,2000}(?:\\[^)\\][^\\]{0,2000}){0,200})\\\)|\\\[([^\\]{0,2000}(?:\\[^\]\\][^\\]{0,2000}){0,200})\\\]/g;

/** What a page is read with. */
export interface ReadOptions {
  readonly links: LinkResolver;
  /** Elements that are no part of the text. */
  readonly drop: SelectorSet;
  /** Elements that are not dropped, whatever else says so. */
  readonly keep?: SelectorSet | undefined;
  /** What elements mean by the rules of their site. */
  readonly rules?: readonly SiteRule[] | undefined;
  /** Told of each element that such a rule was used on. */
  readonly onRule?: ((element: Element, rule: ConvertRule) => void) | undefined;
  /** Told of each element that is dropped, for those who want to know. */
  readonly onDrop?: ((element: Element) => void) | undefined;
  /** The page's HTML, by which rare things are ruled out before they are looked for. */
  readonly html: string;
  /** Classes of elements that are code blocks, though they are no `pre`. */
  readonly codeBlocks: ReadonlySet<string>;
  /** Classes of elements that are one line of code, such as a declaration. */
  readonly codeLines: ReadonlySet<string>;
  /** Classes of inline elements that stand on lines of their own. */
  readonly blocks: ReadonlySet<string>;
  /** Classes of lists that are there for the layout. */
  readonly layoutLists: ReadonlySet<string>;
  /** Tables made of boxes: the class of the table, and those of the first cell of a row. */
  readonly gridTable: { readonly table: string; readonly firstCell: readonly string[] } | undefined;
}

/** A node still to be read, or what is to be done when those before it have been. */
export type Task = AnyNode | (() => void);

/** A definition list that is open: objects of an API, or terms. */
export interface OpenDefinitions {
  readonly objects: boolean;
  /** The API entries that the list is in. */
  readonly outer: readonly Signature[];
  item: MarkdownNode | undefined;
  last: "term" | "definition" | undefined;
}

/**
 * Walks the parts of a page in its order and tells the builder what is there. The walk keeps its own stack, so that no page is
 * too deep, and goes over each node once; what an element means is said by `readElement` and the files it asks.
 */
export class PageReader {
  readonly builder = new TreeBuilder();
  readonly options: ReadOptions;
  readonly tabs: Tabs;
  readonly footnotes: Footnotes;
  readonly hasFormulas: boolean;
  /** Whether formulas stand in the text as TeX, for a script to typeset. */
  readonly hasBareTex: boolean;
  readonly isBoilerplate: BoilerplateTest;
  /** Elements that were read out of order, and are passed over where they stand. */
  readonly done = new Set<Element>();
  /** Labels of panels, by the rules of their site. */
  readonly panels = new Map<Element, string>();
  readonly definitions: OpenDefinitions[] = [];
  /** For each open table, whether it is there for the layout only. */
  readonly layoutTables: boolean[] = [];
  /** Lists that only lay sections out. */
  readonly layoutLists = new Set<Element>();
  /** How many headings, terms or captions are open: links to the place itself are dropped in them. */
  headings = 0;
  quotes = 0;
  private readonly stack: Task[] = [];
  private readonly readElement: (reader: PageReader, element: Element) => void;

  constructor(
    roots: readonly ParentNode[],
    options: ReadOptions,
    readElement: (reader: PageReader, element: Element) => void,
  ) {
    this.options = options;
    this.readElement = readElement;
    this.tabs = findTabs(roots, options.html);
    this.footnotes = findFootnotes(roots, options.html);
    this.isBoilerplate = boilerplateTest(options.html);
    this.hasFormulas = /katex|math|mjx|arithmatex|formulaDsp|formulaInl|stemblock/i.test(options.html);
    this.hasBareTex = /mathjax/i.test(options.html) && (options.html.includes("\\(") || options.html.includes("\\["));
  }

  /** Whether an element in code is none of it: it is hidden, or dropped by its site. What colours code has words for classes. */
  readonly isDroppedInCode = (element: Element): boolean => {
    const { drop, keep } = this.options;
    if (keep?.matches(element) === true) return false;
    if (isHidden(element)) return true;
    const isToken = classesOf(element).some((name) => name === "token" || name.startsWith("hljs-"));
    return !isToken && drop.matches(element);
  };

  /** Puts tasks before all that are waiting, the first to be done first. */
  doNext(...tasks: readonly Task[]): void {
    for (let i = tasks.length - 1; i >= 0; i--) {
      const task = tasks[i];
      if (task !== undefined) this.stack.push(task);
    }
  }

  /** Reads what is in a node, then does `after`. */
  readChildren(parent: ParentNode, after?: () => void): void {
    if (after !== undefined) this.stack.push(after);
    const { children } = parent;
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) this.stack.push(child);
    }
  }

  read(roots: readonly ParentNode[]): MarkdownNode {
    for (const root of roots) {
      this.builder.breakBlock();
      this.readChildren(root);
      this.run();
    }
    return this.builder.finish();
  }

  private readText(data: string): void {
    if (!this.hasBareTex || !data.includes("\\")) {
      this.builder.text(data);
      return;
    }
    let read = 0;
    for (const match of data.matchAll(BARE_TEX)) {
      this.builder.text(data.slice(read, match.index));
      this.builder.addInline(new MarkdownNode("X-MATH", undefined, collapse(match[1] ?? match[2] ?? "").trim()));
      read = match.index + match[0].length;
    }
    this.builder.text(data.slice(read));
  }

  private run(): void {
    for (let task = this.stack.pop(); task !== undefined; task = this.stack.pop()) {
      if (typeof task === "function") task();
      else if (task.type === "text") this.readText(task.data);
      else if (task.type === "cdata" || task.type === "root") this.readChildren(task);
      else if (task.type === "tag" || task.type === "script" || task.type === "style") this.readElement(this, task);
    }
  }
}
