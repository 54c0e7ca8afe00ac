import { collapse } from "./clean-text.ts";
import { attribute, childElements, classesOf, hasClass, findElement, textOf, type Element } from "./dom.ts";
import { isPermalink } from "./heading.ts";
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
  return collapse(textOf(term, isNoSignature)).trim();
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
  return inner.name === "a" && isPermalink(inner, true);
}
