import { isMap, isNode, isPair, isSeq, LineCounter, parseDocument, type Document as YamlDocument } from "yaml";
import { z } from "zod";
import { didYouMean } from "../domain/nearest.ts";

/** What is wrong in a file, and where. */
export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** One YAML file, held against a schema: its value, or every problem in it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly lineOf: LineOf }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The line of a key path; that of the nearest key above when there is none. */
export type LineOf = (path: readonly PropertyKey[]) => number;

/** Parses YAML strictly (duplicate keys are errors) and holds it against a schema; each problem names its line and key. */
export function checkYaml<T>(file: string, text: string, schema: z.ZodType<T>): Checked<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const [error] = document.errors;
  if (error !== undefined) {
    // The errors after the first one come of it.
    const message =
      error.code === "MULTIPLE_DOCS"
        ? "one file holds one source; write another file for another."
        : `not valid YAML: ${error.message}`;
    return { ok: false, problems: [{ file, line: lineAt(error.pos[0]), message }] };
  }
  const lineOf: LineOf = (path) => lineAt(offsetOf(document, path));
  const parsed = schema.safeParse(document.toJS() ?? {}, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data, lineOf };
  const problems = parsed.error.issues.flatMap((issue) =>
    describe(issue, schema).map(({ path, message }) => ({ file, line: lineOf(path), message })),
  );
  return { ok: false, problems };
}

function offsetOf(document: YamlDocument, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && String(item.key) === String(step));
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    node = next;
  }
  return offset;
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): { path: PropertyKey[]; message: string }[] {
  const key = pathText(issue.path);
  const named = key === "" ? "the file" : `"${key}"`;
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((unknown) => ({
      path: [...issue.path, unknown],
      message: `unknown key "${pathText([...issue.path, unknown])}".${didYouMean(unknown, known)} Known here: ${known.join(", ")}.`,
    }));
  }
  const isShown = "input" in issue && issue.input !== undefined && !mayHoldSecret(issue.path);
  const given = isShown ? `, not ${JSON.stringify(issue.input)}` : "";
  switch (issue.code) {
    case "invalid_type":
      return [
        {
          path: issue.path,
          message:
            issue.input === undefined
              ? `"${key}" is missing; expected ${WORDS[issue.expected] ?? issue.expected}.`
              : `${named} must be ${WORDS[issue.expected] ?? issue.expected}${given}.`,
        },
      ];
    case "invalid_value": {
      const values = issue.values.map(String);
      return [
        {
          path: issue.path,
          message: `"${key}" must be one of ${values.join(", ")}${given}.${didYouMean(String(issue.input), values)}`,
        },
      ];
    }
    case "invalid_union": {
      const values = [...issue.message.matchAll(/'([^']+)'/g)].map(([, value = ""]) => value);
      if (values.length === 0) return [{ path: issue.path, message: `${named}: ${issue.message}` }];
      return [{ path: issue.path, message: `"${key}" must be one of ${values.join(", ")}.` }];
    }
    case "too_small":
      return [
        {
          path: issue.path,
          message: `"${key}" must be at least ${String(issue.minimum)}${issue.origin === "array" ? " long" : given}.`,
        },
      ];
    case "too_big":
      return [{ path: issue.path, message: `"${key}" must be at most ${String(issue.maximum)}${given}.` }];
    case "invalid_key": {
      const name = String(issue.path.at(-1));
      return issue.issues.map(({ message }) => ({ path: issue.path, message: `the key "${name}": ${message}` }));
    }
    default:
      return [{ path: issue.path, message: key === "" ? issue.message : `"${key}": ${issue.message}` }];
  }
}

/** Keys whose values are never repeated: who writes a secret where a reference belongs should not find it in a log. */
const SECRETIVE: ReadonlySet<PropertyKey> = new Set(["auth", "proxy", "proxyAuth", "keyPassphrase"]);

function mayHoldSecret(path: readonly PropertyKey[]): boolean {
  return path.some((step) => SECRETIVE.has(step));
}

const WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  array: "a list",
  object: "keys with values",
  record: "keys with values",
};

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`,
    "",
  );
}

/** The keys that a schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = schema;
  const bare = (type: unknown): unknown => {
    let inner = type;
    while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault)
      inner = inner.unwrap();
    return inner instanceof z.ZodPipe ? bare(inner.in) : inner;
  };
  for (const step of path) {
    const type = bare(here);
    if (type instanceof z.ZodArray) here = type.element;
    else if (type instanceof z.ZodObject) here = (type.shape as Record<string, unknown>)[String(step)];
    else return [];
  }
  const type = bare(here);
  // Of keys whose meaning depends on another key, all are named.
  const types = type instanceof z.ZodDiscriminatedUnion ? type.options.map(bare) : [type];
  return [...new Set(types.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : [])))];
}
