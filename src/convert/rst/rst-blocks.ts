import { readDirective } from "./rst-directives.ts";
import { codeHtml, type RstContext } from "./rst-context.ts";
import { fieldsHtml, optionHtml } from "./rst-fields.ts";
import { ANONYMOUS_TARGET, BULLET, DIRECTIVE, ENUMERATOR, EXPLICIT, FIELD, NOTE, OPTION } from "./rst-markers.ts";
import { idOfNote } from "./rst-inline.ts";
import { dedent, escapeHtml, idOf, indentOf, isAdornment, nameOf, titleAt } from "./rst-source.ts";
import { asItStands, tableAt } from "./rst-tables.ts";

/** Blocks within blocks; deeper ones are kept as they stand. */
const MAX_DEPTH = 40;

/** Writes lines as HTML. @param depth How many blocks they are in; titles stand in none. */
export function readBlocks(lines: readonly string[], context: RstContext, depth = 0): string {
  if (depth > MAX_DEPTH) return asItStands(lines);
  return new BlockReader(lines, context, depth).read();
}

class BlockReader {
  private readonly lines: readonly string[];
  private readonly context: RstContext;
  private readonly depth: number;
  private readonly out: string[] = [];
  private at = 0;

  constructor(lines: readonly string[], context: RstContext, depth: number) {
    this.lines = lines;
    this.context = context;
    this.depth = depth;
  }

  read(): string {
    while (this.at < this.lines.length) {
      const line = this.line();
      if (line === "") this.at++;
      else if (line.startsWith(" ")) this.blockQuote();
      else if (!(this.title() || this.rule() || this.explicit() || this.list() || this.table() || this.special()))
        this.text();
    }
    return this.out.join("\n");
  }

  private line(offset = 0): string {
    return this.lines[this.at + offset] ?? "";
  }

  private inner(lines: readonly string[]): string {
    return readBlocks(dedent(lines), this.context, this.depth + 1);
  }

  private title(): boolean {
    if (this.depth > 0) return false;
    const title = titleAt(this.lines, this.at);
    if (title === undefined) return false;
    const { titleStyles } = this.context;
    let level = titleStyles.indexOf(title.style);
    if (level === -1) level = titleStyles.push(title.style) - 1;
    const tag = `h${Math.min(6, level + 1)}`;
    this.out.push(`<${tag} id="${idOf(nameOf(title.text))}">${this.context.inline.html(title.text)}</${tag}>`);
    this.at += title.lines;
    return true;
  }

  private rule(): boolean {
    if (!isAdornment(this.line()) || this.line(1) !== "" || (this.at > 0 && this.line(-1) !== "")) return false;
    this.out.push("<hr>");
    this.at++;
    return true;
  }

  /** The lines from the next one on that are indented, with the blank ones between, which are not taken at the end. */
  private indented(least = 1): string[] {
    let end = this.at;
    for (let i = this.at; i < this.lines.length; i++) {
      const line = this.lines[i] ?? "";
      if (line === "") continue;
      if (indentOf(line) < least) break;
      end = i + 1;
    }
    const block = this.lines.slice(this.at, end);
    this.at = end;
    return block;
  }

  private blockQuote(): void {
    const html = this.inner(this.indented());
    // Code, lists and tables are indented for the looks, and quote nobody.
    this.out.push(/^<(?:pre|dl|ul|ol|table|figure|div)\b/.test(html) ? html : `<blockquote>${html}</blockquote>`);
  }

  private explicit(): boolean {
    const line = this.line();
    if (ANONYMOUS_TARGET.test(line)) {
      this.at++;
      return true;
    }
    if (!EXPLICIT.test(line)) return false;
    const directive = DIRECTIVE.exec(line);
    const note = NOTE.exec(line);
    this.at++;
    // Nothing but two dots ends what is indented before.
    if (line === ".." && this.line() === "") return true;
    const block = this.indented();
    if (directive !== null) {
      const [whole, name = ""] = directive;
      const html = readDirective(
        { name: name.toLowerCase(), head: line.slice(whole.length), block: dedent(block) },
        this.context,
        (lines) => readBlocks(lines, this.context, this.depth + 1),
      );
      this.out.push(html);
    } else if (note !== null) {
      const [whole, label = ""] = note;
      const lines = [line.slice(whole.length), ...dedent(block)].filter((one, i) => i > 0 || one !== "");
      this.out.push(this.footnote(label, lines));
    } else {
      const target = /^\.\. _(`[^`]+`|[^:`]+):$/.exec(line);
      // A label may stand before anything, and is where links to it lead.
      if (target !== null) this.out.push(`<a id="${idOf(nameOf((target[1] ?? "").replaceAll("`", "")))}"></a>`);
    }
    return true;
  }

  private footnote(label: string, lines: readonly string[]): string {
    this.context.footnotes++;
    const shown = /^(?:#|\*|)$/.test(label) ? String(this.context.footnotes) : label.replace(/^#/, "");
    return `<div class="footnote" id="fn-${idOfNote(label)}"><span class="label">${escapeHtml(shown)}</span>${this.inner(lines)}</div>`;
  }

  private list(): boolean {
    const line = this.line();
    if (BULLET.test(line)) {
      this.items("ul", BULLET);
      return true;
    }
    const enumerator = ENUMERATOR.exec(line);
    if (enumerator === null || !this.isListItem()) return false;
    const number = enumerator[2] ?? "";
    this.items("ol", ENUMERATOR, /^\d+$/.test(number) && number !== "1" ? ` start="${number}"` : "");
    return true;
  }

  /** An item's second line is blank, indented or the next item; else its number is a part of a sentence. */
  private isListItem(): boolean {
    const next = this.line(1);
    return next === "" || next.startsWith(" ") || ENUMERATOR.test(next);
  }

  private items(tag: "ul" | "ol", marker: RegExp, attributes = ""): void {
    const items: string[] = [];
    let isLoose = false;
    const sign = tag === "ul" ? this.line()[0] : undefined;
    for (let match = marker.exec(this.line()); match !== null; match = marker.exec(this.line())) {
      if (sign !== undefined && this.line()[0] !== sign) break;
      if (tag === "ol" && !this.isListItem()) break;
      const first = this.line().slice(match[0].length);
      this.at++;
      const rest = this.indented();
      const content = [...(first === "" ? [] : [first]), ...dedent(rest)];
      items.push(`<li>${readBlocks(content, this.context, this.depth + 1)}</li>`);
      isLoose ||= rest.some(
        (line, i) => line === "" && i < rest.length - 1 && !/^\s*(?:[-*+]|\d+\.) /.test(rest[i + 1] ?? ""),
      );
      while (this.line() === "" && this.at < this.lines.length && marker.test(this.nextText())) this.at++;
    }
    this.out.push(`<${tag}${isLoose ? "" : ' class="simple"'}${attributes}>${items.join("\n")}</${tag}>`);
  }

  /** The next line that is not blank. */
  private nextText(): string {
    for (let i = this.at; i < this.lines.length; i++) if (this.lines[i] !== "") return this.lines[i] ?? "";
    return "";
  }

  private table(): boolean {
    const table = tableAt(this.lines, this.at, (lines) => this.inner(lines));
    if (table === undefined) return false;
    this.out.push(table.html);
    this.at += table.length;
    return true;
  }

  /** Fields, options, lines of verse, and dialogues with an interpreter. */
  private special(): boolean {
    const line = this.line();
    if (line.startsWith("|  ") || line.startsWith("| ") || line === "|") {
      this.lineBlock();
      return true;
    }
    if (line.startsWith(">>> ") || line === ">>>") {
      const start = this.at;
      while (this.line() !== "") this.at++;
      this.out.push(codeHtml(this.lines.slice(start, this.at), "pycon"));
      return true;
    }
    if (FIELD.test(line)) {
      const fields = this.entries(FIELD).map(({ match, html }) => ({
        name: (match[1] ?? "").replaceAll("\\", ""),
        html,
      }));
      this.out.push(fieldsHtml(fields, (text) => this.context.inline.html(text)));
      return true;
    }
    if (/^(?:-|\/\w)/.test(line) && OPTION.test(line) && !BULLET.test(line)) {
      const options = this.entries(OPTION);
      this.out.push(`<dl>${options.map(optionHtml).join("\n")}</dl>`);
      return true;
    }
    return false;
  }

  private lineBlock(): void {
    const verses: string[] = [];
    while (/^\|(?: |$)/.test(this.line())) {
      let text = this.line().slice(1).trim();
      this.at++;
      while (this.line().startsWith(" ")) {
        text += ` ${this.line().trim()}`;
        this.at++;
      }
      verses.push(this.context.inline.html(text));
    }
    this.out.push(`<p>${verses.join("<br>\n")}</p>`);
  }

  /** Lines that begin with a marker, each with what is indented below. */
  private entries(marker: RegExp): { readonly match: RegExpExecArray; readonly html: string }[] {
    const out: { match: RegExpExecArray; html: string }[] = [];
    for (let match = marker.exec(this.line()); match !== null; match = marker.exec(this.line())) {
      const first = this.line().slice(match[0].length);
      this.at++;
      const content = [...(first === "" ? [] : [first]), ...dedent(this.indented())];
      out.push({ match, html: readBlocks(content, this.context, this.depth + 1) });
      while (this.line() === "" && this.at < this.lines.length && marker.test(this.nextText())) this.at++;
    }
    return out;
  }

  /** A paragraph, or a term with its definition below; two colons at the end say that code follows. */
  private text(): void {
    const next = this.line(1);
    if (next.startsWith(" ") && !this.line().endsWith("::") && !ENUMERATOR.test(this.line())) {
      this.definitionList();
      return;
    }
    const start = this.at;
    while (this.at < this.lines.length && this.line() !== "" && (this.at === start || !this.line().startsWith(" "))) {
      this.at++;
      if (this.line(-1).endsWith("::") && this.line().startsWith(" ")) break;
    }
    let text = this.lines.slice(start, this.at).join("\n");
    const isBeforeCode = text.endsWith("::");
    if (isBeforeCode)
      text =
        text === "::" || text.endsWith("\n::") || text.endsWith(" ::")
          ? text.slice(0, -2).trimEnd()
          : text.slice(0, -1);
    if (text !== "") this.out.push(`<p>${this.context.inline.html(text)}</p>`);
    if (isBeforeCode) this.literalBlock();
  }

  private literalBlock(): void {
    while (this.line() === "" && this.at < this.lines.length) this.at++;
    if (this.line().startsWith(" ")) {
      this.out.push(codeHtml(dedent(this.indented()), this.context.language));
      return;
    }
    // Lines that all begin with the same sign are quoted, and need no indent.
    const sign = this.line()[0] ?? "";
    if (!/[!-/:-@[-`{-~]/.test(sign)) return;
    const start = this.at;
    while (this.line().startsWith(sign)) this.at++;
    this.out.push(codeHtml(this.lines.slice(start, this.at), this.context.language));
  }

  private definitionList(): void {
    const out: string[] = [];
    while (
      this.at < this.lines.length &&
      this.line() !== "" &&
      this.line(1).startsWith(" ") &&
      !this.line().startsWith(" ")
    ) {
      if (EXPLICIT.test(this.line()) || BULLET.test(this.line())) break;
      const [term = "", ...classifiers] = this.line().split(" : ");
      const kinds = classifiers.map((one) => ` (<em>${this.context.inline.html(one)}</em>)`).join("");
      this.at++;
      out.push(`<dt>${this.context.inline.html(term)}${kinds}</dt><dd>${this.inner(this.indented())}</dd>`);
      const after = this.at;
      while (this.line() === "" && this.at < this.lines.length) this.at++;
      // One that ends in two colons is a paragraph before code.
      if (this.line().endsWith("::") || titleAt(this.lines, this.at) !== undefined) {
        this.at = after;
        break;
      }
    }
    this.out.push(`<dl>${out.join("\n")}</dl>`);
  }
}
