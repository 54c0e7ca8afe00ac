/** Where a line stands in a document that is rewritten line by line. */
interface OpenBlock {
  /** How far the content of the block is indented. */
  readonly indent: number;
  readonly close: string;
}

const FENCE = /^ {0,12}(`{3,}|~{3,})/;
const DIRECTIVE = /^\s*:{3,}\s*([a-z-]+)?\s*(?:\[([^\]]*)\]|\{[^}]*\})?\s*(.*)$/i;
const ADMONITION = /^( *)(?:!!!|\?\?\?\+?)\s+([a-z-]+)(?:\s+inline(?:\s+end)?)?(?:\s+"([^"]*)")?\s*$/i;
const TAB = /^( *)===[!+]?\s+"([^"]*)"\s*$/;
const ESM = /^(?:import\s+(?:[\w*{}\s,]+\s+from\s+)?["'][^"']+["'];?|export\s+(?:const|default|function|let)\s.*)$/;
const HEADING_ID = /^(#{1,6} .*?)\s*\{#([\w:.-]+)[^}]*\}\s*$/;

/**
 * Rewrites what MkDocs (`!!! note`, `=== "Tab"`), Docusaurus, VitePress and MyST (`:::note`) and MDX (imports, comments) add to
 * Markdown as CommonMark with HTML. Code blocks are left alone. Goes over the text once.
 */
export function toPlainMarkdown(text: string): string {
  const out: string[] = [];
  const open: OpenBlock[] = [];
  let fence = "";
  let directives = 0;
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    if (fence === "" && line.trim() !== "") out.push(...endedBefore(indent, open));
    const dedent = open.at(-1)?.indent ?? 0;
    const rest = line.slice(Math.min(dedent, indent));
    const marker = FENCE.exec(rest)?.[1] ?? "";
    if (fence !== "" || marker !== "") {
      if (fence === "") fence = marker;
      else if (marker.startsWith(fence) && rest.trim() === marker) fence = "";
      out.push(rest);
      continue;
    }
    const admonition = ADMONITION.exec(rest);
    const tab = TAB.exec(rest);
    const directive = rest.includes(":::") ? DIRECTIVE.exec(rest) : null;
    if (admonition !== null) {
      const [, before = "", kind = "", title] = admonition;
      out.push(...opened("admonition", kind, title ?? ""));
      open.push({ indent: dedent + before.length + MKDOCS_INDENT, close: "</div>" });
    } else if (tab !== null) {
      out.push("", `<tabitem label="${escapeAttribute(tab[2] ?? "")}">`, "");
      open.push({ indent: dedent + (tab[1]?.length ?? 0) + MKDOCS_INDENT, close: "</tabitem>" });
    } else if (directive !== null) {
      const [, kind, bracketed, after = ""] = directive;
      if (kind !== undefined) {
        directives++;
        out.push(...opened("admonition", kind, bracketed ?? after));
      } else if (directives > 0) {
        directives--;
        out.push("", "</div>", "");
      }
    } else if (ESM.test(rest)) continue;
    else out.push(withHeadingId(rest.replace(/\{\/\*.*?\*\/\}/g, "")));
  }
  out.push(...endedBefore(-1, open));
  return out.join("\n");
}

/** Closes the blocks that a line with this indent is no part of: each is indented further than the one that it is in. */
function endedBefore(indent: number, open: OpenBlock[]): string[] {
  const first = open.findIndex((block) => indent < block.indent);
  return first === -1
    ? []
    : open
        .splice(first)
        .toReversed()
        .flatMap((block) => ["", block.close, ""]);
}

/** MkDocs' blocks are indented by four. */
const MKDOCS_INDENT = 4;

function opened(className: string, kind: string, title: string): string[] {
  const heading = title.trim() || (kind === "details" ? "" : capitalised(kind));
  return [
    "",
    `<div class="${className} ${kind.toLowerCase()}"><p class="admonition-title">${escapeText(heading)}</p>`,
    "",
  ];
}

function withHeadingId(line: string): string {
  const match = line.includes("{#") ? HEADING_ID.exec(line) : null;
  return match === null ? line : `${match[1] ?? ""} <a id="${match[2] ?? ""}"></a>`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}
