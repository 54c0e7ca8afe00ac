import type { ConvertRule } from "../../domain/convert-rule.ts";
import type { Element } from "./dom.ts";
import { SelectorSet } from "./selectors.ts";

/** A rule of a pipeline, ready to be asked of every element. */
export interface SiteRule {
  readonly rule: ConvertRule;
  readonly set: SelectorSet;
}

export function siteRules(rules: readonly ConvertRule[]): readonly SiteRule[] {
  return rules.map((rule) => ({ rule, set: new SelectorSet([rule.match]) }));
}

/** The rule that says what an element means; undefined when none does. */
export function siteRuleOf(rules: readonly SiteRule[], element: Element): ConvertRule | undefined {
  return rules.find(({ set }) => set.matches(element))?.rule;
}
