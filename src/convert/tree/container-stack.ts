import { MarkdownNode, type Signature } from "./markdown-node.ts";

/** Lists and quotes deeper than this are laid flat: each level indents all within, and nobody reads deeper. */
const MAX_CONTAINER_DEPTH = 12;

/**
 * The containers that are open in the clean tree, from the document in, and the rules of what may stand where: a list takes
 * items only and a table rows, and what is loose in them (bad HTML, but common) gets an item or cell of its own.
 */
export class ContainerStack {
  readonly root = new MarkdownNode("BODY");
  /** API entries that blocks at the top of the document are under, outermost first. */
  signatures: readonly Signature[] = this.root.signatures;
  /** The label of the tab that blocks at the top of the document are in. */
  tab = "";
  /** Ids that lead to the block that comes next. */
  private waiting: string[] = [];
  private readonly containers: MarkdownNode[] = [this.root];
  private depth = 0;

  get innermost(): MarkdownNode {
    return this.containers.at(-1) ?? this.root;
  }

  /** An id leads to the block that comes next. */
  mark(id: string): void {
    this.waiting.push(id);
  }

  /** What led to a block that is taken out again leads to the one that comes next. */
  release({ anchors }: MarkdownNode): void {
    if (anchors.length > 0) this.waiting.unshift(...anchors);
  }

  /** Opens a container. Returns undefined where it may not stand or is too deep, and its content is laid flat. */
  open(name: string, attributes?: Readonly<Record<string, string>>): MarkdownNode | undefined {
    if (!this.makeRoomFor(name)) return undefined;
    const node = new MarkdownNode(name, attributes);
    this.append(node);
    this.enter(node);
    return node;
  }

  /** Closes a container with all that is open within. An empty one is taken out again. */
  close(node: MarkdownNode): void {
    if (!this.containers.includes(node)) return;
    for (let open = this.leave(); open !== node; open = this.leave());
    if (IMPLICIT.has(this.innermost)) this.leave();
  }

  closeAll(): void {
    while (this.containers.length > 1) this.leave();
    const last = this.root.lastChild;
    if (last !== undefined && this.waiting.length > 0) last.anchors = [...last.anchors, ...this.waiting];
    this.waiting = [];
  }

  /** Puts a block into the innermost container that may hold it. */
  place(block: MarkdownNode): void {
    this.ensureBlockPlace();
    this.append(block);
  }

  private append(block: MarkdownNode): void {
    if (this.containers.length === 1) {
      block.signatures = this.signatures;
      block.tab = this.tab;
    }
    if (this.waiting.length > 0) {
      block.anchors = this.waiting;
      this.waiting = [];
    }
    this.innermost.append(block);
  }

  /** Sees to it that a container may stand here; false when it may not, and is laid flat. */
  private makeRoomFor(name: string): boolean {
    if (name === "LI") return this.ensureList();
    if (STRUCTURAL.has(name)) {
      while (IMPLICIT.has(this.innermost) && this.innermost.nodeName !== name) this.leave();
      if (name !== "TR" && this.innermost.nodeName === "TABLE") this.enterLooseRow();
      return this.innermost.nodeName === (name === "TR" ? "TABLE" : "TR");
    }
    if (INDENTING.has(name) && this.depth >= MAX_CONTAINER_DEPTH) return false;
    this.ensureBlockPlace();
    return true;
  }

  private ensureBlockPlace(): void {
    const container = this.innermost;
    if (isList(container)) {
      const last = container.lastChild;
      if (last === undefined) this.enterImplicit(new MarkdownNode("LI"));
      else {
        IMPLICIT.add(last);
        this.enter(last);
      }
    } else if (container.nodeName === "TABLE") {
      this.enterImplicit(new MarkdownNode("TR"));
      this.enterImplicit(new MarkdownNode("TD"));
    } else if (container.nodeName === "TR") this.enterImplicit(new MarkdownNode("TD"));
  }

  private ensureList(): boolean {
    while (IMPLICIT.has(this.innermost) && !isList(this.innermost)) this.leave();
    if (isList(this.innermost)) return true;
    const last = this.innermost.lastChild;
    if (last !== undefined && IMPLICIT.has(last) && isList(last)) this.enter(last);
    else if (this.depth >= MAX_CONTAINER_DEPTH) return false;
    else {
      this.ensureBlockPlace();
      this.enterImplicit(new MarkdownNode("UL"));
    }
    return true;
  }

  /** Cells that stand in no row are of one. */
  private enterLooseRow(): void {
    const last = this.innermost.lastChild;
    if (last !== undefined && IMPLICIT.has(last)) this.enter(last);
    else this.enterImplicit(new MarkdownNode("TR"));
  }

  private enterImplicit(node: MarkdownNode): void {
    IMPLICIT.add(node);
    this.append(node);
    this.enter(node);
  }

  private enter(node: MarkdownNode): void {
    this.containers.push(node);
    if (INDENTING.has(node.nodeName)) this.depth++;
  }

  private leave(): MarkdownNode | undefined {
    if (this.containers.length === 1) return undefined;
    const node = this.containers.pop();
    if (node === undefined) return undefined;
    if (INDENTING.has(node.nodeName)) this.depth--;
    if (node.childNodes.length === 0 && node.nodeName !== "TD" && node.nodeName !== "TH") {
      removeLast(node);
      this.release(node);
    }
    return node;
  }
}

/** Containers that the page did not open itself. */
const IMPLICIT = new WeakSet<MarkdownNode>();

/** Parts that stand only in their wholes. */
const STRUCTURAL: ReadonlySet<string> = new Set(["LI", "TR", "TH", "TD"]);

const INDENTING: ReadonlySet<string> = new Set(["UL", "OL", "BLOCKQUOTE", "TABLE", "X-FOOTNOTE"]);

function isList(node: MarkdownNode): boolean {
  return node.nodeName === "UL" || node.nodeName === "OL";
}

/** Takes a node out again, if it is the last of its parent. */
export function removeLast(node: MarkdownNode): void {
  const siblings = node.parentNode?.childNodes;
  if (siblings?.at(-1) === node) siblings.pop();
}
