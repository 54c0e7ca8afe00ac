/**
 * A node of the clean tree: what a page says, in the few elements that Markdown has. It has those fields of a DOM node that
 * Turndown's rules read, so that they can be driven over it without a DOM.
 */
export class MarkdownNode {
  readonly nodeType: 1 | 3;
  /** Upper case, as in a DOM; `#text` for a text. */
  readonly nodeName: string;
  nodeValue: string;
  parentNode: MarkdownNode | undefined;
  readonly childNodes: MarkdownNode[] = [];
  readonly attributes: Readonly<Record<string, string>>;
  /** Turndown asks it of every node; the builder leaves no blank node. */
  readonly isBlank = false;
  /** The Markdown of the node, once it is rendered: tables and long blocks are put together from their parts. */
  markdown = "";
  /** API signatures around a block at the top of the document, outermost first. */
  signatures: readonly Signature[] = NO_SIGNATURES;
  /** Of a block at the top of the document: the label of the tab that it is in, and whether it is that label. */
  tab = "";
  isTabLabel = false;
  /** Ids of the page that lead to this block. */
  anchors: readonly string[] = NO_ANCHORS;
  /** Of the root: the anchor of the title, and all ids that lead to it, once it is taken out. */
  titleAnchor = "";
  titleAnchors: readonly string[] = NO_ANCHORS;

  constructor(nodeName: string, attributes: Readonly<Record<string, string>> = NO_ATTRIBUTES, text = "") {
    this.nodeType = nodeName === "#text" ? 3 : 1;
    this.nodeName = nodeName;
    this.nodeValue = text;
    this.attributes = attributes;
  }

  get isBlock(): boolean {
    return BLOCKS.has(this.nodeName);
  }

  get isCode(): boolean {
    return this.nodeName === "CODE";
  }

  get lastChild(): MarkdownNode | undefined {
    return this.childNodes.at(-1);
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }

  append(child: MarkdownNode): void {
    child.parentNode = this;
    this.childNodes.push(child);
  }

  /** The text of a subtree, as a reader sees it. The builder bounds the depth of its trees, so this may recurse. */
  get textContent(): string {
    if (this.childNodes.length === 0) return this.nodeName === "BR" ? " " : this.nodeValue;
    let text = "";
    for (const child of this.childNodes) text += child.textContent;
    return text;
  }
}

/** The name of a documented object, such as `os.open`, with the anchor of its entry. */
export interface Signature {
  readonly name: string;
  readonly anchor: string;
}

const NO_ATTRIBUTES: Readonly<Record<string, string>> = Object.freeze({});
const NO_SIGNATURES: readonly Signature[] = Object.freeze([]);
const NO_ANCHORS: readonly string[] = Object.freeze([]);

/** Elements of the clean tree that stand on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set([
  "BODY",
  "P",
  "H1",
  "H2",
  "H3",
  "H4",
  "H5",
  "H6",
  "PRE",
  "BLOCKQUOTE",
  "UL",
  "OL",
  "LI",
  "TABLE",
  "TR",
  "TH",
  "TD",
  "HR",
  "X-MATH-BLOCK",
  "X-FOOTNOTE",
]);
