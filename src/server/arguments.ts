import { CarrelError } from "../domain/errors.ts";

/** The arguments of a tool call as sent: anything may be in them. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Readers for tool arguments. They are forgiving where what is meant is plain (`pageSize` for `page_size`, "5" for 5, one
 * name where a list is asked for), because a model that is refused has to ask again; else they say what was expected.
 * All throw CarrelError `invalid`.
 */
export function textArgument(args: Arguments, key: string, example: string): string {
  const value = args[key];
  if (typeof value === "string") return value;
  throw expected(key, `a text, such as ${JSON.stringify(example)}`, value);
}

/** A text that may be left out; "" is how some clients leave it out. */
export function optionalTextArgument(args: Arguments, key: string, example: string): string | undefined {
  const value = args[key] ?? args[camelCase(key)];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw expected(key, `a text, such as ${JSON.stringify(example)}`, value);
}

export function flagArgument(args: Arguments, key: string): boolean {
  const value = args[key] ?? args[camelCase(key)] ?? false;
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw expected(key, "true or false", value);
}

export function numberArgument(args: Arguments, key: string): number | undefined {
  const value = args[key] ?? args[camelCase(key)];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw expected(key, "a whole number", value);
}

export function namesArgument(args: Arguments): readonly string[] {
  const value = args["names"] ?? args["name"];
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.map((name, i) => {
    if (typeof name === "string") return name;
    const key = Array.isArray(value) ? `names[${i}]` : "names";
    throw expected(key, 'a list of document names, such as ["documents/docs.python.org/3.11/library/os.html"]', name);
  });
}

/** Keys that no reader knows: what they ask for was not done, and the reply has to say so. */
export function unknownArguments(args: Arguments, known: readonly string[]): readonly string[] {
  return Object.keys(args).filter((key) => !known.includes(key) && !known.some((name) => camelCase(name) === key));
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function expected(key: string, what: string, value: unknown): CarrelError {
  return new CarrelError(
    "invalid",
    value === undefined
      ? `The argument ${key} is missing; give ${what}.`
      : `The argument ${key} is ${kindOf(value)}; give ${what}.`,
  );
}

/** A value as an error message names it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  return typeof value === "number" || typeof value === "boolean" ? `${value}` : "an object";
}
