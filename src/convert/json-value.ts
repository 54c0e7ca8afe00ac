/** What is in parsed JSON or YAML, read without trust: whatever is not of the kind that is asked for is empty. */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : NO_FIELDS;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Texts, and numbers as they are written; "" for all else. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
