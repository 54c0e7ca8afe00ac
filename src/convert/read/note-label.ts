import { ALERTS, LABELS } from "./admonition-kinds.ts";
import { collapse } from "./clean-text.ts";
import { isElement, textStart, type AnyNode, type Element } from "./dom.ts";

/**
 * Whether a note begins with the word for its kind, as devsite's do, so that no label need be put before it. The word is in an
 * element of its own, or a sign follows it: "Notebooks are saved" and "Warnings are red" are sentences.
 */
export function beginsWithLabel(element: Element, label: string): boolean {
  const text = collapse(textStart(element, 60)).trim();
  if (!text.toLowerCase().startsWith(label.toLowerCase())) return false;
  const rest = text.slice(label.length);
  if (LABEL_END.test(rest)) return true;
  return firstText(element).toLowerCase() === label.toLowerCase();
}

const LABEL_END = /^(?: ?[:：]|[.!](?: |$)| [-–—] )/u;

/** Whether a title says no more than the kind of its note, as GitHub names it. */
export function isWordForKind(title: string, label: string, alert: string): boolean {
  if (alert === "") return false;
  const word = title.replace(/ ?[:：!.]$/u, "").toLowerCase();
  return word === label.toLowerCase() || (ALERTS[word] ?? "") === alert;
}

/**
 * Takes the word for its kind away from the beginning of a note that says it in its text: `Note: `. What is returned puts it
 * back, for the page's tree is not ours. A word that no sign follows is a part of the sentence, and stays.
 */
export function withoutLabel(element: Element, label: string, alert: string): (() => void) | undefined {
  const [first, second] = firstTexts(element);
  if (first === undefined) return undefined;
  const word = /^\s*([\p{L}]+)/u.exec(first.data)?.[1] ?? "";
  if (word === "" || !isWordForKind(word, label, alert)) return undefined;
  const rest = first.data.slice(first.data.indexOf(word) + word.length);
  const sign = LABEL_SIGN.exec(rest);
  if (sign !== null) return replaced([first, rest.slice(sign[0].length)]);
  const signBehind = rest.trim() === "" && second !== undefined ? LABEL_SIGN.exec(second.data) : null;
  return signBehind === null || second === undefined
    ? undefined
    : replaced([first, ""], [second, second.data.slice(signBehind[0].length)]);
}

const LABEL_SIGN = /^(?:\s?[:：]|[.!](?=\s|$)|\s[-–—](?=\s))\s*/u;

type Text = Extract<AnyNode, { type: "text" }>;

function replaced(...changes: readonly (readonly [text: Text, data: string])[]): () => void {
  const before = changes.map(([text]) => text.data);
  for (const [text, data] of changes) text.data = data;
  return () => {
    for (const [i, [text]] of changes.entries()) text.data = before[i] ?? "";
  };
}

/** The first pieces of text in an element that are not blank: its first line begins with them. */
function firstTexts(element: Element): readonly Text[] {
  const found: Text[] = [];
  const stack: AnyNode[] = element.children.toReversed();
  for (
    let looked = 0, node = stack.pop();
    node !== undefined && looked < MAX_LOOK_FOR_LABEL;
    looked++, node = stack.pop()
  ) {
    if (node.type === "text" && node.data.trim() !== "" && found.push(node) === 2) break;
    if (isElement(node)) stack.push(...node.children.toReversed());
  }
  return found;
}

const MAX_LOOK_FOR_LABEL = 30;

/** A quote that begins with `[!KIND]`, as GitHub's and Obsidian's notes are written. */
export function quotedNote(
  quote: Element,
): { readonly alert: string; readonly title: string; readonly restore: () => void } | undefined {
  const [first] = firstTexts(quote);
  if (first === undefined) return undefined;
  const written = /^\s*\[!([a-z]{2,20})\][+-]?[ \t]*(.*)/i.exec(first.data);
  if (written === null) return undefined;
  const [whole, kind = "", title = ""] = written;
  const known = kind.toLowerCase();
  const alert = ALERTS[known] ?? "";
  if (alert === "" && !Object.hasOwn(LABELS, known)) return undefined;
  // What stands behind it is its title only where a line ends it.
  const isTitle = first.data.length > whole.length && title !== "";
  const taken = isTitle || title === "" ? whole.length : whole.length - title.length;
  const label = alert === "" ? (LABELS[known] ?? "") : "";
  return { alert, title: isTitle ? title : label, restore: replaced([first, first.data.slice(taken)]) };
}

/** The first piece of text in an element, as far as its parts go. */
function firstText(element: Element): string {
  return collapse(firstTexts(element)[0]?.data ?? "").trim();
}

/** A title as it is shown: generators write the kind in lower or upper case, and leave it to the style sheet. */
export function titleText(raw: string, label: string): string {
  const text = collapse(raw).trim();
  if (text.toLowerCase() === label.toLowerCase()) return label;
  return /^[a-z]+$/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
