import type { ConvertRule } from "../../domain/convert-rule.ts";
import { admonitionByRule } from "./admonition.ts";
import { collapse } from "./clean-text.ts";
import { attribute, childElements, textOf, type AnyNode, type Element } from "./dom.ts";
import type { OpenDefinitions, PageReader } from "./page-reader.ts";
import { readBlock, readCodeBlock, readHeadingOf, readParagraph } from "./read-block.ts";
import { readDefinition, readTerm } from "./read-definitions.ts";
import { readAdmonition, readQuote } from "./read-note.ts";
import { SelectorSet } from "./selectors.ts";

/** Reads an element as a rule says. */
export function readByRule(reader: PageReader, element: Element, rule: ConvertRule): void {
  switch (rule.as) {
    case "code":
      readCodeBlock(reader, element, rule.language);
      break;
    case "tabs":
      readTabs(reader, element, rule);
      break;
    case "definitions":
      readTerms(reader, element, rule.terms);
      break;
    case "heading":
      readHeadingOf(reader, element, `H${rule.level}`);
      break;
    case "paragraph":
      readParagraph(reader, element);
      break;
    case "quote":
      readQuote(reader, element);
      break;
    case "text":
      readBlock(reader, element);
      break;
    default: {
      const title =
        rule.title === undefined ? undefined : elementsIn(element, rule.title, new SelectorSet([rule.match]))[0];
      readAdmonition(reader, element, admonitionByRule(element, rule.as, rule.label, title));
    }
  }
}

/** Gives the panels their labels, and reads on: each panel is met where it stands. */
function readTabs(reader: PageReader, element: Element, rule: Extract<ConvertRule, { as: "tabs" }>): void {
  // Tabs within a panel have their own panels, and are looked into by themselves.
  const inner = new SelectorSet([rule.match]);
  const panels = elementsIn(element, rule.panels, inner);
  const labels = rule.labels === undefined ? [] : elementsIn(element, rule.labels, inner);
  for (const [i, panel] of panels.entries()) {
    const label = labels[i];
    const text = label === undefined ? attribute(panel, rule.labelAttribute ?? "") : textOf(label);
    const shown = collapse(text).trim();
    if (shown !== "") reader.panels.set(panel, shown);
    if (label !== undefined) reader.done.add(label);
  }
  readBlock(reader, element);
}

/** Terms, and all that stands between them, which is what is said of the one before. */
function readTerms(reader: PageReader, element: Element, terms: string): void {
  const { builder } = reader;
  const set = new SelectorSet([terms]);
  const list = builder.openContainer("UL", { tight: "true" });
  const open: OpenDefinitions = {
    objects: false,
    outer: builder.containers.signatures,
    item: undefined,
    last: undefined,
  };
  reader.definitions.push(open);
  const parts = childElements(element).flatMap((child) =>
    // Each pair may be in an element of its own.
    !set.matches(child) && childElements(child).some((inner) => set.matches(inner)) ? childElements(child) : [child],
  );
  reader.doNext(
    ...parts.map((part) => (): void => {
      if (set.matches(part)) readTerm(reader, part);
      else readDefinition(reader, part);
    }),
    () => {
      reader.definitions.pop();
      if (open.item !== undefined) builder.closeContainer(open.item);
      builder.closeContainer(list);
    },
  );
}

/** Elements within one that a selector matches, without those within another, or within one of `others`. */
function elementsIn(root: Element, selector: string, others?: SelectorSet): readonly Element[] {
  const set = new SelectorSet([selector]);
  const found: Element[] = [];
  const stack: AnyNode[] = root.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type !== "tag") continue;
    if (set.matches(node)) found.push(node);
    else if (others?.matches(node) !== true) for (const child of node.children.toReversed()) stack.push(child);
  }
  return found;
}
