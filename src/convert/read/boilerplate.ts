import { collapse } from "./clean-text.ts";
import { textStart, type Element } from "./dom.ts";

/** What sites write under every page, with a piece of it that is in the HTML of each page that has it. */
const BOILERPLATE: readonly { readonly sign: string; readonly text: RegExp }[] = [
  { sign: "helpful", text: /^(?:was|is) this (?:page |article |section |content |information )?helpful\b.{0,60}$/i },
  { sign: "Except as otherwise noted", text: /^except as otherwise noted, the content of this page is licensed/i },
  { sign: "Last ", text: /^last (?:updated|modified|edited)\b.{0,60}$/i },
  { sign: "Edit this page", text: /^edit this page(?: on \w+)?\.?$/i },
  { sign: "eedback", text: /^(?:send|give|provide) feedback(?: about this page)?\.?$/i },
  { sign: "cookies", text: /^(?:this (?:site|website)|we) uses? cookies\b.{0,250}$/i },
];

const LONGEST = 320;

/** Whether a block is what the site writes under every page. */
export type BoilerplateTest = (block: Element) => boolean;

/** The test for a page; most pages have none of it, and are spared looking. */
export function boilerplateTest(html: string): BoilerplateTest {
  const possible = BOILERPLATE.filter(({ sign }) => html.includes(sign));
  if (possible.length === 0) return () => false;
  return (block) => {
    const text = collapse(textStart(block, LONGEST)).trim();
    return text.length <= LONGEST && possible.some((one) => one.text.test(text));
  };
}
