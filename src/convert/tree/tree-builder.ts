import { collapse } from "../read/clean-text.ts";
import { ContainerStack, removeLast } from "./container-stack.ts";
import { MarkdownNode } from "./markdown-node.ts";

type Attributes = Readonly<Record<string, string>>;

/** An inline element that is open in the page; it gets a node when there is something to put in it. */
interface Format {
  readonly name: string;
  readonly attributes: Attributes;
  node: MarkdownNode | undefined;
  /** A link that has been given in an earlier block is not given again. */
  spent: boolean;
}

/**
 * Builds the clean tree from what is met in the page, in the order of the page. It holds the rules of Markdown's structure,
 * so that nothing after it need care: blocks hold blocks or text and never both; no element is empty; whitespace is
 * collapsed, never at the edge of a block, and never just inside `**` or a link; formats that span blocks are closed and
 * opened again in each.
 */
export class TreeBuilder {
  /** Where blocks go; it also knows the API entry and the tab that they are in. */
  readonly containers = new ContainerStack();
  private readonly formats: Format[] = [];
  private textBlock: MarkdownNode | undefined;
  private space = false;
  private breaks = 0;
  private runInText: string | undefined;
  private flatDepth = 0;

  // Blocks --------------------------------------------------------------------------------------------------------------

  /** Ends the line of text, as the edge of a block does. Within a heading or a link it parts words and no more. */
  breakBlock(): void {
    if (this.flatDepth > 0 || this.linked) this.space = true;
    else if (this.runInText === undefined) this.endText();
  }

  /** Opens a paragraph or heading. Returns undefined where blocks are laid flat. */
  openText(name: string, attributes?: Attributes): MarkdownNode | undefined {
    if (this.flatDepth > 0 || (name === "P" && this.linked)) {
      this.space = true;
      return undefined;
    }
    if (this.runInText !== undefined) {
      if (name === "P" && this.textBlock !== undefined) return undefined;
      this.endRunIn();
    }
    this.endText();
    this.startText(new MarkdownNode(name, attributes));
    return this.textBlock;
  }

  /** Closes what `openText` returned. */
  closeText(block: MarkdownNode | undefined): void {
    if (block === undefined) this.breakBlock();
    else this.endText();
  }

  /** A block without inner blocks: code, a rule, a displayed formula. */
  addBlock(block: MarkdownNode): void {
    if (this.flatDepth > 0) {
      if (block.nodeName !== "HR") this.addInline(new MarkdownNode("CODE", undefined, block.nodeValue));
      return;
    }
    this.endRunIn();
    this.endText();
    this.containers.place(block);
  }

  /** Opens a quote, list, item, table, row, cell or footnote. Returns undefined where it is too deep, and is laid flat. */
  openContainer(name: string, attributes?: Attributes): MarkdownNode | undefined {
    if (this.flatDepth > 0) {
      this.space = true;
      return undefined;
    }
    this.endRunIn();
    this.endText();
    return this.containers.open(name, attributes);
  }

  /** Closes what `openContainer` returned, with all that is open within. An empty one is taken out again. */
  closeContainer(node: MarkdownNode | undefined): void {
    if (node === undefined && this.flatDepth > 0) {
      this.space = true;
      return;
    }
    this.endRunIn();
    this.endText();
    if (node !== undefined) this.containers.close(node);
  }

  /**
   * An id of the page: it leads to the line of text that is open when it is that of an inline element, else to the block that
   * comes next.
   */
  mark(id: string, isInline: boolean): void {
    if (id.length > LONGEST_ID) return;
    const { textBlock } = this;
    if ((!isInline && this.flatDepth === 0) || textBlock === undefined) this.containers.mark(id);
    else textBlock.anchors = [...textBlock.anchors, id];
  }

  // Text ----------------------------------------------------------------------------------------------------------------

  /** Text of the page, not yet collapsed. */
  text(raw: string): void {
    const text = collapse(raw);
    if (text === "") return;
    const start = text.charCodeAt(0) === SPACE ? 1 : 0;
    if (start === text.length) {
      this.space = true;
      return;
    }
    const end = text.charCodeAt(text.length - 1) === SPACE ? text.length - 1 : text.length;
    if (start === 1) this.space = true;
    const place = this.insertionPoint();
    appendText(place, text.slice(start, end));
    this.space = end < text.length;
  }

  /** An inline element without inner elements: code, an image, a formula. */
  addInline(node: MarkdownNode): void {
    const place = this.insertionPoint();
    const last = place.lastChild;
    // Two code spans side by side would be read as one with other delimiters.
    if (node.nodeName === "CODE" && last?.nodeName === "CODE") last.nodeValue += node.nodeValue;
    else place.append(node);
  }

  /** Whitespace, if there is text before and after it. */
  addSpace(): void {
    this.space = true;
  }

  /** `<br>`; two of them part paragraphs, as they look to a reader. */
  lineBreak(): void {
    if (this.flatDepth > 0 || this.linked) this.space = true;
    else if (this.textBlock !== undefined && this.textBlock.childNodes.length > 0 && ++this.breaks > 1) {
      if (this.textBlock.nodeName === "P") this.endText();
      else this.breaks = 1;
    }
  }

  /** Opens a format. Returns false when the same is open already, and there is none to close. */
  openFormat(name: string, attributes: Attributes = {}): boolean {
    if (this.formats.some((open) => open.name === name)) return false;
    this.formats.push({ name, attributes, node: undefined, spent: false });
    return true;
  }

  closeFormat(): void {
    this.formats.pop();
  }

  /** Until `endFlat`, blocks only part words: in headings, links, captions and terms. */
  beginFlat(): void {
    this.flatDepth++;
  }

  endFlat(): void {
    this.flatDepth--;
  }

  /**
   * What comes next goes on in the open line after `joint`, such as a definition after its term; when it cannot (it is a
   * code block), the joint alone ends the line.
   */
  runIn(joint: string): void {
    if (this.textBlock !== undefined) this.runInText = joint;
  }

  /** Ends all that is open. */
  finish(): MarkdownNode {
    this.flatDepth = 0;
    this.endRunIn();
    this.endText();
    this.containers.closeAll();
    return this.containers.root;
  }

  // Within --------------------------------------------------------------------------------------------------------------

  /** Where inline content goes now: whitespace and breaks that were due are put before it, and open formats around it. */
  private insertionPoint(): MarkdownNode {
    if (this.runInText !== undefined && this.textBlock !== undefined) {
      appendText(this.textBlock, joint(this.textBlock, this.runInText));
      this.runInText = undefined;
      this.space = false;
    }
    if (this.textBlock === undefined) {
      this.startText(new MarkdownNode("P", LOOSE_TEXT));
    }
    let place = this.textBlock ?? this.containers.root;
    let realised = 0;
    for (; realised < this.formats.length; realised++) {
      const format = this.formats[realised];
      if (format?.node !== undefined) place = format.node;
      else if (format?.spent !== true) break;
    }
    if (this.breaks > 0) place.append(new MarkdownNode("BR"));
    else if (this.space && place.childNodes.length > 0) appendText(place, " ");
    const apart = this.breaks > 0 || this.space;
    this.breaks = 0;
    this.space = false;
    for (; realised < this.formats.length; realised++) {
      const format = this.formats[realised];
      if (format === undefined || format.spent) continue;
      const last = place.lastChild;
      // `<b>bold</b><b>er</b>` is one bold word; written apart it would be `**bold****er**`.
      if (!apart && last?.nodeName === format.name && last.attributes["href"] === format.attributes["href"]) {
        format.node = last;
      } else {
        format.node = new MarkdownNode(format.name, format.attributes);
        place.append(format.node);
      }
      place = format.node;
    }
    return place;
  }

  /** Whether a link is open: paragraphs within it are laid flat, so that it stays one link. */
  private get linked(): boolean {
    return this.formats.some((open) => open.name === "A");
  }

  private startText(block: MarkdownNode): void {
    this.containers.place(block);
    this.textBlock = block;
    this.space = false;
    this.breaks = 0;
  }

  private endText(): void {
    const block = this.textBlock;
    this.space = false;
    this.breaks = 0;
    if (block === undefined) return;
    this.textBlock = undefined;
    for (const format of this.formats) {
      if (format.node !== undefined && format.name === "A") format.spent = true;
      format.node = undefined;
    }
    if (block.childNodes.length > 0) return;
    removeLast(block);
    this.containers.release(block);
  }

  private endRunIn(): void {
    const text = this.runInText;
    this.runInText = undefined;
    if (text !== undefined && this.textBlock !== undefined) {
      appendText(this.textBlock, joint(this.textBlock, text).trimEnd());
    }
  }
}

/** Marks a paragraph that was made for loose text: a list whose items are such is tight. */
const LOOSE_TEXT: Attributes = Object.freeze({ loose: "true" });

const SPACE = 32;

/** Longer ones are made by machines, and nobody links to them. */
const LONGEST_ID = 200;

function appendText(place: MarkdownNode, text: string): void {
  const last = place.lastChild;
  if (last?.nodeType === 3) last.nodeValue += text;
  else place.append(new MarkdownNode("#text", undefined, text));
}

/** A term that ends in a colon already gets no second one. */
function joint(block: MarkdownNode, text: string): string {
  const last = block.lastChild;
  return last?.nodeType === 3 && last.nodeValue.endsWith(":") && text.startsWith(":") ? text.slice(1) : text;
}
