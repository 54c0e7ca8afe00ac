import type { RstInline } from "./rst-inline.ts";
import { escapeHtml, type RstNames } from "./rst-source.ts";

/** What of a document is known where a block is read. */
export interface RstContext {
  readonly names: RstNames;
  readonly inline: RstInline;
  /** Styles of titles, the highest first. */
  readonly titleStyles: string[];
  /** The language of code that does not say it, as the last `highlight` directive did. */
  language: string;
  /** The module whose objects are described, as the last `module` directive said. */
  module: string;
  /** How many objects of an API the text is in. */
  objects: number;
  footnotes: number;
}

/** A block of code as HTML. The newline after `pre` is none of the code. */
export function codeHtml(lines: readonly string[], language: string): string {
  const isDialogue = lines[0]?.startsWith(">>> ") === true;
  const name = language === "" && isDialogue ? "pycon" : language;
  // What a test of the dialogue is told is not of it.
  const shown = isDialogue
    ? lines.map((line) => line.replace(/\s{0,20}#\s{0,4}doctest: ?[+-].*$/, "").replace(/^\s*<BLANKLINE>$/, ""))
    : lines;
  const said = name === "" ? "" : ` class="language-${escapeHtml(name)}"`;
  return `<pre${said}>\n${escapeHtml(shown.join("\n"))}</pre>`;
}
