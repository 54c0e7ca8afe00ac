import { childElements, descendants, hasClass, parentOf, type Element } from "./dom.ts";
import type { PageReader, Task } from "./page-reader.ts";
import { readBlock, readLine } from "./read-block.ts";
import { headingRowOf, isHeaderRow, isLayoutTable, isLineNumberCell } from "./table-kind.ts";

export function readTable(reader: PageReader, element: Element): void {
  const { builder } = reader;
  if (hasClass(parentOf(element) ?? element, "colist")) {
    readCallouts(reader, element);
    return;
  }
  const title = headingRowOf(element);
  const layout = isLayoutTable(element, title);
  const caption = childElements(element).find((child) => child.name === "caption");
  const open = (): void => {
    reader.layoutTables.push(layout);
    const table = layout ? undefined : builder.openContainer("TABLE");
    if (layout) builder.breakBlock();
    reader.readChildren(element, () => {
      reader.layoutTables.pop();
      if (layout) builder.breakBlock();
      else builder.closeContainer(table);
    });
  };
  if (title !== undefined) {
    reader.done.add(title);
    reader.layoutTables.push(true);
    builder.breakBlock();
    reader.doNext(...title.children, () => {
      reader.layoutTables.pop();
      open();
    });
  } else if (caption === undefined) open();
  else {
    reader.done.add(caption);
    readLine(reader, caption.children, "STRONG", open);
  }
}

/** AsciiDoctor lays out what it says of lines of code as a table of numbers and texts. */
function readCallouts(reader: PageReader, table: Element): void {
  const { builder } = reader;
  const list = builder.openContainer("OL");
  const items: Task[] = [];
  for (const row of descendants(table)) {
    const text = row.name === "tr" ? childElements(row).at(-1) : undefined;
    if (text === undefined) continue;
    items.push(() => {
      const item = builder.openContainer("LI");
      reader.readChildren(text, () => builder.closeContainer(item));
    });
  }
  reader.doNext(...items, () => builder.closeContainer(list));
}

export function readTableRow(reader: PageReader, element: Element): void {
  if (reader.layoutTables.at(-1) !== false) readBlock(reader, element);
  else {
    const { builder } = reader;
    const row = builder.openContainer("TR", isHeaderRow(element) ? { header: "true" } : undefined);
    reader.readChildren(element, () => builder.closeContainer(row));
  }
}

export function readCell(reader: PageReader, element: Element): void {
  if (isLineNumberCell(element)) return;
  if (reader.layoutTables.at(-1) !== false) readBlock(reader, element);
  else {
    const { builder } = reader;
    const { colspan, rowspan } = element.attribs;
    const attributes = { ...(colspan === undefined ? {} : { colspan }), ...(rowspan === undefined ? {} : { rowspan }) };
    const cell = builder.openContainer(element.name.toUpperCase(), attributes);
    reader.readChildren(element, () => builder.closeContainer(cell));
  }
}

/** A table that is made of boxes, each row beginning with one of a class of its own, as javadoc's summaries are. */
export function readGridTable(reader: PageReader, element: Element, firstCell: readonly string[]): void {
  const { builder } = reader;
  const tasks: Task[] = [];
  const table = builder.openContainer("TABLE");
  let row: ReturnType<typeof builder.openContainer>;
  for (const cell of childElements(element)) {
    const starts = firstCell.some((name) => hasClass(cell, name));
    tasks.push(() => {
      if (starts) {
        builder.closeContainer(row);
        row = builder.openContainer("TR");
      }
      const box = builder.openContainer("TD");
      reader.readChildren(cell, () => builder.closeContainer(box));
    });
  }
  reader.doNext(...tasks, () => {
    builder.closeContainer(row);
    builder.closeContainer(table);
  });
}
