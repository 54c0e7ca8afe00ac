import { collapse } from "./clean-text.ts";
import { attribute, childElements, classesOf, hasClass, findElement, isElement, textOf, type Element } from "./dom.ts";
import { isPermalink } from "./heading.ts";
import { isHidden } from "./hidden.ts";
import type { Signature } from "../tree/markdown-node.ts";

/** Classes of definition lists that describe an object of an API: Sphinx before 4 says no more. */
const OBJECT_CLASSES: ReadonlySet<string> = new Set([
  "function",
  "method",
  "class",
  "attribute",
  "data",
  "exception",
  "classmethod",
  "staticmethod",
  "property",
  "macro",
  "member",
  "type",
  "var",
  "enum",
  "enumerator",
  "struct",
  "union",
  "describe",
  "option",
  "cmdoption",
  "envvar",
  "directive",
  "setting",
  "module",
  "command",
  "opcode",
  "pdbcommand",
  "confval",
  "templatetag",
  "templatefilter",
  "fieldlookup",
  "django-admin",
  "django-admin-option",
]);

const MAX_NAME_LENGTH = 100;

/** Terms of Texinfo's definition commands, such as `@deftypefn`, and those that go on from one. */
const TEXINFO_DEFINITION =
  /^def(?:fn|un|mac|spec|vr|var|opt|typefn|typefun|typevr|typevar|typemethod|typeop|typecv|typeivar|cv|ivar|op|method|tp|block|line)x?$/;

/** Whether a definition list describes objects of an API, whose terms are signatures, and not words. */
export function isObjectList(list: Element): boolean {
  const term = childElements(list).find((child) => child.name === "dt");
  if (term === undefined) return false;
  if (hasClass(term, "sig")) return true;
  if (classesOf(term).some((name) => TEXINFO_DEFINITION.test(name)) || hasCategory(term)) return true;
  return attribute(term, "id") !== "" && classesOf(list).some((name) => OBJECT_CLASSES.has(name)) && isSignature(term);
}

/** Before Texinfo 7 only the category says what a term is: `Function: `. */
function hasCategory(term: Element): boolean {
  return (
    findElement(term, (inner) => hasClass(inner, "category-def") || hasClass(inner, "category"), MAX_LOOK) !== undefined
  );
}

const MAX_LOOK = 4;

function isSignature(term: Element): boolean {
  return findElement(term, (inner) => hasClass(inner, "descname") || hasClass(inner, "sig-name")) !== undefined;
}

/** A signature in one line, as it would be written in code. */
export function signatureText(term: Element): string {
  const lists = childElements(term).filter((child) => child.name === "dl");
  if (lists.length === 0) return collapse(textOf(term, isNoSignature)).trim();
  // Sphinx gives each parameter of a long signature a line of its own.
  let text = "";
  let afterList = false;
  for (const node of term.children) {
    if (isElement(node) && (isNoSignature(node) || node.type !== "tag")) continue;
    if (isElement(node) && node.name === "dl") {
      const lines = childElements(node).map((line) => collapse(textOf(line, isNoSignature)).trim());
      const joined = lines.filter((line) => line !== "").join(" ");
      text = text.trimEnd() + (joined.endsWith(",") ? joined.slice(0, -1) : joined);
      afterList = true;
    } else {
      const part = collapse(textOf(node, isNoSignature));
      text += afterList ? part.trimStart() : part;
      afterList &&= part.trim() === "";
    }
  }
  return text.trim();
}

const NAME_CLASSES = ["descname", "sig-name", "def-name"];

/** What breadcrumbs call an object: its name with its module or class, without its parameters. */
export function signatureOf(term: Element): Signature {
  const anchor = attribute(term, "id");
  const name = findElement(term, (inner) => NAME_CLASSES.some((one) => hasClass(inner, one)));
  const prefix = findElement(term, (inner) => hasClass(inner, "descclassname") || hasClass(inner, "sig-prename"));
  const full = collapse((prefix === undefined ? "" : textOf(prefix)) + (name === undefined ? "" : textOf(name))).trim();
  return {
    name: (full || signatureText(term).split(/[(=]/, 1)[0]?.trim() || anchor).slice(0, MAX_NAME_LENGTH),
    anchor,
  };
}

function isNoSignature(inner: Element): boolean {
  if (inner.name === "a" && (isPermalink(inner, true) || isSourceLink(inner))) return true;
  return inner.name === "button" || isHidden(inner);
}

/** Sphinx' `[source]`: the class is that of the link or of what is in it. */
function isSourceLink(link: Element): boolean {
  return findElement(link, (inner) => hasClass(inner, "viewcode-link"), MAX_LOOK) !== undefined;
}
