import MarkdownIt from "markdown-it";

const markdownIt = new MarkdownIt({ html: true, linkify: false, typographer: false });

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

export function codeBlock(text: string, language: string): string {
  return `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(text)}</code></pre>`;
}

/**
 * A description, which is CommonMark.
 * @param level The level of the headings that it may have: they are below that of what is described.
 */
export function described(text: string, level: number): string {
  if (text.trim() === "") return "";
  return markdownIt
    .render(text)
    .replace(
      /<(\/?)h([1-6])>/g,
      (_, slash: string, own: string) => `<${slash}h${Math.min(6, Number(own) + level - 1)}>`,
    );
}

/** A table; nothing when it has no rows, and without the columns that are empty in all of them. Cells are HTML. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = header.map((_, column) => column === 0 || rows.some((row) => (row[column] ?? "") !== ""));
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells
      .filter((_, column) => used[column])
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  if (rows.length === 0) return "";
  return `<table><thead>${line(header, "th")}</thead><tbody>${rows.map((row) => line(row, "td")).join("")}</tbody></table>`;
}
