/** What one part of a reStructuredText document says and another needs: where names lead, and what stands for what. */
export interface RstNames {
  /** Where a name leads: a URL, or `#id` within the document. */
  readonly targets: ReadonlyMap<string, string>;
  /** Where the references without a name lead, in their order. */
  readonly anonymous: readonly string[];
  /** Titles of the sections that labels stand before. */
  readonly sectionTitles: ReadonlyMap<string, string>;
  readonly substitutions: ReadonlyMap<string, Substitution>;
}

export interface Substitution {
  readonly directive: string;
  readonly text: string;
}

const TARGET = /^\s*\.\. _(`[^`]+`|(?:\\.|[^:\\]|:(?! |$))+):(?:\s+(.*))?$/;
const ANONYMOUS = /^\s*(?:\.\. __:|__)\s+(\S.*)$/;
const SUBSTITUTION = /^\s*\.\. \|([^|]+)\|\s+([\w-]+)::\s*(.*)$/;
/** A line of one sign, as it stands under a title. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
const TAB_WIDTH = 8;

/** The lines of a source, with tabs as spaces and nothing at their ends. Source: docutils, "Whitespace". */
export function sourceLines(text: string): string[] {
  return text
    .replace(/\r\n?|\f|\v/g, "\n")
    .split("\n")
    .map((line) => (line.includes("\t") ? expandTabs(line) : line).trimEnd());
}

function expandTabs(line: string): string {
  let out = "";
  for (const [i, part] of line.split("\t").entries()) {
    if (i > 0) out += " ".repeat(TAB_WIDTH - (out.length % TAB_WIDTH));
    out += part;
  }
  return out;
}

/** Collects the names of a document, wherever they are defined. */
export function readNames(lines: readonly string[]): RstNames {
  const targets = new Map<string, string>();
  const anonymous: string[] = [];
  const sectionTitles = new Map<string, string>();
  const substitutions = new Map<string, Substitution>();
  let labels: string[] = [];
  for (const [i, line] of lines.entries()) {
    const target = line.includes(".. _") ? TARGET.exec(line) : null;
    if (target !== null) {
      const name = nameOf((target[1] ?? "").replace(/^`|`$/g, "").replaceAll("\\", ""));
      const url = continued(lines, i, target[2] ?? "");
      if (url !== "") for (const label of [...labels.splice(0), name]) targets.set(label, url);
      else {
        targets.set(name, `#${idOf(name)}`);
        labels.push(name);
      }
      continue;
    }
    const unnamed = ANONYMOUS.exec(line);
    if (unnamed !== null) anonymous.push((unnamed[1] ?? "").replaceAll(" ", ""));
    const substitution = line.includes(".. |") ? SUBSTITUTION.exec(line) : null;
    if (substitution !== null) {
      const [, name = "", directive = "", text = ""] = substitution;
      substitutions.set(name, { directive, text: continued(lines, i, text, " ") });
    }
    if (line === "") continue;
    const title = titleAt(lines, i);
    if (title !== undefined) {
      for (const label of labels) sectionTitles.set(label, title.text);
      if (!targets.has(nameOf(title.text))) targets.set(nameOf(title.text), `#${idOf(title.text)}`);
    }
    labels = [];
  }
  // A target may lead on to another: `.. _this: that_`.
  for (const [name, url] of targets) {
    if (/^\S.*_$/.test(url) && !url.includes("/"))
      targets.set(name, targets.get(nameOf(url.slice(0, -1).replaceAll("`", ""))) ?? url);
  }
  return { targets, anonymous, sectionTitles, substitutions };
}

/** Text that goes on in the indented lines below. */
function continued(lines: readonly string[], at: number, first: string, joint = ""): string {
  const indent = indentOf(lines[at] ?? "");
  let text = first.trim();
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (line === "" || indentOf(line) <= indent || line.trim().startsWith(":")) break;
    text += joint + line.trim();
  }
  return text;
}

export interface Title {
  readonly text: string;
  /** How it is marked: its sign, twice when there is a line above as well. */
  readonly style: string;
  /** Lines that it takes. */
  readonly lines: number;
}

/** The title that begins at a line; undefined when none does. Source: docutils, "Sections". */
export function titleAt(lines: readonly string[], at: number): Title | undefined {
  const [first = "", second = "", third = ""] = lines.slice(at, at + 3);
  const over = ADORNMENT.exec(first)?.[1];
  if (over !== undefined) {
    if (second.trim() === "" || third !== first || first.length < Math.min(4, second.trim().length)) return undefined;
    return { text: second.trim(), style: over + over, lines: 3 };
  }
  const under = ADORNMENT.exec(second)?.[1];
  if (under === undefined || first === "" || first.startsWith(" ")) return undefined;
  // Shorter than the title and than four it is text, such as an ellipsis.
  if (second.length < first.length && second.length < 4) return undefined;
  return { text: first, style: under, lines: 2 };
}

/** Whether a line is one sign four times or more: a rule, where it stands alone. */
export function isAdornment(line: string): boolean {
  return line.length >= 4 && ADORNMENT.test(line);
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === SPACE) indent++;
  return indent;
}

const SPACE = 32;

/** Names are the same whatever their case and spaces. */
export function nameOf(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** The id that docutils gives to a name. Source: docutils.nodes.make_id. */
export function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[-0-9]{1,50}|-$/g, "");
}

/** Lines without the indent that they all have. */
export function dedent(lines: readonly string[]): string[] {
  let least = Infinity;
  for (const line of lines) if (line !== "") least = Math.min(least, indentOf(line));
  return Number.isFinite(least) && least > 0 ? lines.map((line) => line.slice(least)) : [...lines];
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
