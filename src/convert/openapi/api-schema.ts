import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";
import { referenceName, type ApiDescription } from "./api-description.ts";
import { code, described, escapeHtml, tableOf } from "./api-markup.ts";

/** Objects in objects whose properties are listed as `a.b.c`; what is deeper is named only. */
const MAX_DEPTH = 4;

/** The headings of what is described in cells: there are none that deep. */
const IN_CELL = 6;

/** What a value is, in a few words of HTML: `array of Pet`, with links to the schemas that have names. */
export function typeOf(schema: unknown, depth = 0): string {
  const fields = fieldsOf(schema);
  const name = referenceName(schema);
  if (name !== "") return `<a href="#schema-${encodeURIComponent(name)}">${escapeHtml(name)}</a>`;
  if (depth > MAX_DEPTH) return "object";
  for (const [key, word] of COMBINATIONS) {
    const parts = listOf(fields[key]).map((part) => typeOf(part, depth + 1));
    if (parts.length > 0) return parts.join(` ${word} `);
  }
  const types = (Array.isArray(fields["type"]) ? listOf(fields["type"]) : [fields["type"]]).map(textIn);
  if (types.includes("array") || fields["items"] !== undefined) return `array of ${typeOf(fields["items"], depth + 1)}`;
  const format = textIn(fields["format"]);
  const values = fields["properties"] === undefined ? fieldsOf(fields["additionalProperties"]) : {};
  const isMap = Object.keys(values).length > 0;
  const type =
    types.filter((one) => one !== "").join(" or ") || (fields["properties"] === undefined ? "any" : "object");
  const named = isMap
    ? `map of ${typeOf(values, depth + 1)}`
    : type + (format === "" ? "" : ` (${escapeHtml(format)})`);
  return fields["nullable"] === true ? `${named} or null` : named;
}

const COMBINATIONS = [
  ["oneOf", "or"],
  ["anyOf", "or"],
  ["allOf", "and"],
] as const;

/** What more is said of a value: its description, the values that it may have, its default and bounds. */
export function detailsOf(schema: Fields, description: unknown): string {
  const parts = [described(textIn(description) || textIn(schema["description"]), IN_CELL)];
  const allowed = schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];
  if (allowed.length > 0) parts.push(`<p>One of ${allowed.map((value) => code(literal(value))).join(", ")}.</p>`);
  if (schema["default"] !== undefined) parts.push(`<p>Default: ${code(literal(schema["default"]))}.</p>`);
  const bounds = BOUNDS.filter((bound) => schema[bound] !== undefined && schema[bound] !== false);
  if (bounds.length > 0)
    parts.push(`<p>${bounds.map((bound) => code(`${bound}: ${literal(schema[bound])}`)).join(", ")}</p>`);
  if (schema["deprecated"] === true) parts.push("<p>Deprecated.</p>");
  return parts.join("");
}

const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
];

/** A value of an example, an enumeration or a default as it is written in JSON; texts without their quotes. */
export function literal(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The table of an object's properties, with those of the objects in it and of all that it is made of. */
export function propertiesTable(api: ApiDescription, schema: unknown): string {
  const rows: string[][] = [];
  addProperties(api, schema, "", 0, rows);
  return tableOf(["Property", "Type", "Required", "Description"], rows);
}

function addProperties(api: ApiDescription, schema: unknown, path: string, depth: number, rows: string[][]): void {
  if (depth > MAX_DEPTH) return;
  const fields = fieldsOf(schema);
  for (const part of listOf(fields["allOf"])) {
    // What has a name is described under it, and named by the type.
    if (referenceName(part) === "") addProperties(api, part, path, depth + 1, rows);
  }
  const required = new Set(listOf(fields["required"]).map(textIn));
  for (const [name, property] of Object.entries(fieldsOf(fields["properties"]))) {
    const own = fieldsOf(property);
    const whole = path === "" ? name : `${path}.${name}`;
    const resolved = api.resolve(property);
    const details = detailsOf(referenceName(property) === "" ? own : {}, own["description"] ?? resolved["description"]);
    rows.push([code(whole), typeOf(property), required.has(name) ? "yes" : "", details]);
    const isList = own["items"] !== undefined;
    const inner = isList ? own["items"] : property;
    if (referenceName(inner) === "") addProperties(api, inner, isList ? `${whole}[]` : whole, depth + 1, rows);
  }
}
