import { attribute, classesOf, findElement, isElement, parentOf, textStart, type Element } from "./dom.ts";

/** How far above a `pre` its language may be said: Sphinx says it two elements above, devsite and Jaspr one. */
const MAX_LEVELS_ABOVE = 3;

const ATTRIBUTES = [
  "syntax",
  "data-language",
  "data-lang",
  "language",
  "data-enlighter-language",
  "data-code-language",
];

/** The `code` of a `pre` is among its first elements. */
const MAX_LOOK = 6;

/** Words in class names and attributes that say "code" and not which. */
const NO_LANGUAGES: ReadonlySet<string> = new Set([
  "highlight",
  "notranslate",
  "prettyprint",
  "hljs",
  "default",
  "none",
  "text",
  "plain",
  "plaintext",
  "txt",
  "nohighlight",
  "no-highlight",
  "code",
  "source",
  "literal-block",
  "screen",
  "undefined",
  "null",
  "auto",
  "unknown",
  "raw",
  "listing",
  "w3",
  "output",
  "numbersource",
  "numberlines",
  "myst-ansi",
]);

/** Class prefixes that a language name follows, most telling first. */
const PREFIXES = [
  "language-",
  "lang-",
  "highlight-source-",
  "mw-highlight-lang-",
  "highlight-text-",
  "brush:",
  "src-",
  "sourceCode-",
];

const LANGUAGE_NAME = /^[A-Za-z][\w+#.-]{0,30}$/;

/** Classes that are a language by themselves, where a site says no more: rustdoc, pandoc, DocBook, Pygments. */
const BARE: ReadonlySet<string> = new Set([
  "rust",
  "python",
  "bash",
  "sh",
  "shell",
  "console",
  "java",
  "kotlin",
  "javascript",
  "js",
  "typescript",
  "ts",
  "json",
  "yaml",
  "xml",
  "html",
  "css",
  "sql",
  "c",
  "cpp",
  "go",
  "ruby",
  "php",
  "perl",
  "haskell",
  "dart",
  "swift",
  "toml",
  "ini",
  "diff",
  "qml",
  "scala",
  "lua",
  "erlang",
  "elixir",
  "cmake",
  "groovy",
  "powershell",
  "cs",
  "csharp",
  "r",
  "jsx",
  "tsx",
  "graphql",
  "dockerfile",
  "scss",
  "clojure",
  "makefile",
  "mermaid",
]);

/**
 * The language of a code block, in lower case: from the attributes and classes of `pre` and its `code`, then of what is around
 * them; "" when nothing says it.
 */
export function languageOf(pre: Element): string {
  // mdBook puts a `pre` into a `pre`.
  const code = findElement(pre, (inner) => inner.name === "code", MAX_LOOK);
  const found = languageOn(pre, true) || (code === undefined ? "" : languageOn(code, true));
  if (found !== "") return found;
  let level = 0;
  for (let above = pre.parent; level < MAX_LEVELS_ABOVE && isElement(above); above = above.parent) {
    const language = languageAbove(above);
    if (language !== "") return language;
    // Lines and their numbers are laid out as a table of one row, which is no further away than the code in it.
    if (!TABLE_PARTS.has(above.name)) level++;
  }
  return labelledLanguage(pre);
}

/** Classes of words above code that name its language: MDN's, Microsoft's, VitePress'. */
const LABEL_CLASSES: ReadonlySet<string> = new Set([
  "language",
  "language-name",
  "lang",
  "code-lang",
  "code-block-language",
  "code-language",
]);
const MAX_LABEL_CHARACTERS = 40;

/** Whether an element is only the name of the language of the code that comes next, and no text. */
export function isLanguageLabel(element: Element): boolean {
  if (element.name !== "span" || !isLabel(element)) return false;
  if (isPre(nextElement(element))) return true;
  const around = parentOf(element);
  // A bar above the code, with the label and buttons.
  return around?.name === "div" && !hasOwnText(around) && isPre(nextElement(around));
}

/** A label before the code, or in a bar before the box that the code is in. */
function labelledLanguage(pre: Element): string {
  let element: Element | undefined = pre;
  for (let level = 0; level < MAX_LEVELS_ABOVE && element !== undefined; level++, element = parentOf(element)) {
    const before = previousElement(element);
    if (before === undefined) continue;
    const label = isLabel(before) ? before : findElement(before, isLabel, MAX_LOOK);
    // What is in the box of other code is the label of that.
    if (label === undefined || findElement(before, isPre, MAX_LOOK * MAX_LOOK) !== undefined) continue;
    return asLanguage(textStart(label, MAX_LABEL_CHARACTERS).replace(/\s/g, ""));
  }
  return "";
}

function isLabel(element: Element): boolean {
  return (
    classesOf(element).some((name) => LABEL_CLASSES.has(name)) &&
    textStart(element, MAX_LABEL_CHARACTERS).trim().length <= MAX_LABEL_CHARACTERS
  );
}

function previousElement(element: Element): Element | undefined {
  let { prev } = element;
  while (prev?.type === "text" && prev.data.trim() === "") ({ prev } = prev);
  return isElement(prev) ? prev : undefined;
}

function nextElement(element: Element): Element | undefined {
  let { next } = element;
  while (next?.type === "text" && next.data.trim() === "") ({ next } = next);
  return isElement(next) ? next : undefined;
}

function isPre(element: Element | undefined): boolean {
  return element?.name === "pre";
}

function hasOwnText(element: Element): boolean {
  return element.children.some((child) => child.type === "text" && child.data.trim() !== "");
}

const TABLE_PARTS: ReadonlySet<string> = new Set(["td", "tr", "tbody", "table"]);

function languageOn(element: Element, bare: boolean): string {
  for (const name of ATTRIBUTES) {
    const language = asLanguage(attribute(element, name));
    if (language !== "") return language;
  }
  // `lang` is the language of a text, but people write that of code there as well.
  const lang = bare ? attribute(element, "lang").toLowerCase() : "";
  if (BARE.has(lang)) return lang;
  const classes = classesOf(element);
  for (const [index, className] of classes.entries()) {
    for (const prefix of PREFIXES) {
      if (!className.startsWith(prefix)) continue;
      // `brush: js;` and, elsewhere, `language- x` are two words.
      const named = className.length > prefix.length ? className.slice(prefix.length) : (classes[index + 1] ?? "");
      const language = asLanguage(named);
      if (language !== "") return language;
    }
    if (className === "sourceCode") {
      // pandoc's words for numbered lines may stand before the language.
      const language = classes
        .slice(index + 1)
        .map(asLanguage)
        .find((name) => name !== "");
      if (language !== undefined) return language;
    }
  }
  if (bare && classes.includes("hljs")) {
    const language = classes
      .filter((name) => !name.includes("-"))
      .map(asLanguage)
      .find((name) => name !== "");
    if (language !== undefined) return language;
  }
  return bare ? (classes.find((className) => BARE.has(className.toLowerCase()))?.toLowerCase() ?? "") : "";
}

/** Around a block, `highlight-x` is Sphinx' and `language-x` everyone's; a bare word there may mean anything. */
function languageAbove(element: Element): string {
  const language = languageOn(element, false);
  if (language !== "") return language;
  for (const className of classesOf(element)) {
    if (!className.startsWith("highlight-")) continue;
    const named = asLanguage(className.slice("highlight-".length));
    // `default` and `none` are Sphinx' words for "not said": what is around says nothing more.
    return named;
  }
  return "";
}

function asLanguage(value: string): string {
  const name = (value.split(/[;,\s{(]/, 1)[0] ?? "").toLowerCase();
  if (!LANGUAGE_NAME.test(name) || NO_LANGUAGES.has(name)) return "";
  if (name === "html-basic") return "html";
  return name === "pycon3" || name === "python3" || name === "ipython3" ? name.slice(0, -1) : name;
}
