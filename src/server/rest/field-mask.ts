import { CarrelError } from "../../domain/errors.ts";
import { resolved } from "./schemas.ts";
import type { Schema } from "./schemas.ts";

/** Which fields of a reply are given, and of each which of its own; undefined for all of them. */
export type FieldMask = ReadonlyMap<string, FieldMask | undefined>;

/** Nobody needs nearly as much. */
const MAX_MASK_CHARS = 1_000;

/**
 * Reads a field mask such as `results(parent,document/title),nextPageToken`: names with commas between them, `/` or `.`
 * before a field of a field, parentheses around several, `*` for all.
 * Source: Google's "Partial response", https://cloud.google.com/storage/docs/json_api#partial-response.
 * @throws CarrelError `invalid` that names the place, counted in characters from 1, also for a field that the reply has not.
 */
export function parseFieldMask(text: string, schema: Schema): FieldMask {
  if (text.length > MAX_MASK_CHARS) throw wrong(text, text.length, `it has more than ${MAX_MASK_CHARS} characters`);
  const reader = { text, at: 0 };
  const mask = readList(reader, schema);
  if (reader.at < text.length) throw wrong(text, reader.at, "a comma is expected");
  return mask;
}

/** What a mask leaves of a reply. */
export function masked(value: unknown, mask: FieldMask | undefined): unknown {
  if (mask === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== "object" || value === null) return value;
  const all = mask.has("*");
  const kept = Object.entries(value).filter(([key]) => all || mask.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, masked(inner, mask.get(mask.has(key) ? key : "*"))]));
}

interface Reader {
  readonly text: string;
  at: number;
}

function readList(reader: Reader, schema: Schema): FieldMask {
  const mask = new Map<string, FieldMask | undefined>();
  do {
    const [name, inner] = readField(reader, schema);
    const known = mask.get(name);
    if (!mask.has(name)) mask.set(name, inner);
    else if (known !== undefined) mask.set(name, inner === undefined ? undefined : joined(known, inner));
  } while (accept(reader, ","));
  return mask;
}

function readField(reader: Reader, schema: Schema): readonly [string, FieldMask | undefined] {
  const start = reader.at;
  const written = /[ \t]{0,9}(\*|[A-Za-z_]\w*)[ \t]{0,9}/y;
  written.lastIndex = start;
  const found = written.exec(reader.text);
  if (found === null) throw wrong(reader.text, start, "the name of a field is expected");
  reader.at = written.lastIndex;
  // Protocol Buffers clients may name fields as their definitions do.
  const name = (found[1] ?? "").replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const field = name === "*" ? anyField(schema) : ownField(schema, name);
  if (field === undefined) {
    const known = Object.keys(fieldsOf(schema)).join(", ");
    throw wrong(reader.text, start, known === "" ? "it has no fields of its own" : `the fields here are ${known}`);
  }
  if (accept(reader, "/") || accept(reader, ".")) return [name, new Map([readField(reader, field)])];
  if (!accept(reader, "(")) return [name, undefined];
  const inner = readList(reader, field);
  if (!accept(reader, ")")) throw wrong(reader.text, reader.at, "a closing parenthesis is expected");
  return [name, inner];
}

function accept(reader: Reader, sign: string): boolean {
  if (reader.text[reader.at] !== sign) return false;
  reader.at++;
  while (reader.text[reader.at] === " ") reader.at++;
  return true;
}

function joined(a: FieldMask, b: FieldMask): FieldMask {
  const both = new Map(a);
  for (const [name, inner] of b) {
    const known = both.get(name);
    both.set(
      name,
      known === undefined || inner === undefined ? (both.has(name) ? undefined : inner) : joined(known, inner),
    );
  }
  return both;
}

function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { items, properties = {} } = resolved(schema);
  return items === undefined ? properties : fieldsOf(items);
}

function ownField(schema: Schema, name: string): Schema | undefined {
  const fields = fieldsOf(schema);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** All fields of an object together, for what stands behind `*`. */
function anyField(schema: Schema): Schema {
  const inner = Object.values(fieldsOf(schema)).map(fieldsOf);
  return { type: "object", properties: Object.assign({}, ...inner) as Record<string, Schema> };
}

function wrong(text: string, at: number, what: string): CarrelError {
  const where = at >= text.length ? "At its end" : `At character ${at + 1}, ${JSON.stringify(text.slice(at, at + 40))}`;
  return new CarrelError("invalid", `The field mask cannot be read. ${where}: ${what}.`);
}
