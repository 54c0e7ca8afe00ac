import { CarrelError } from "../domain/errors.ts";

/** A value in a JSON text with comments, and where it stands: from `start` up to `end`, in UTF-16 code units. */
export type Node = { readonly start: number; readonly end: number } & (
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "array"; readonly items: readonly Node[] }
  | { readonly kind: "plain"; readonly value: string | number | boolean | null }
);

interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
}

/** Deeper than any configuration is. */
const MAX_DEPTH = 200;

/**
 * Reads JSON as editors keep their settings: with comments and commas after the last value.
 * @throws CarrelError `invalid` that names the line.
 */
export function parseJsonc(text: string): Node {
  let at = text.startsWith("\uFEFF") ? 1 : 0;

  function fail(expected: string): never {
    const line = text.slice(0, at).split("\n").length;
    throw new CarrelError("invalid", `it is not JSON: line ${line} should have ${expected}`);
  }

  function skip(): void {
    for (;;) {
      const sign = text[at];
      if (sign === " " || sign === "\t" || sign === "\n" || sign === "\r") at++;
      else if (text.startsWith("//", at)) {
        const end = text.indexOf("\n", at);
        at = end === -1 ? text.length : end;
      } else if (text.startsWith("/*", at)) {
        const end = text.indexOf("*/", at + 2);
        if (end === -1) fail("the end of a comment");
        at = end + 2;
      } else return;
    }
  }

  function string(): string {
    const from = at++;
    while (text[at] !== '"') {
      if (at >= text.length || text[at] === "\n") fail("the end of a text");
      at += text[at] === "\\" ? 2 : 1;
    }
    at++;
    try {
      return JSON.parse(text.slice(from, at)) as string;
    } catch {
      return fail("a text");
    }
  }

  function value(depth: number): Node {
    if (depth > MAX_DEPTH) fail("fewer levels");
    const start = at;
    if (text[at] === "{") return { kind: "object", start, members: list("}", () => member(depth)), end: at };
    if (text[at] === "[") return { kind: "array", start, items: list("]", () => value(depth + 1)), end: at };
    if (text[at] === '"') return { kind: "plain", start, value: string(), end: at };
    const word = /[\w.+-]+/y;
    word.lastIndex = at;
    const [found] = word.exec(text) ?? [];
    if (found === undefined) fail("a value");
    try {
      const plain = JSON.parse(found) as number | boolean | null;
      at += found.length;
      return { kind: "plain", start, value: plain, end: at };
    } catch {
      return fail("a value");
    }
  }

  function member(depth: number): Member {
    const start = at;
    if (text[at] !== '"') fail("a name in quotation marks");
    const key = string();
    skip();
    if (text[at] !== ":") fail("a colon");
    at++;
    skip();
    return { key, start, value: value(depth + 1) };
  }

  function list<T>(close: string, item: () => T): readonly T[] {
    const items: T[] = [];
    at++;
    for (skip(); text[at] !== close; skip()) {
      items.push(item());
      skip();
      if (text[at] === ",") at++;
      else if (text[at] !== close) fail(`a comma or ${close}`);
    }
    at++;
    return items;
  }

  skip();
  const root = value(0);
  skip();
  if (at < text.length) fail("its end");
  return root;
}

/** The plain value of a node. Of a key that stands twice the last one counts, as in JSON. */
export function valueOf(node: Node): unknown {
  switch (node.kind) {
    case "plain":
      return node.value;
    case "array":
      return node.items.map(valueOf);
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
  }
}

/** The value of a key of an object. */
export function memberOf(node: Node, key: string): Node | undefined {
  return node.kind === "object" ? node.members.findLast((member) => member.key === key)?.value : undefined;
}

/** Adds a key at the end of an object, in the text's own way of indenting; all else stays as it is, comments too. */
export function addMember(
  text: string,
  object: Extract<Node, { kind: "object" }>,
  key: string,
  value: unknown,
): string {
  const { members } = object;
  const last = members.at(-1);
  const outer = indentAt(text, object.start);
  const first = members[0];
  const ownLine = first !== undefined && /^[ \t]*$/.test(lineBefore(text, first.start));
  const unit = outer.includes("\t") || (ownLine && lineBefore(text, first.start).includes("\t")) ? "\t" : "  ";
  const inner = ownLine ? lineBefore(text, first.start) : outer + unit;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = JSON.stringify({ [key]: value }, undefined, unit)
    .split("\n")
    .slice(1, -1);
  const entry = lines.map((line) => newline + inner + line.slice(unit.length)).join("");

  const brace = object.end - 1;
  const tail = text.slice(last?.value.end ?? object.start + 1, brace);
  const hasComma = last === undefined || beyondComments(tail).includes(",");
  const kept = tail.trimEnd();
  // What stands before the closing brace: the line that it begins, or nothing where all is on one line.
  const rest = tail.slice(kept.length);
  const closing = rest.includes("\n") ? rest : newline + outer;
  const head = text.slice(0, last?.value.end ?? object.start + 1);
  const wantsComma = last !== undefined && hasComma ? "," : "";
  return `${head}${hasComma ? "" : ","}${kept}${entry}${wantsComma}${closing}${text.slice(brace)}`;
}

function beyondComments(text: string): string {
  return text.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, "");
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(lineBefore(text, at))?.[0] ?? "";
}
