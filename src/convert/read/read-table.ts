import { attribute, childElements, descendants, hasClass, parentOf, type Element } from "./dom.ts";
import type { OpenDefinitions, PageReader, Task } from "./page-reader.ts";
import { readBlock, readLine } from "./read-block.ts";
import { readDefinition, readTerm } from "./read-definitions.ts";
import { headingRowOf, isHeaderRow, isLayoutTable, isLineNumberCell, rowsOf } from "./table-kind.ts";

export function readTable(reader: PageReader, element: Element): void {
  const { builder } = reader;
  if (hasClass(parentOf(element) ?? element, "colist")) {
    readCallouts(reader, element);
    return;
  }
  if (hasClass(parentOf(element) ?? element, "hdlist")) {
    readHorizontalList(reader, element);
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

/** AsciiDoctor lays a horizontal definition list out as a table: the term in one cell, what is said of it in the next. */
function readHorizontalList(reader: PageReader, table: Element): void {
  const { builder } = reader;
  const list = builder.openContainer("UL", { tight: "true" });
  const open: OpenDefinitions = {
    objects: false,
    outer: builder.containers.signatures,
    item: undefined,
    last: undefined,
  };
  reader.definitions.push(open);
  const parts: Task[] = [];
  for (const row of rowsOf(table)) {
    for (const cell of childElements(row)) {
      parts.push(() => {
        if (hasClass(cell, "hdlist1")) readTerm(reader, cell);
        else readDefinition(reader, cell);
      });
    }
  }
  reader.doNext(...parts, () => {
    reader.definitions.pop();
    if (open.item !== undefined) builder.closeContainer(open.item);
    builder.closeContainer(list);
  });
}

const ROLE_CELLS: ReadonlySet<string> = new Set(["cell", "gridcell", "columnheader", "rowheader"]);

/** The rows of a table made of boxes that say by ARIA what they are, each with its cells; empty when it is none. */
function roleRows(table: Element): readonly (readonly Element[])[] {
  const rows: Element[][] = [];
  const stack = childElements(table).toReversed();
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    const role = attribute(element, "role");
    if (ROLE_CELLS.has(role)) {
      rows.at(-1)?.push(element);
      continue;
    }
    if (role === "row") rows.push([]);
    stack.push(...childElements(element).toReversed());
  }
  return rows.filter((cells) => cells.length > 0);
}

/** A table of boxes with the roles of one, such as GitBook's. Source: WAI-ARIA 1.2, role `table`. */
export function readRoleTable(reader: PageReader, element: Element): void {
  const { builder } = reader;
  const rows = roleRows(element);
  if (rows.length === 0) {
    readBlock(reader, element);
    return;
  }
  reader.layoutTables.push(false);
  const table = builder.openContainer("TABLE");
  const tasks: Task[] = [];
  for (const cells of rows) {
    const isHeader = cells.every((cell) => attribute(cell, "role") === "columnheader");
    let row: ReturnType<typeof builder.openContainer>;
    tasks.push(() => {
      row = builder.openContainer("TR", isHeader ? { header: "true" } : undefined);
    });
    for (const cell of cells) {
      tasks.push(() => {
        const box = builder.openContainer("TD");
        // A cell may be a link itself.
        const content = cell.name === "a" ? [cell] : cell.children;
        reader.doNext(...content, () => builder.closeContainer(box));
      });
    }
    tasks.push(() => builder.closeContainer(row));
  }
  reader.doNext(...tasks, () => {
    reader.layoutTables.pop();
    builder.closeContainer(table);
  });
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
