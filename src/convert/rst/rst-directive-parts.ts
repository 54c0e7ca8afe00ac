import { idOf, nameOf } from "./rst-source.ts";

export interface Directive {
  /** In lower case, with its domain: `py:function`. */
  readonly name: string;
  /** What stands after the two colons. */
  readonly head: string;
  /** The lines below, without their indent. */
  readonly block: readonly string[];
}

/** Reads lines as blocks. */
export type ReadLines = (lines: readonly string[]) => string;

/** A directive, taken apart. */
export interface Parts {
  readonly name: string;
  readonly args: string;
  readonly options: ReadonlyMap<string, string>;
  readonly content: readonly string[];
  /** Everything after the colons but the options, for directives without arguments. */
  readonly all: readonly string[];
}

const OPTION = /^:([\w-]+):(?: +(.*))?$/;

/** Parts a directive: its arguments, options, and content. Source: docutils, "Directives". */
export function partsOf({ name, head, block }: Directive): Parts {
  const options = new Map<string, string>();
  const args: string[] = head === "" ? [] : [head];
  let at = 0;
  let isOption = false;
  for (; at < block.length && block[at] !== ""; at++) {
    const line = block[at] ?? "";
    const option = OPTION.exec(line);
    if (option !== null) {
      options.set(option[1] ?? "", option[2] ?? "");
      isOption = true;
    } else if (isOption && line.startsWith(" ")) {
      const last = [...options.keys()].at(-1) ?? "";
      options.set(last, `${options.get(last) ?? ""} ${line.trim()}`.trim());
    } else if (isOption || head === "") break;
    else args.push(line);
  }
  const content = trimBlank(block.slice(at));
  const bare = options.size === 0 ? block : block.slice(at);
  const all = trimBlank([...(options.size === 0 ? [head] : args), ...(options.size === 0 ? bare : ["", ...content])]);
  return { name, args: args.join("\n"), options, content, all };
}

function trimBlank(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}

/** A directive's name is a label that links lead to. */
export function labelled({ options }: Parts, html: string): string {
  const name = options.get("name") ?? options.get("label");
  return name === undefined || name === "" ? html : `<a id="${idOf(nameOf(name))}"></a>${html}`;
}
