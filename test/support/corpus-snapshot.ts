import Database from "better-sqlite3";

/**
 * Every row of a corpus that is served, times and row ids left out: two refreshes that came to the same have the same
 * snapshot.
 */
export function corpusSnapshot(file: string): unknown {
  const db = new Database(file, { readonly: true });
  try {
    return {
      documents: db
        .prepare(
          "SELECT name, uri, source, title, description, language, content FROM documents WHERE removed = 0 ORDER BY name",
        )
        .all(),
      chunks: db
        .prepare(
          `SELECT d.name, c.ordinal, c.id, c.content, c.headings, c.anchor
           FROM chunks c JOIN documents d ON d.id = c.document_id ORDER BY d.name, c.ordinal`,
        )
        .all(),
    };
  } finally {
    db.close();
  }
}
