import { codeHtml, type RstContext } from "./rst-context.ts";
import type { Parts, ReadLines } from "./rst-directive-parts.ts";
import { escapeHtml } from "./rst-source.ts";

/** Objects of an API that are named without their domain. */
export const OBJECTS =
  /^(?:function|method|class|attribute|data|exception|classmethod|staticmethod|property|decorator|decoratormethod|macro|member|type|var|enum|enumerator|struct|union|describe|object|option|cmdoption|envvar|confval|setting|opcode|pdbcommand|command|variable|automodule|autoclass|autofunction|automethod|autodata|autoexception|autoattribute|autoproperty|directive|role|templatetag|templatefilter|fieldlookup|django-admin|django-admin-option|2to3fixer|cfunction|ctype|cmacro|cvar|cmember|coroutinefunction|coroutinemethod|awaitablefunction|awaitablemethod|abstractmethod)$/;

/** An object of an API: its signatures, each a line, and what is said of it. */
export function objectHtml({ args, options, content, name }: Parts, context: RstContext, read: ReadLines): string {
  if (args === "") return read(content);
  const kind = name.split(":").at(-1) ?? "";
  const signatures = args.replace(/\\\n\s*/g, "").split("\n");
  const terms = signatures.map((signature) => {
    const text = signature.replace(/\\([\s\S])/g, "$1").trim();
    const full = isOfModule(name, text, context) ? `${context.module}.${text}` : text;
    const id = (/[\w.$-]+/.exec(full.replace(/^(?:class|async|static|const)\s+/, "")) ?? [""])[0];
    const shown = escapeHtml(SHOWN_KINDS.has(kind) ? `${kind} ${full}` : full);
    return `<dt class="sig" id="${escapeHtml(id)}"><span class="sig-name">${shown}</span></dt>`;
  });
  context.objects++;
  const inner = read(content);
  context.objects--;
  return `<dl class="${escapeHtml(kind)}">${terms.join("")}<dd>${options.has("deprecated") ? "<p>Deprecated.</p>" : ""}${inner}</dd></dl>`;
}

/** Objects of Python are named with their module, but for those in a class, and those whose class is named. */
function isOfModule(directive: string, signature: string, { module, objects }: RstContext): boolean {
  return module !== "" && objects === 0 && PYTHON_OBJECTS.test(directive) && !/^[\w]+\./.test(signature);
}

const PYTHON_OBJECTS = /^(?:py:)?(?:function|class|exception|data|decorator|coroutinefunction|awaitablefunction)$/;

/** Rules of a grammar, their names below each other. */
export function grammar(lines: readonly string[]): string {
  const rules = lines.map((line) => {
    const [, name = "", rule = line.trim()] = /^\s*([\w-]+) ?:(?!:) ?(.*)$/.exec(line) ?? [];
    return { name, rule: rule.replaceAll("`", "") };
  });
  const width = Math.max(...rules.map(({ name }) => name.length));
  return codeHtml(
    rules.map(({ name, rule }) =>
      name === "" ? `${" ".repeat(width + 5)}${rule}` : `${name.padEnd(width)} ::= ${rule}`,
    ),
    "",
  );
}

/** Sphinx writes the kind of these before their name. */
const SHOWN_KINDS: ReadonlySet<string> = new Set([
  "class",
  "exception",
  "property",
  "classmethod",
  "staticmethod",
  "struct",
  "enum",
  "union",
]);
