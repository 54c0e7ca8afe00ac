import type { Admonition } from "./admonition.ts";
import { collapse } from "./clean-text.ts";
import { childElements, textOf, type Element } from "./dom.ts";
import { beginsWithLabel, isWordForKind, quotedNote, titleText, withoutLabel } from "./note-label.ts";
import type { PageReader } from "./page-reader.ts";
import { readLine, writeStrong } from "./read-block.ts";

/**
 * A note, in one shape for all generators: a quote with GitHub's word for its kind, when it has one; the title, when that says
 * more than the kind; the text.
 */
export function readAdmonition(reader: PageReader, element: Element, admonition: Admonition): void {
  const { builder } = reader;
  const { label, alert, title } = admonition;
  const body = admonition.body ?? element;
  const quote = builder.openContainer("BLOCKQUOTE", alert === "" ? undefined : { alert });
  const isNoText = (inner: Element): boolean => inner.name === "svg" || reader.options.drop.matches(inner);
  const text = title === undefined ? "" : titleText(textOf(title, isNoText), label);
  if (title !== undefined) reader.done.add(title);
  const restore = text === "" && alert !== "" ? withoutLabel(body, label, alert) : undefined;
  reader.readChildren(body, () => {
    restore?.();
    builder.closeContainer(quote);
  });
  if (title !== undefined && text !== "") {
    if (isWordForKind(text, label, alert)) return;
    if (childElements(title).some((inner) => inner.name === "code" || inner.name === "a"))
      readLine(reader, title.children, "STRONG");
    else writeTitle(reader, text);
  } else if (alert === "" && label !== "" && !beginsWithLabel(body, label)) writeTitle(reader, label);
}

function writeTitle({ builder }: PageReader, text: string): void {
  const block = builder.openText("P");
  writeStrong(builder, text);
  builder.closeText(block);
}

/** A quote; one that begins with `[!NOTE]` is a note that its site leaves as it was written. */
export function readQuote(reader: PageReader, element: Element): void {
  const note = quotedNote(element);
  const { builder } = reader;
  reader.quotes++;
  const quote = builder.openContainer(
    "BLOCKQUOTE",
    note === undefined || note.alert === "" ? undefined : { alert: note.alert },
  );
  reader.readChildren(element, () => {
    note?.restore();
    reader.quotes--;
    builder.closeContainer(quote);
  });
  const title = collapse(note?.title ?? "").trim();
  if (title !== "") writeTitle(reader, title);
}
