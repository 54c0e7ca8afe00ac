import TurndownService from "turndown";

/**
 * Turndown as people set it up for documentation: fences, `#` headings, and tables by GitHub's rules: one with a header row
 * becomes a table, and any other stays HTML, as the usual plugins do it, but in time that grows with the table only.
 */
export function createPlainTurndown(): (html: string) => string {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.remove(["script", "style", "title"]);
  service.addRule("cell", {
    filter: ["th", "td"],
    replacement: (content) => ` ${content.trim().replace(/\n+/g, " ").replaceAll("|", "\\|")} |`,
  });
  service.addRule("row", {
    filter: "tr",
    replacement: (content, node) => {
      const delimiter = isHeader(pageNode(node)) ? `\n|${" --- |".repeat(cellsOf(pageNode(node)))}` : "";
      return `\n|${content}${delimiter}`;
    },
  });
  service.addRule("table", {
    filter: "table",
    replacement: (content, node) => {
      const table = pageNode(node);
      const first = table.querySelector("tr") ?? undefined;
      return first !== undefined && isHeader(first) ? `\n\n${content.trim()}\n\n` : `\n\n${table.outerHTML}\n\n`;
    },
  });
  return (html) => service.turndown(html);
}

/** What Turndown gives its rules: a node of the page's tree. */
interface PageNode {
  readonly nodeName: string;
  readonly outerHTML: string;
  readonly firstChild: PageNode | null;
  readonly nextSibling: PageNode | null;
  querySelector(selector: string): PageNode | null;
}

function pageNode(node: unknown): PageNode {
  return node as PageNode;
}

/** Whether a row is all headers. */
function isHeader(row: PageNode): boolean {
  let cells = 0;
  for (let cell = row.firstChild; cell !== null; cell = cell.nextSibling) {
    if (cell.nodeName === "TD") return false;
    if (cell.nodeName === "TH") cells++;
  }
  return cells > 0;
}

function cellsOf(row: PageNode): number {
  let cells = 0;
  for (let cell = row.firstChild; cell !== null; cell = cell.nextSibling) if (cell.nodeName === "TH") cells++;
  return cells;
}
