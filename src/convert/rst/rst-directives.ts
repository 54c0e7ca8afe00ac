import { codeHtml, type RstContext } from "./rst-context.ts";
import { labelled, partsOf, type Directive, type Parts, type ReadLines } from "./rst-directive-parts.ts";
import { grammar, objectHtml, OBJECTS } from "./rst-objects.ts";
import { dedent, escapeHtml } from "./rst-source.ts";
import { csvTable, listTable } from "./rst-table-directives.ts";

const ADMONITIONS: ReadonlySet<string> = new Set([
  "note",
  "tip",
  "hint",
  "important",
  "warning",
  "caution",
  "danger",
  "error",
  "attention",
  "seealso",
  "todo",
]);

const CODE: ReadonlySet<string> = new Set([
  "code-block",
  "code",
  "sourcecode",
  "prompt",
  "testcode",
  "testsetup",
  "testoutput",
  "doctest",
  "ipython",
  "code-cell",
  "graphviz",
  "digraph",
  "mermaid",
  "uml",
  "plantuml",
  "jsonschema",
]);

const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  testcode: "python",
  doctest: "pycon",
  ipython: "python",
  mermaid: "mermaid",
  graphviz: "dot",
};

/** What says something of the page or its looks, and nothing to its readers. */
const SILENT: ReadonlySet<string> = new Set([
  "index",
  "contents",
  "sectnum",
  "section-numbering",
  "default-role",
  "role",
  "currentmodule",
  "module",
  "py:currentmodule",
  "py:module",
  "program",
  "sectionauthor",
  "moduleauthor",
  "codeauthor",
  "tabularcolumns",
  "highlight",
  "highlightlang",
  "testcleanup",
  "footer",
  "header",
  "target-notes",
  "meta",
  "title",
  "spelling:word-list",
]);

/** What only holds other blocks. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "container",
  "compound",
  "rst-class",
  "cssclass",
  "only",
  "ifconfig",
  "grid",
  "tabs",
  "tab-set",
  "hlist",
  "centered",
  "glossary",
  "highlights",
  "line-block",
  "nosearch",
]);

const VERSIONS: Readonly<Record<string, string>> = {
  versionadded: "New in version",
  versionchanged: "Changed in version",
  versionremoved: "Removed in version",
  deprecated: "Deprecated since version",
  "deprecated-removed": "Deprecated since version",
};

/** Writes a directive of docutils or Sphinx as HTML. One that is not known keeps its arguments and its content. */
export function readDirective(directive: Directive, context: RstContext, read: ReadLines): string {
  const parts = partsOf(directive);
  const { name, args, options, content, all } = parts;
  const inline = (text: string): string => context.inline.html(text);
  if (name === "highlight" || name === "highlightlang") context.language = languageName(args);
  if (/^(?:py:)?(?:current)?module$/.test(name)) context.module = args.split(/\s/, 1)[0] ?? "";
  if (SILENT.has(name)) return labelled(parts, "");
  if (ADMONITIONS.has(name)) return labelled(parts, admonition(name, "", read(all)));
  if (CODE.has(name)) return code(parts, context);
  if (CONTAINERS.has(name)) return read(name === "centered" ? all : content);
  // To docutils it names the looks of what follows; to Sphinx it is a class of Python.
  if (name === "class" && content.length === 0 && !/[A-Z(.]/.test(args)) return "";
  const version = VERSIONS[name];
  if (version !== undefined) return versionNote(version, args, content, inline, read);
  if (name.includes(":") || OBJECTS.test(name)) return objectHtml(parts, context, read);
  switch (name) {
    case "admonition":
    case "topic":
    case "sidebar":
      return admonition("note", inline(args), read(content));
    case "rubric":
      return `<p><strong>${inline(args)}</strong></p>`;
    case "image":
    case "figure":
    case "thumbnail":
      return labelled(parts, figure(parts, read));
    case "toctree":
      return options.has("hidden") ? "" : toctree(content, inline);
    case "list-table":
      return listTable(parts, context, read);
    case "csv-table":
      return csvTable(parts, context, read);
    case "table":
      return labelled(parts, `${args === "" ? "" : `<p><strong>${inline(args)}</strong></p>`}${read(content)}`);
    case "math":
      return labelled(
        parts,
        `<div class="math">\\[${escapeHtml(all.filter((line) => line !== "").join("\n"))}\\]</div>`,
      );
    case "include":
    case "literalinclude":
      return included(parts);
    case "raw":
      return /\bhtml\b/.test(args) ? content.join("\n") : "";
    case "epigraph":
    case "pull-quote":
      return `<blockquote>${read(all)}</blockquote>`;
    case "tab":
    case "tab-item":
    case "group-tab":
    case "code-tab": {
      const label = name === "code-tab" && args.includes(" ") ? args.slice(args.indexOf(" ") + 1) : args;
      const panel = name === "code-tab" ? codeHtml(content, languageName(args)) : read(content);
      return `<tabitem label="${escapeHtml(label)}">${panel}</tabitem>`;
    }
    case "dropdown":
    case "collapse":
      return `<details><summary>${inline(args || "Details")}</summary>${read(content)}</details>`;
    case "card":
    case "grid-item-card":
    case "grid-item":
      return `${args === "" ? "" : `<p><strong>${inline(args)}</strong></p>`}${read(content)}`;
    case "parsed-literal":
      // Its markup is read, and none of it is a block.
      return labelled(parts, `<pre>\n${inline(all.join("\n")).replace(/<(\/?)code>/g, "<$1span>")}</pre>`);
    case "productionlist":
      return grammar(all);
    case "replace":
    case "unicode":
    case "date":
      return "";
    default:
      return unknown(parts, inline, read);
  }
}

function admonition(kind: string, title: string, html: string): string {
  const label =
    title === "" ? (kind === "seealso" ? "See also" : kind === "todo" ? "To do" : capitalised(kind)) : title;
  return `<div class="admonition ${kind}"><p class="admonition-title">${label}</p>${html}</div>`;
}

function code(parts: Parts, context: RstContext): string {
  const { name, args, options, content, all } = parts;
  const takesArgument = /^(?:code-block|code|sourcecode|code-cell|prompt|highlight)$/.test(name);
  const said = takesArgument ? languageName(args) : (CODE_LANGUAGES[name] ?? "");
  const lines = takesArgument || name.startsWith("test") || name === "ipython" || name === "graphviz" ? content : all;
  if (lines.length === 0) return "";
  const language = said || (takesArgument ? context.language : "");
  return labelled(parts, `${captionOf(options)}${codeHtml(dedent(lines), language)}`);
}

/** A file that only the build of the site puts in: a link to it says what is missing here. */
function included({ name, args, options }: Parts): string {
  const language = name === "literalinclude" || options.has("code") || options.has("literal") ? "Code" : "Text";
  // What Sphinx finds from the root of the sources, no page has an address for.
  const isRelative = !args.startsWith("/") && !args.startsWith("<");
  const file = `<code>${escapeHtml(args)}</code>`;
  return `${captionOf(options)}<p><em>${language} of the file:</em> ${isRelative ? `<a href="${escapeHtml(args)}">${file}</a>` : file}</p>`;
}

function captionOf(options: ReadonlyMap<string, string>): string {
  const caption = options.get("caption") ?? "";
  return caption === "" ? "" : `<div class="code-block-caption">${escapeHtml(caption.replaceAll("``", ""))}</div>`;
}

function languageName(text: string): string {
  const name = text.trim().split(/\s/, 1)[0]?.toLowerCase() ?? "";
  if (/^(?:none|default|text|guess)$/.test(name) || !/^[a-z][\w+#.-]*$/.test(name)) return "";
  return name === "python3" || name === "ipython3" ? name.slice(0, -1) : name;
}

function versionNote(
  label: string,
  args: string,
  content: readonly string[],
  inline: (text: string) => string,
  read: ReadLines,
): string {
  const [version = "", ...said] = args.split(/\s+/);
  const isRemoval = /^\d+(?:\.\d+)*$/.test(said[0] ?? "") && label.startsWith("Deprecated");
  const until = isRemoval ? `, will be removed in version ${said.shift() ?? ""}` : "";
  const text = said.length === 0 ? "" : ` ${inline(said.join(" "))}`;
  const colon = text === "" && content.length === 0 ? "." : ":";
  return `<p><em>${label} ${escapeHtml(version)}${until}${colon}</em>${text}</p>${read(content)}`;
}

function figure({ args, options, content }: Parts, read: ReadLines): string {
  const alt = options.get("alt") ?? "";
  const image = `<img src="${escapeHtml(args.replaceAll("\n", ""))}" alt="${escapeHtml(alt)}">`;
  const target = options.get("target") ?? "";
  const shown = target === "" || target.endsWith("_") ? image : `<a href="${escapeHtml(target)}">${image}</a>`;
  const [caption, ...legend] = content.join("\n").split(/\n\n+/);
  if (caption === undefined || caption === "") return `<p>${shown}</p>`;
  const captionHtml =
    caption === ".." ? "" : `<figcaption>${read(caption.split("\n")).replace(/<\/?p>/g, "")}</figcaption>`;
  return `<figure>${shown}${captionHtml}</figure>${read(legend.join("\n\n").split("\n"))}`;
}

/** The pages below this one: a table of contents, which is kept only by a page that has nothing else. */
function toctree(content: readonly string[], inline: (text: string) => string): string {
  const items = content
    .filter((line) => line !== "" && !line.startsWith(":"))
    .map((line) => {
      const [, title = "", target = ""] = /^(.*?)\s*<([^>]+)>$/.exec(line) ?? [];
      const path = target || line.trim();
      const href = /^\w+:\/\//.test(path) ? path : `doc:${path}`;
      return path === "self" ? "" : `<li><a href="${escapeHtml(href)}">${inline(title || path)}</a></li>`;
    });
  return items.length === 0 ? "" : `<div class="toc"><ul>${items.join("")}</ul></div>`;
}

/** `.. availability:: Unix` is shown as it is written: its name, its arguments, its content. */
function unknown({ name, args, content }: Parts, inline: (text: string) => string, read: ReadLines): string {
  const label = capitalised(name.replace(/^.*:/, "").replaceAll("-", " "));
  return args === "" ? read(content) : `<p><em>${escapeHtml(label)}:</em> ${inline(args)}</p>${read(content)}`;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
