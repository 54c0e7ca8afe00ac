import type { Chunk, ChunkAnchor, ChunkText, DocumentChange, Hit, Passage, StoredChunk } from "../domain/chunk.ts";
import type { Document, DocumentFacts, DocumentInfo, PageKind } from "../domain/document.ts";
import { NAME_PREFIX } from "../domain/document-name.ts";
import type { Clock, Corpus, CorpusReader, CorpusStats, SourceNote } from "../domain/ports.ts";
import { CORPUS_SCHEMA } from "./corpus-schema.ts";
import { applyWrites } from "./corpus-writes.ts";
import { guardedStore, openStore, openStoreForReading, type Db } from "./database.ts";
import { documentsMatching } from "./filter-sql.ts";
import { listOmissionGroups, listOmissions, recordOmissions } from "./omissions.ts";
import { revisionOf } from "./revision.ts";
import {
  beginRun,
  endRun,
  listChanges,
  listFailures,
  listRuns,
  progressNoter,
  recordFailures,
  runById,
} from "./runs.ts";
import { removeSourceDocuments } from "./source-removal.ts";

/** Opens `corpus.db` for the stages that write, and makes it when it is missing. @throws CarrelError `store`. */
export function openCorpus(file: string, clock: Clock): Corpus {
  const db = openStore(file, CORPUS_SCHEMA);
  return guardedStore<Corpus>(file, CORPUS_SCHEMA, {
    ...reader(db),
    readArchive(archiveId) {
      const read = db.transaction(() => {
        const { changes } = db.prepare("UPDATE identity SET archive = ? WHERE archive <> ?").run(archiveId, archiveId);
        if (changes > 0) db.exec("UPDATE meta SET value = 0 WHERE key = 'archive_revision'");
      });
      read.immediate();
    },
    archiveRevision: () =>
      db.prepare<[], number>("SELECT value FROM meta WHERE key = 'archive_revision'").pluck().get() ?? 0,
    source: (id) => db.prepare<[string], SourceNote>("SELECT title, fingerprint FROM sources WHERE id = ?").get(id),
    noteSource(id, { title, fingerprint }) {
      db.prepare("INSERT OR REPLACE INTO sources (id, title, fingerprint) VALUES (?, ?, ?)").run(
        id,
        title,
        fingerprint,
      );
    },
    apply: (writes, archiveRevision) => applyWrites(db, clock, writes, archiveRevision),
    beginRun: (source) => beginRun(db, clock, source),
    endRun: (run, status, counts, note) => endRun(db, clock, run, status, counts, note),
    noteProgress: progressNoter(db, clock),
    recordFailures: (run, failures) => recordFailures(db, run.id, failures),
    recordOmissions: (run, omissions) => recordOmissions(db, run, omissions),
    removeSource: (source) => removeSourceDocuments(db, clock, source),
  });
}

/** Opens `corpus.db` for reading. @throws CarrelError `not-found` or `store`. */
export function openCorpusReader(file: string): CorpusReader {
  return guardedStore(file, CORPUS_SCHEMA, reader(openStoreForReading(file, CORPUS_SCHEMA)));
}

function reader(db: Db): CorpusReader {
  return {
    id: () => db.prepare<[], string>("SELECT own FROM identity").pluck().get() ?? "",
    revision: () => revisionOf(db),
    changesSince: (revision, limit) => changesSince(db, revision, limit),
    document: (name) => documentByName(db, name),
    documentInfo: (name) => documentInfo(db, name),
    passages: (hits) => passagesOf(db, hits),
    matching: (filter) => documentsMatching(db, filter),
    namesBelow: (folder, limit) => namesBelow(db, folder, limit),
    chunks: (name) => chunksOf(db, name),
    texts: (chunkRowIds) => textsOf(db, chunkRowIds),
    titles: () => new Map(db.prepare<[], [string, string]>("SELECT id, title FROM sources").raw().all()),
    stats: () => statsOf(db),
    runs: (limit, source) => listRuns(db, limit, source),
    run: (id) => runById(db, id),
    failures: (runId) => listFailures(db, runId),
    omissionGroups: (runId) => listOmissionGroups(db, runId),
    omissions: (runId, kind) => listOmissions(db, runId, kind),
    changesOf: (runId) => listChanges(db, runId),
    close: () => db.close(),
  };
}

interface ChangeRow {
  readonly id: number;
  readonly revision: number;
  readonly removed: number;
  readonly name: string;
  readonly uri: string;
  readonly source: string;
  readonly title: string;
  readonly language: string;
  readonly version: string;
  readonly pageKind: PageKind;
}
interface ChunkRow {
  readonly row_id: number;
  readonly id: string;
  readonly content: string;
  readonly headings: string;
  readonly anchor: string;
  readonly anchors: string;
}

function changesSince(db: Db, revision: number, limit: number): readonly DocumentChange[] {
  const chunksOf = db.prepare<[number], ChunkRow>(
    "SELECT row_id, id, content, headings, anchor, anchors FROM chunks WHERE document_id = ? ORDER BY ordinal",
  );
  const rows = db
    .prepare<[number, number], ChangeRow>(
      `SELECT id, revision, removed OR twin_of IS NOT NULL AS removed, name, uri, source, title, language, version,
         page_kind AS pageKind
       FROM documents WHERE revision > ? ORDER BY revision LIMIT ?`,
    )
    .all(revision, limit);
  return rows.map((row): DocumentChange => {
    if (row.removed === 1) return { kind: "removed", revision: row.revision, documentId: row.id };
    const chunks = chunksOf.all(row.id).map((chunk): StoredChunk => ({
      rowId: chunk.row_id,
      id: chunk.id,
      content: chunk.content,
      headings: JSON.parse(chunk.headings) as string[],
      anchor: chunk.anchor,
      anchors: JSON.parse(chunk.anchors) as ChunkAnchor[],
    }));
    const { id: documentId, removed: _, ...rest } = row;
    return { kind: "document", documentId, ...rest, chunks };
  });
}

/** A document as SQL gives it: lists are texts. */
type InRow<T extends DocumentFacts> = Omit<T, "breadcrumbs"> & { readonly breadcrumbs: string };

/** All fields of a document but its content, of the row `d`. */
const INFO_COLUMNS = `d.name, d.uri, d.source, d.title, d.description, d.language, d.breadcrumbs, d.product, d.version,
  d.last_modified AS lastModified, d.canonical, d.generator, d.page_kind AS pageKind, d.update_time AS updateTime`;

/** Names that lead to one another are followed this far: past it they go in a circle. */
const MAX_ALIASES = 10;

function documentByName(db: Db, name: string): Document | undefined {
  const find = db.prepare<[string], InRow<Document>>(
    `SELECT ${INFO_COLUMNS}, d.content
     FROM documents asked JOIN documents d ON d.id = coalesce(asked.twin_of, asked.id)
     WHERE asked.name = ? AND asked.removed = 0`,
  );
  const alias = db.prepare<[string], string>("SELECT target FROM aliases WHERE name = ?").pluck();
  let here: string | undefined = name;
  for (let i = 0; i < MAX_ALIASES && here !== undefined; i++) {
    const document = find.get(here);
    if (document !== undefined) return { ...document, breadcrumbs: JSON.parse(document.breadcrumbs) as string[] };
    here = alias.get(here);
  }
  return undefined;
}

function documentInfo(db: Db, name: string): DocumentInfo | undefined {
  const info = db
    .prepare<[string], InRow<DocumentInfo>>(
      `SELECT ${INFO_COLUMNS}, octet_length(d.content) AS contentLengthBytes
       FROM documents d WHERE d.name = ? AND d.removed = 0`,
    )
    .get(name);
  return info && { ...info, breadcrumbs: JSON.parse(info.breadcrumbs) as string[] };
}

interface PassageRow {
  readonly parent: string;
  readonly title: string;
  readonly uri: string;
  readonly id: string;
  readonly content: string;
  readonly headings: string;
  readonly anchor: string;
  readonly ordinal: number;
}

function passagesOf(db: Db, hits: readonly Hit[]): readonly Passage[] {
  const find = db.prepare<[number], PassageRow>(
    `SELECT d.name AS parent, d.title, d.uri, c.id, c.content, c.headings, c.anchor, c.ordinal
     FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.row_id = ?`,
  );
  const read = db.transaction(() =>
    hits.flatMap((hit): Passage[] => {
      const row = find.get(hit.chunkRowId);
      if (row === undefined) return [];
      const { anchor, headings, ...rest } = row;
      const uri = anchor === "" ? row.uri : `${row.uri}#${anchor}`;
      return [{ ...rest, uri, headings: JSON.parse(headings) as string[], score: hit.score }];
    }),
  );
  return read();
}

/** Reads the index of names alone, from the folder's first to its last: the sign after a slash is 0. */
function namesBelow(db: Db, folder: string, limit: number): readonly string[] {
  return db
    .prepare<[string, string, string, number], string>(
      `SELECT name FROM documents WHERE name > ? AND name < ? AND instr(substr(name, length(?) + 1), '/') = 0
       AND removed = 0 ORDER BY name LIMIT ?`,
    )
    .pluck()
    .all(folder, `${folder.slice(0, -1)}0`, folder, limit);
}

function chunksOf(db: Db, name: string): readonly Chunk[] {
  const rows = db
    .prepare<[string], Omit<Chunk, "headings" | "anchors"> & { headings: string; anchors: string }>(
      `SELECT c.id, c.content, c.headings, c.anchor, c.anchors FROM chunks c JOIN documents d ON d.id = c.document_id
       WHERE d.name = ? ORDER BY c.ordinal`,
    )
    .all(name);
  return rows.map((row) => ({
    ...row,
    headings: JSON.parse(row.headings) as string[],
    anchors: JSON.parse(row.anchors) as ChunkAnchor[],
  }));
}

function textsOf(db: Db, chunkRowIds: readonly number[]): readonly ChunkText[] {
  const rows = db
    .prepare<[string], Omit<ChunkText, "headings"> & { headings: string }>(
      `SELECT c.row_id AS rowId, d.title, c.headings, c.content
       FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.row_id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(chunkRowIds));
  return rows.map((row) => ({ ...row, headings: JSON.parse(row.headings) as string[] }));
}

function statsOf(db: Db): CorpusStats {
  const rows = db
    .prepare<[], { source: string; host: string; documents: number }>(
      `SELECT source, substr(path, 1, instr(path || '/', '/') - 1) AS host, count(*) AS documents
       FROM (SELECT source, substr(name, ${NAME_PREFIX.length + 1}) AS path FROM documents WHERE removed = 0 AND twin_of IS NULL)
       GROUP BY source, host ORDER BY source, host`,
    )
    .all();
  const sources = new Map<string, { documents: number; hosts: string[] }>();
  for (const row of rows) {
    const entry = sources.get(row.source) ?? { documents: 0, hosts: [] };
    entry.documents += row.documents;
    entry.hosts.push(row.host);
    sources.set(row.source, entry);
  }
  return {
    documents: rows.reduce((sum, row) => sum + row.documents, 0),
    chunks:
      db
        .prepare<[], number>(
          "SELECT count(*) FROM chunks c JOIN documents d ON d.id = c.document_id WHERE d.twin_of IS NULL",
        )
        .pluck()
        .get() ?? 0,
    revision: revisionOf(db),
    sources: [...sources].map(([source, entry]) => ({ source, ...entry })),
  };
}
