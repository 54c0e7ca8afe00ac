import { escapeHtml } from "./rst-source.ts";

/** A field of reStructuredText: what stands between its colons, and its content as HTML. */
export interface Field {
  readonly name: string;
  readonly html: string;
}

/** Sphinx' fields of a signature, and what their group is called. Source: Sphinx, "Info field lists". */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ...named("Parameters", ["param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"]),
  ...named("Raises", ["raises", "raise", "except", "exception", "throws"]),
  ...named("Variables", ["var", "ivar", "cvar"]),
  ...named("Returns", ["returns", "return"]),
  ...named("Return type", ["rtype"]),
  ...named("Yields", ["yields", "yield"]),
]);

/** Fields that give the type of one that is named elsewhere. */
const TYPES: ReadonlySet<string> = new Set(["type", "paramtype", "kwtype", "vartype"]);

interface Group {
  readonly title: string;
  readonly items: string[];
}

/**
 * Fields as a definition list. Those of a signature are put together as Sphinx does: all parameters under one word, each with
 * its type; any other keeps its own name.
 * @param inline Writes text as HTML.
 */
export function fieldsHtml(fields: readonly Field[], inline: (text: string) => string): string {
  const types = new Map<string, string>();
  for (const { name, html } of fields) {
    const [word = "", ...rest] = name.split(/\s+/);
    if (TYPES.has(word) && rest.length > 0) types.set(rest.join(" "), withoutParagraph(html));
  }
  const groups: Group[] = [];
  for (const { name, html } of fields) {
    const [word = "", ...rest] = name.split(/\s+/);
    if (TYPES.has(word) && rest.length > 0) continue;
    const title = GROUPS.get(word);
    if (title === undefined) {
      groups.push({ title: inline(name), items: [html] });
      continue;
    }
    const item = rest.length === 0 ? html : memberHtml(rest, html, title === "Raises", types, inline);
    const group = groups.find((one) => one.title === title);
    if (group === undefined) groups.push({ title, items: [item] });
    else group.items.push(item);
  }
  const parts = groups.map(({ title, items }) => {
    const [only = ""] = items;
    const content =
      items.length === 1 ? only : `<ul class="simple">${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
    return `<dt>${title}</dt><dd>${content}</dd>`;
  });
  return `<dl>${parts.join("\n")}</dl>`;
}

/** `param int count` has the type before the name; else it may have a field of its own. */
function memberHtml(
  words: readonly string[],
  html: string,
  isError: boolean,
  types: ReadonlyMap<string, string>,
  inline: (text: string) => string,
): string {
  const name = words.at(-1) ?? "";
  const before = words.slice(0, -1).join(" ");
  const type = before === "" ? (types.get(name) ?? "") : inline(before);
  const shown = isError ? inline(words.join(" ")) : `<strong>${inline(name)}</strong>`;
  const head = type === "" || isError ? shown : `${shown} (<em>${type}</em>)`;
  if (html === "") return `<p>${head}</p>`;
  return html.startsWith("<p>") ? `<p>${head} – ${html.slice("<p>".length)}` : `<p>${head} –</p>${html}`;
}

function withoutParagraph(html: string): string {
  return html.replace(/^<p>/, "").replace(/<\/p>$/, "");
}

function named(title: string, words: readonly string[]): [string, string][] {
  return words.map((word) => [word, title]);
}

/** An option of a command line, with what it does. */
export function optionHtml({ match, html }: { readonly match: RegExpExecArray; readonly html: string }): string {
  return `<dt><code>${escapeHtml(match[0].trim())}</code></dt><dd>${html}</dd>`;
}
