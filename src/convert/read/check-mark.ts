import { MarkdownNode } from "../tree/markdown-node.ts";
import { classesOf, isElement, type Element } from "./dom.ts";
import type { PageReader } from "./page-reader.ts";

/** AsciiDoctor writes the box of a task as a sign, or as the icon of one, at the start of its text. */
export function readCheckMark(reader: PageReader, paragraph: Element): void {
  const [first] = paragraph.children;
  const icon = first !== undefined && isElement(first) && first.name === "i" ? classesOf(first).join(" ") : "";
  let isDone: boolean;
  if (first?.type === "text" && /^\s*[✓❏]/.test(first.data)) {
    isDone = first.data.includes("✓");
    first.data = first.data.replace(/^\s*[✓❏]/, "");
  } else if (first !== undefined && isElement(first) && /\bfa-(?:check-)?square/.test(icon)) {
    isDone = icon.includes("check");
    reader.done.add(first);
  } else return;
  reader.builder.addInline(new MarkdownNode("X-TASK", { checked: isDone ? "x" : " " }));
  reader.builder.addSpace();
}
