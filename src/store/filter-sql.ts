import { NAME_PREFIX } from "../domain/document-name.ts";
import type { Comparison, Filter } from "../domain/filter.ts";
import type { Db } from "./database.ts";

/** A condition on a row of `documents`, and the values of its parameters in their order. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** What each field of a filter is of a row. */
const COLUMNS = {
  data_source: `substr(name, ${NAME_PREFIX.length + 1}, instr(substr(name, ${NAME_PREFIX.length + 1}) || '/', '/') - 1)`,
  uri: "uri",
  source: "source",
  // Without the zone, as the times of a filter are.
  update_time: "rtrim(update_time, 'Z')",
  // Reads no content: SQLite knows its length from the row's header.
  content_length_bytes: "octet_length(content)",
  language: "lower(language)",
  version: "version",
  kind: "page_kind",
} as const satisfies Record<Comparison["field"], string>;

/** The ids of the documents that a filter means. Looks at each document once. */
export function documentsMatching(db: Db, filter: Filter): ReadonlySet<number> {
  const { sql, values } = conditionOf(filter);
  const rows = db.prepare<unknown[], number>(`SELECT id FROM documents WHERE removed = 0 AND ${sql}`).pluck();
  return new Set(rows.iterate(...values));
}

function conditionOf(filter: Filter): Condition {
  switch (filter.kind) {
    case "and":
    case "or": {
      const parts = filter.parts.map(conditionOf);
      return {
        sql: `(${parts.map(({ sql }) => sql).join(` ${filter.kind.toUpperCase()} `)})`,
        values: parts.flatMap(({ values }) => values),
      };
    }
    case "not": {
      const { sql, values } = conditionOf(filter.part);
      return { sql: `NOT ${sql}`, values };
    }
    case "text": {
      const joint = JOINTS[filter.field];
      if (joint === undefined) return comparison(filter);
      // Without LIKE, to which signs in the value would mean something.
      const begins = `substr(${COLUMNS[filter.field]} || '${joint}', 1, length(?) + 1) = ? || '${joint}'`;
      const value = filter.field === "language" ? filter.value.toLowerCase() : filter.value;
      return { sql: `(${filter.operator === "=" ? "" : "NOT "}(${begins}))`, values: [value, value] };
    }
    case "time":
    case "number":
      return comparison(filter);
  }
}

/** Fields that are also equal to what is less exact: `en` to `en-GB`, `3.11` to `3.11.2`; and what parts of them are joined by. */
const JOINTS: Readonly<Partial<Record<Comparison["field"], string>>> = { language: "-", version: "." };

function comparison({ field, operator, value }: Comparison): Condition {
  return { sql: `(${COLUMNS[field]} ${operator} ?)`, values: [value] };
}
