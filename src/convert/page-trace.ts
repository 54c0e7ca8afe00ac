import type { ConvertRule } from "../domain/convert-rule.ts";
import type { ConvertOptions } from "../domain/source.ts";
import type { ContentRoot } from "./content-root.ts";
import { DROPPED_EVERYWHERE } from "./generators/generators.ts";
import { collapse } from "./read/clean-text.ts";
import { attribute, textStart, type Element } from "./read/dom.ts";
import { isHidden, isSilent } from "./read/hidden.ts";
import { SelectorSet } from "./read/selectors.ts";

/** What one rule dropped from a page. */
export interface Dropped {
  /** Whose rule it is: the pipeline's, that of a generator or of all pages, or the converter's own. */
  readonly by: string;
  /** The selector, tag or reason. */
  readonly rule: string;
  /** Elements, each with all that is in it. */
  readonly elements: number;
  /** How the text of the first that has one begins; "" when none has. */
  readonly example: string;
}

/** What a rule of the pipeline was used on. */
export interface Used {
  /** The rule's selector, and what it says that elements are. */
  readonly match: string;
  readonly as: string;
  readonly elements: number;
  readonly example: string;
}

const EXAMPLE_CHARACTERS = 60;

/** Writes down how a page is converted: where its main content was found, and what was dropped by which rule. */
export class PageTrace {
  /** undefined for what is no HTML, or was told apart before it was read. */
  root: ContentRoot | undefined;
  private rules: readonly { readonly by: string; readonly selector: string; readonly set: SelectorSet }[] = [];
  private readonly counts = new Map<string, Dropped>();
  private readonly uses = new Map<ConvertRule, Used>();

  /** A reading begins; what was dropped by one before it does not count. */
  begin(root: ContentRoot, options: ConvertOptions): void {
    const { id, drop = [], contents = [] } = root.generator;
    this.root = root;
    this.counts.clear();
    this.uses.clear();
    for (const rule of options.rules ?? [])
      this.uses.set(rule, { match: rule.match, as: rule.as, elements: 0, example: "" });
    this.rules = [
      ...options.remove.map((selector) => ({ by: "pipeline", selector })),
      ...[...drop, ...contents].map((selector) => ({ by: id, selector })),
      ...DROPPED_EVERYWHERE.map((selector) => ({ by: "all pages", selector })),
    ].map((rule) => ({ ...rule, set: new SelectorSet([rule.selector]) }));
  }

  drop(element: Element): void {
    const { by, rule } = this.ruleOf(element);
    const key = `${by} ${rule}`;
    const before = this.counts.get(key);
    const example = before?.example || exampleOf(element);
    this.counts.set(key, { by, rule, elements: (before?.elements ?? 0) + 1, example });
  }

  use(element: Element, rule: ConvertRule): void {
    const { elements = 0, example = "" } = this.uses.get(rule) ?? {};
    const { match, as } = rule;
    this.uses.set(rule, { match, as, elements: elements + 1, example: example || exampleOf(element) });
  }

  /** The rules of the pipeline, in its order, each with what it was used on. */
  used(): readonly Used[] {
    return [...this.uses.values()];
  }

  /** What was dropped, most elements first. */
  dropped(): readonly Dropped[] {
    return [...this.counts.values()].sort((a, b) => b.elements - a.elements);
  }

  private ruleOf(element: Element): { readonly by: string; readonly rule: string } {
    const selected = this.rules.find(({ set }) => set.matches(element));
    if (selected !== undefined) return { by: selected.by, rule: selected.selector };
    if (isSilent(element)) {
      const role = attribute(element, "role");
      return { by: "never text", rule: role === "" ? element.name : `${element.name}[role=${role}]` };
    }
    if (isHidden(element)) return { by: "hidden", rule: hidingOf(element) };
    if (element.name === "footer" || element.name === "form") return { by: "never text", rule: element.name };
    return { by: "under every page", rule: element.name };
  }
}

function exampleOf(element: Element): string {
  return collapse(textStart(element, EXAMPLE_CHARACTERS)).trim().slice(0, EXAMPLE_CHARACTERS);
}

/** By what an element is hidden, for people. */
function hidingOf(element: Element): string {
  for (const name of ["hidden", "style", "aria-hidden"]) {
    const value = element.attribs[name];
    if (value !== undefined) return value === "" ? name : `${name}="${value}"`;
  }
  return `.${attribute(element, "class").trim()}`;
}
