import { escapeHtml, idOf, nameOf, type RstNames } from "./rst-source.ts";

/** Where markup may begin and end: next to whitespace, or to what brackets and parts. Source: docutils, "Inline markup recognition rules". */
const BEFORE = /[\s'"([{<\-/:\p{Ps}\p{Pi}\p{Pf}\p{Pd}]/u;
const AFTER = /[\s'")\]}>\-/:.,;!?\\\p{Pe}\p{Pf}\p{Pi}\p{Pd}\p{Po}]/u;
/** Markup that is not closed within so much is none. */
const MAX_SPAN = 3000;

const MARKUP = /[`*|[\\_<:]/g;
const ROLE_BEFORE = /:([a-zA-Z][\w+.:-]{0,60}):$/;
const ROLE_AFTER = /^:([a-zA-Z][\w+.:-]{0,60}):/;
const TITLED = /^([\s\S]*?)\s*<([^<>]+)>$/;

/** Writes the text of paragraphs as HTML. References without a name are taken in their order, so there is one for a document. */
export class RstInline {
  private readonly names: RstNames;
  private nextAnonymous = 0;

  constructor(names: RstNames) {
    this.names = names;
  }

  html(text: string): string {
    return this.read(text, 0);
  }

  private read(text: string, depth: number): string {
    let out = "";
    let from = 0;
    MARKUP.lastIndex = 0;
    for (let match = MARKUP.exec(text); match !== null; match = MARKUP.exec(text)) {
      const at = match.index;
      const found = this.markupAt(text, at, depth);
      if (found === undefined) continue;
      out += plain(text.slice(from, at - found.before)) + found.html;
      from = at + found.length;
      MARKUP.lastIndex = from;
    }
    return out + plain(text.slice(from));
  }

  /** The markup that begins at a sign. `before` is what stands before the sign and belongs to it: a role. */
  private markupAt(text: string, at: number, depth: number): Markup | undefined {
    const sign = text[at];
    if (sign === "\\") {
      const next = text[at + 1] ?? "";
      // A space that is escaped only parts markup from a word.
      return { html: next.trim() === "" ? "" : escapeHtml(next), length: 2, before: 0 };
    }
    if (sign === "_") return this.referenceAt(text, at);
    const role = sign === "`" ? (ROLE_BEFORE.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? "") : "";
    if (!mayBegin(text, at - role.length)) return undefined;
    if (sign === "`" && text[at + 1] === "`") {
      const end = endOf(text, at + 2, "``");
      return end === -1 ? undefined : { html: code(text.slice(at + 2, end)), length: end + 2 - at, before: 0 };
    }
    if (sign === "`") return this.interpretedAt(text, at, role, depth);
    if (sign === "*") {
      const mark = text[at + 1] === "*" ? "**" : "*";
      const end = endOf(text, at + mark.length, mark);
      if (end === -1) return undefined;
      const inner = plain(text.slice(at + mark.length, end));
      const tag = mark === "**" ? "strong" : "em";
      return { html: `<${tag}>${inner}</${tag}>`, length: end + mark.length - at, before: 0 };
    }
    if (sign === "|") return this.substitutionAt(text, at, depth);
    return sign === "[" ? noteAt(text, at) : undefined;
  }

  /** `word_`, `word__` and `` _`target` ``. */
  private referenceAt(text: string, at: number): Markup | undefined {
    if (text[at + 1] === "`" && mayBegin(text, at)) {
      const end = endOf(text, at + 2, "`");
      if (end === -1) return undefined;
      const name = text.slice(at + 2, end);
      return { html: `<span id="${idOf(name)}">${plain(name)}</span>`, length: end + 1 - at, before: 0 };
    }
    const after = text[at + 1] === "_" ? at + 2 : at + 1;
    if (after < text.length && !AFTER.test(text[after] ?? "")) return undefined;
    const word = /(?:^|[\s'"([{<\-/:])([\p{L}\p{N}](?:[\p{L}\p{N}]|[-._:+](?=[\p{L}\p{N}]))*)$/u.exec(
      text.slice(Math.max(0, at - 100), at),
    )?.[1];
    if (word === undefined) return undefined;
    const url = after === at + 2 ? this.names.anonymous[this.nextAnonymous++] : this.names.targets.get(nameOf(word));
    return url === undefined ? undefined : { html: link(url, plain(word)), length: after - at, before: word.length };
  }

  private interpretedAt(text: string, at: number, roleBefore: string, depth: number): Markup | undefined {
    const end = endOf(text, at + 1, "`", true);
    if (end === -1) return undefined;
    const inner = text.slice(at + 1, end);
    let length = end + 1 - at;
    const rest = text.slice(end + 1, end + 70);
    if (roleBefore === "" && rest.startsWith("_")) {
      const isAnonymous = rest.startsWith("__");
      return { html: this.reference(inner, isAnonymous), length: length + (isAnonymous ? 2 : 1), before: 0 };
    }
    const roleAfter = roleBefore === "" ? (ROLE_AFTER.exec(rest)?.[0] ?? "") : "";
    length += roleAfter.length;
    const role = (roleBefore || roleAfter).slice(1, -1);
    return { html: this.role(role, inner.replaceAll(/\s+/g, " "), depth), length, before: roleBefore.length };
  }

  private reference(inner: string, isAnonymous: boolean): string {
    const titled = TITLED.exec(inner);
    if (titled !== null) {
      const [, title = "", target = ""] = titled;
      const isName = target.endsWith("_") && !/^\w+:\/\//.test(target);
      const url = isName ? this.names.targets.get(nameOf(target.slice(0, -1))) : target.replaceAll(/\s+/g, "");
      return url === undefined ? plain(title || target) : link(url, plain(title.replaceAll(/\s+/g, " ") || target));
    }
    const text = inner.replaceAll(/\s+/g, " ");
    const url = isAnonymous ? this.names.anonymous[this.nextAnonymous++] : this.names.targets.get(nameOf(text));
    return url === undefined ? plain(text) : link(url, plain(text));
  }

  private substitutionAt(text: string, at: number, depth: number): Markup | undefined {
    const end = endOf(text, at + 1, "|");
    const found = end === -1 ? undefined : this.names.substitutions.get(text.slice(at + 1, end));
    if (found === undefined || depth > MAX_SUBSTITUTIONS) return undefined;
    let length = end + 1 - at;
    // `|name|_` is a reference as well.
    const underscores = /^_{1,2}(?!\w)/.exec(text.slice(end + 1, end + 3))?.[0].length ?? 0;
    length += underscores;
    const { directive, text: value } = found;
    const html =
      directive === "image"
        ? `<img src="${escapeHtml(value.split(" ", 1)[0] ?? "")}" alt="${escapeHtml(text.slice(at + 1, end))}">`
        : directive === "unicode"
          ? escapeHtml(unicodeText(value))
          : this.nested(value, depth);
    return { html, length, before: 0 };
  }

  private nested(text: string, depth: number): string {
    const at = MARKUP.lastIndex;
    const html = this.read(text, depth + 1);
    MARKUP.lastIndex = at;
    return html;
  }

  /** Text in a role. Source: docutils and Sphinx, "Roles". */
  private role(name: string, inner: string, depth: number): string {
    const short = name.split(":").at(-1) ?? "";
    if (name === "math") return `<span class="math">\\(${escapeHtml(inner)}\\)</span>`;
    if (/^(?:sup|superscript|sub|subscript)$/.test(short)) {
      const tag = short.startsWith("sup") ? "sup" : "sub";
      return `<${tag}>${plain(inner)}</${tag}>`;
    }
    const [, title = "", target = ""] = TITLED.exec(inner) ?? [];
    const isExplicit = title !== "" && target !== "";
    switch (short) {
      case "pep":
      case "rfc":
        return standard(short, isExplicit ? target : inner, isExplicit ? title : "");
      case "ref":
      case "numref":
      case "keyword-ref": {
        const label = nameOf(isExplicit ? target : inner);
        const shown = isExplicit ? title : (this.names.sectionTitles.get(label) ?? inner);
        const url = this.names.targets.get(label);
        return url === undefined ? plain(shown) : link(url, this.nested(shown, depth));
      }
      case "doc":
        return link(`doc:${isExplicit ? target : inner}`, plain(isExplicit ? title : inner));
      case "download":
        return link(isExplicit ? target : inner, plain(isExplicit ? title : inner));
      case "emphasis":
      case "dfn":
      case "title":
      case "title-reference":
        return `<em>${plain(inner)}</em>`;
      case "strong":
        return `<strong>${plain(inner)}</strong>`;
      case "guilabel":
      case "menuselection":
        return `<strong>${plain(inner.replaceAll("-->", "‣").replaceAll("&", ""))}</strong>`;
      case "abbr":
      case "term":
      case "index":
      case "eq":
        return plain(isExplicit ? title : inner);
      case "":
        return /\s/.test(inner) ? `<em>${plain(inner)}</em>` : code(inner);
      default:
        return code(isExplicit ? title : shownName(inner, short));
    }
  }
}

interface Markup {
  readonly html: string;
  readonly length: number;
  readonly before: number;
}

/** Substitutions within substitutions, at most. */
const MAX_SUBSTITUTIONS = 4;

/** What is shown of the name of an object: without `!`, the last part of it after `~`, and a function with its brackets. */
function shownName(inner: string, role: string): string {
  const bare = inner.replace(/^!/, "");
  const name = bare.startsWith("~") ? (bare.slice(1).split(".").at(-1) ?? bare) : bare;
  return /^(?:func|meth)$/.test(role) && !name.endsWith(")") ? `${name}()` : name.replace(/^\.(?=\w)/, "");
}

function standard(kind: "pep" | "rfc", number: string, title: string): string {
  const [id = "", fragment] = number.split("#", 2);
  const shown = title || `${kind.toUpperCase()} ${id}`;
  const hash = fragment === undefined ? "" : `#${fragment}`;
  const url =
    kind === "pep"
      ? `https://peps.python.org/pep-${id.padStart(4, "0")}/${hash}`
      : `https://datatracker.ietf.org/doc/html/rfc${id}${hash}`;
  return link(url, plain(shown));
}

function noteAt(text: string, at: number): Markup | undefined {
  const match = /^\[(#?[\w.-]{0,60}|\*)\]_(?=\W|$)/.exec(text.slice(at, at + 70));
  if (match === null || match[1] === "") return undefined;
  const label = match[1] ?? "";
  return { html: `<a href="#fn-${idOfNote(label)}">${escapeHtml(label)}</a>`, length: match[0].length, before: 0 };
}

export function idOfNote(label: string): string {
  return label.replace(/[^\w.-]/g, "-").toLowerCase();
}

function mayBegin(text: string, at: number): boolean {
  return at === 0 || BEFORE.test(text[at - 1] ?? "") || text[at - 1] === " ";
}

/** Where markup ends: not after whitespace, and before what may follow it; -1 when nowhere. */
function endOf(text: string, from: number, mark: string, isReference = false): number {
  if ((text[from] ?? " ").trim() === "") return -1;
  const last = Math.min(text.length, from + MAX_SPAN);
  for (let end = text.indexOf(mark, from + 1); end !== -1 && end < last; end = text.indexOf(mark, end + 1)) {
    const before = text[end - 1] ?? "";
    const after = text[end + mark.length] ?? "";
    if (before.trim() === "" || (before === "\\" && mark !== "``")) continue;
    if (after === "" || AFTER.test(after) || (after === "_" && (isReference || mark === "|"))) return end;
  }
  return -1;
}

/** Text without markup: what is escaped is itself, and the backslash goes. */
function plain(text: string): string {
  return escapeHtml(
    text.includes("\\")
      ? text.replace(/\\(\s?)([\s\S]?)/g, (_all, space: string, next: string) => (space === "" ? next : next))
      : text,
  );
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

function link(url: string, html: string): string {
  return `<a href="${escapeHtml(url)}">${html}</a>`;
}

function unicodeText(value: string): string {
  return value
    .split(" ")
    .filter((part) => part !== "" && !part.startsWith(":"))
    .map((part) => {
      const hex = /^(?:0x|U\+|\\u|x)([0-9a-f]{1,6})$/i.exec(part)?.[1];
      const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
      return code === undefined || code > 0x10ffff ? part : String.fromCodePoint(code);
    })
    .join("");
}
