import { MarkdownNode } from "../tree/markdown-node.ts";
import { hasClass, isElement, textOf, type AnyNode, type Element } from "./dom.ts";
import type { PageReader, Task } from "./page-reader.ts";
import { readBlock } from "./read-block.ts";
import { isObjectList, signatureOf, signatureText } from "./signature.ts";

/**
 * A definition list. Objects of an API become their signature, as code, and what is said of them; terms become items in which
 * term and definition stay together, for apart neither can be found.
 */
export function readDefinitions(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const objects = isObjectList(element);
  builder.breakBlock();
  const list = objects ? undefined : builder.openContainer("UL", { tight: "true" });
  const outer = builder.containers.signatures;
  const open = { objects, outer, item: undefined, last: undefined };
  reader.definitions.push(open);
  reader.readChildren(element, () => {
    reader.definitions.pop();
    builder.breakBlock();
    if (!objects) {
      endItem(reader, open);
      builder.closeContainer(list);
    }
    builder.containers.signatures = outer;
  });
}

export function readTerm(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const open = reader.definitions.at(-1);
  if (open === undefined) {
    readBlock(reader, element);
    return;
  }
  if (open.objects) {
    readSignature(reader, element, open.last === "term");
    open.last = "term";
    return;
  }
  if (open.last === "term") builder.text(", ");
  else {
    endItem(reader, open);
    open.item = builder.openContainer("LI");
    builder.openText("P", LOOSE);
  }
  open.last = "term";
  builder.beginFlat();
  reader.headings++;
  reader.doNext(
    ...element.children.flatMap((child): Task[] =>
      isClassifier(child) ? [() => builder.text(" : "), child] : [child],
    ),
    () => {
      reader.headings--;
      builder.endFlat();
    },
  );
}

/** Sphinx' type of a term, before which its style sheet writes a colon; docutils' has one in the page. */
function isClassifier(node: AnyNode): boolean {
  if (!isElement(node) || !hasClass(node, "classifier")) return false;
  let before = node.prev;
  while (before?.type === "text" && before.data.trim() === "") before = before.prev;
  return before !== null && !(isElement(before) && hasClass(before, "classifier-delimiter")) && !endsWithColon(before);
}

function endsWithColon(node: AnyNode): boolean {
  return /[:：]$/.test(textOf(node).trimEnd().slice(-1));
}

/** Whether the term before a definition ends in a colon already. */
function termEndsWithColon(definition: Element): boolean {
  let before = definition.prev;
  while (before !== null && !isElement(before)) before = before.prev;
  return before !== null && before.name === "dt" && endsWithColon(before);
}

export function readDefinition(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const open = reader.definitions.at(-1);
  if (open === undefined || open.objects) {
    if (open !== undefined) open.last = "definition";
    readBlock(reader, element);
    return;
  }
  if (open.last === "term") builder.runIn(termEndsWithColon(element) ? " " : ": ");
  else builder.breakBlock();
  open.last = "definition";
  reader.readChildren(element, () => builder.breakBlock());
}

/** Deeper than a method of a class of a module of a module there is nothing to tell apart. */
const MAX_SIGNATURE_DEPTH = 6;

/** The signature as one line of code; what follows is under it in breadcrumbs. */
function readSignature(reader: PageReader, element: Element, overload: boolean): void {
  const { builder } = reader;
  const signature = signatureOf(element);
  if (!overload) {
    const outer = reader.definitions.at(-1)?.outer ?? [];
    if (outer.length < MAX_SIGNATURE_DEPTH) builder.containers.signatures = [...outer, signature];
  }
  const block = builder.openText("P", { signature: signature.name, id: signature.anchor });
  const text = signatureText(element);
  if (text !== "") builder.addInline(new MarkdownNode("CODE", undefined, text));
  builder.closeText(block);
}

function endItem(reader: PageReader, open: { item: MarkdownNode | undefined }): void {
  if (open.item !== undefined) reader.builder.closeContainer(open.item);
  else reader.builder.breakBlock();
  open.item = undefined;
}

const LOOSE: Readonly<Record<string, string>> = { loose: "true" };
