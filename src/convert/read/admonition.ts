import { attribute, childElements, classesOf, hasAttribute, hasClass, textStart, type Element } from "./dom.ts";
import { ALERTS, LABELS } from "./admonition-kinds.ts";

/** A note, warning or tip that is set off from the text. */
export interface Admonition {
  /** What readers see as its kind, such as "Note"; "" for a quote without one. */
  readonly label: string;
  /** Its kind among GitHub's, such as `WARNING`, for one whose title is its own; "" for other kinds. */
  readonly alert: string;
  /** The element that holds its title; undefined when there is none. */
  readonly title: Element | undefined;
  /** What the note is made of, when that is not all of its element: the cell beside an icon. */
  readonly body: Element | undefined;
}

/** Classes that say "this is an admonition", whatever its kind. */
const MARKERS: ReadonlySet<string> = new Set([
  "admonition",
  "theme-admonition",
  "custom-block",
  "markdown-alert",
  "admonitionblock",
  "alert",
  "callout",
  "hint",
  "notecard",
  "starlight-aside",
  "blockquote-tag",
  "bd-callout",
  "callout-block",
  "docs-alert",
]);

/** Kinds that are an admonition when they are the class of a block, with no marker beside them. */
const BARE_KINDS: ReadonlySet<string> = new Set([
  "note",
  "warning",
  "tip",
  "caution",
  "important",
  "danger",
  "hint",
  "attention",
  "key-point",
  "key-term",
]);

const TITLE_CLASSES: ReadonlySet<string> = new Set([
  "admonition-title",
  "custom-block-title",
  "markdown-alert-title",
  "starlight-aside__title",
  "alert-title",
  "callout-title",
  "hint-title",
  "note-title",
  "admonition-heading",
  "alert-header",
  "blockquote-tag-title",
]);

/** Block elements that can be an admonition by their class. */
const BLOCKS: ReadonlySet<string> = new Set([
  "div",
  "aside",
  "section",
  "blockquote",
  "details",
  "p",
  "dl",
  "devsite-callout",
  "fieldset",
]);

/** A page's own elements for notes, such as Shoelace's `sl-alert`, which say the kind in an attribute. */
const NOTE_ELEMENT = /-(?:alert|callout|admonition|note|hint|aside)$/;
const KIND_ATTRIBUTES = ["type", "variant", "kind", "level", "data-type"];

/** The admonition that an element is, in any generator's way; undefined when it is none. */
export function admonitionOf(element: Element): Admonition | undefined {
  if (NOTE_ELEMENT.test(element.name)) return noteElement(element);
  if (!BLOCKS.has(element.name)) return undefined;
  if (element.name === "blockquote") {
    const exdoc = exdocNote(element);
    if (exdoc !== undefined) return exdoc;
  }
  const classes = classesOf(element);
  if (classes.length === 0)
    return element.name === "aside" ? { label: "", alert: "", title: undefined, body: undefined } : undefined;
  const kind = kindOf(element, classes);
  if (kind === undefined) return undefined;
  const laidOut = docbookNote(element);
  if (laidOut !== undefined) return { label: LABELS[kind] ?? "", alert: ALERTS[kind] ?? "", ...laidOut };
  const isAsciiDoc = hasClass(element, "admonitionblock");
  const body = isAsciiDoc ? cellIn(element) : undefined;
  // The cell of the icon has the word for the kind; a title of its own stands with the text.
  const own = body === undefined ? undefined : childElements(body).find((child) => isTitle(child, true, false));
  const title = own ?? titleIn(element, isAsciiDoc);
  return { label: LABELS[kind] ?? "", alert: ALERTS[kind] ?? "", title, body };
}

function noteElement(element: Element): Admonition | undefined {
  const kind = KIND_ATTRIBUTES.map((name) => attribute(element, name).toLowerCase()).find((value) =>
    Object.hasOwn(LABELS, value),
  );
  return kind === undefined ? undefined : admonitionByRule(element, kind);
}

/** The note that an element is by a rule of its site. @param title Where its title is, if that is known. */
export function admonitionByRule(element: Element, kind: string, label?: string, title?: Element): Admonition {
  return {
    label: label ?? LABELS[kind] ?? "",
    alert: label === undefined ? (ALERTS[kind] ?? "") : "",
    title: title ?? titleIn(element, false),
    body: undefined,
  };
}

/** DocBook lays a note with an icon out as a table: the icon beside two rows, the title in the first, the text in the second. */
function docbookNote(element: Element): Pick<Admonition, "title" | "body"> | undefined {
  const [table, ...others] = childElements(element);
  if (table?.name !== "table" || others.length > 0) return undefined;
  const rows = childElements(table)
    .flatMap((part) => (part.name === "tbody" ? childElements(part) : [part]))
    .filter(({ name }) => name === "tr");
  const [icon, beside] = rows[0] === undefined ? [] : childElements(rows[0]);
  if (icon === undefined || textStart(icon, 1).trim() !== "") return undefined;
  if (!childElements(icon).some(({ name }) => name === "img")) return undefined;
  // With no title the text is right beside the icon.
  if (rows.length === 1) return { title: undefined, body: beside };
  const body = rows.length > 2 || rows[1] === undefined ? [] : childElements(rows[1]);
  return hasAttribute(icon, "rowspan") && body.length === 1 ? { title: beside, body: body[0] } : undefined;
}

/** ExDoc's notes are quotes that begin with a heading whose class is their kind. */
function exdocNote(quote: Element): Admonition | undefined {
  const [title] = childElements(quote);
  if (title === undefined || (title.name !== "h3" && title.name !== "h4")) return undefined;
  const kind = classesOf(title).find((name) => EXDOC_KINDS.has(name));
  return kind === undefined
    ? undefined
    : { label: LABELS[kind] ?? "", alert: ALERTS[kind] ?? "", title, body: undefined };
}

const EXDOC_KINDS: ReadonlySet<string> = new Set(["error", "info", "neutral", "tip", "warning"]);

function kindOf(element: Element, classes: readonly string[]): string | undefined {
  const marked = classes.some((name) => MARKERS.has(name) || MARKER_PREFIXES.some((prefix) => name.startsWith(prefix)));
  // A box that opens is a box, whatever its colour; VitePress and MkDocs make notes of some.
  if (element.name === "details" && classes.includes("alert")) return undefined;
  const said = attribute(element, "data-callout-type");
  if (Object.hasOwn(LABELS, said)) return said;
  // `hint hint-info` is an info.
  const kinds = marked
    ? [...classes.map(withoutPrefix).filter((kind, i) => kind !== classes[i]), ...classes]
    : [...classes];
  // `hint info` too: the word for the box stands beside that for its kind.
  if (classes.includes("hint")) kinds.sort((one, other) => Number(one === "hint") - Number(other === "hint"));
  for (const kind of kinds) {
    if (!Object.hasOwn(LABELS, kind)) continue;
    if (marked || element.name === "aside" || (BARE_KINDS.has(kind) && (element.name !== "p" || classes.length === 1)))
      return kind;
  }
  if (!marked) return element.name === "aside" ? "" : undefined;
  // Of a kind that is not known: only a title tells an alert from a coloured box.
  return classes.includes("alert") && element.name !== "aside" && !isTitled(element) ? undefined : "";
}

/** What stands before the kind in class names, the longer before the shorter. */
const KIND_PREFIXES = [
  "theme-admonition-",
  "starlight-aside--",
  "markdown-alert-",
  "blockquote-tag-",
  "admonition-",
  "callout-",
  "docs-alert-",
  "bd-callout-",
  "alert--",
  "alert-",
  "hint-",
];
const MARKER_PREFIXES = ["theme-admonition-", "starlight-aside--"];

function withoutPrefix(name: string): string {
  const prefix = KIND_PREFIXES.find((candidate) => name.startsWith(candidate)) ?? "";
  return name.slice(prefix.length);
}

function isTitled(element: Element): boolean {
  return titleIn(element, false) !== undefined;
}

/** The title: by its class, or a heading or summary that comes first. It is at most three elements in. */
function titleIn(element: Element, asciiDoc: boolean): Element | undefined {
  let level = [element];
  for (let depth = 0; depth < (asciiDoc ? 5 : 3); depth++) {
    const next: Element[] = [];
    for (const outer of level) {
      for (const [index, child] of childElements(outer).slice(0, 4).entries()) {
        if (isTitle(child, asciiDoc, index === 0 && depth === 0)) return child;
        next.push(child);
      }
    }
    level = next.slice(0, 8);
  }
  return undefined;
}

function isTitle(element: Element, asciiDoc: boolean, first: boolean): boolean {
  for (const name of classesOf(element)) {
    if (TITLE_CLASSES.has(name) || name.startsWith("admonitionHeading") || name.startsWith("admonition-heading"))
      return true;
    if (
      name === "title" &&
      (asciiDoc || /^(?:h[1-6]|p)$/.test(element.name)) &&
      !(asciiDoc && element.name === "div" && textStart(element, 200).length > 100)
    ) {
      return true;
    }
  }
  return first && /^(?:h[1-6]|summary|dt|legend)$/.test(element.name);
}

function cellIn(element: Element): Element | undefined {
  let level = [element];
  for (let depth = 0; depth < 5; depth++) {
    const cell = level.find((inner) => hasClass(inner, "content") && inner.name === "td");
    if (cell !== undefined) return cell;
    level = level.flatMap((inner) => childElements(inner).slice(0, 8)).slice(0, 32);
  }
  return undefined;
}
