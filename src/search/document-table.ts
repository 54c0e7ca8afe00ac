import type Database from "better-sqlite3";
import type { DocumentChange } from "../domain/chunk.ts";
import { linkedPages, pageKey } from "./links.ts";
import type { PageKind } from "./page-kinds.ts";
import { pageKind } from "./page-kinds.ts";
import type { VersionedPage } from "./page-versions.ts";
import { versionOfAddress } from "./page-versions.ts";
import { bytesOf, numbersOf } from "./segment-store.ts";
import { signatureOf } from "./signature.ts";

export type DocumentWrite = Extract<DocumentChange, { kind: "document" }>;

/** What the ranking knows of a page besides its text. */
export interface PageInfo extends VersionedPage {
  readonly kind: PageKind;
  /** Pages that link to it. */
  readonly linkedFrom: number;
  /** Of copies of one page, that with the shortest address is the page itself, as a rule. */
  readonly addressChars: number;
}

/** Where a page must be, to be found. */
export interface DocumentConditions {
  /** Ids of sources; any will do. */
  readonly sources: readonly string[];
  /** Hosts, or beginnings of addresses without their scheme; any will do. */
  readonly sites: readonly string[];
}

/** Sets of documents that are kept until the next commit: a restriction is often asked for again. */
const MAX_CACHED_SETS = 16;

/** The documents of the index: the rows of their chunks, and how they are linked. */
export class DocumentTable {
  readonly #statements;
  readonly #sets = new Map<string, ReadonlySet<number>>();
  #setsOf = "";

  constructor(db: Database.Database) {
    this.#statements = {
      stored: db.prepare<[number], { rows: Buffer; links: Buffer }>("SELECT rows, links FROM documents WHERE id = ?"),
      put: db.prepare("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      drop: db.prepare("DELETE FROM documents WHERE id = ?"),
      linked: db.prepare("INSERT INTO linked VALUES (?, 1) ON CONFLICT DO UPDATE SET pages = pages + 1"),
      unlinked: db.prepare("UPDATE linked SET pages = pages - 1 WHERE page = ?"),
      dropUnlinked: db.prepare("DELETE FROM linked WHERE page = ? AND pages = 0"),
      ofSource: db.prepare<[string], number>("SELECT id FROM documents WHERE source = ?").pluck(),
      ofSite: db
        .prepare<[string, string], number>("SELECT id FROM documents WHERE substr(address, 1, length(?)) = ?")
        .pluck(),
      ofHost: db
        .prepare<[string, string], number>("SELECT id FROM documents WHERE host = ? OR host LIKE ? ESCAPE '\\'")
        .pluck(),
      info: db.prepare<[number], PageInfo>(
        `SELECT kind, coalesce(pages, 0) AS linkedFrom, length(address) AS addressChars, version, language, signature
         FROM documents LEFT JOIN linked ON linked.page = documents.page
         WHERE id = ?`,
      ),
    };
  }

  /** Forgets a document; gives the rows that its chunks had. */
  remove(documentId: number): Uint32Array {
    const stored = this.#statements.stored.get(documentId);
    if (stored === undefined) return new Uint32Array(0);
    for (const page of numbersOf(stored.links)) {
      this.#statements.unlinked.run(page);
      this.#statements.dropUnlinked.run(page);
    }
    this.#statements.drop.run(documentId);
    return numbersOf(stored.rows);
  }

  /** Adds a document that is not there. */
  add(document: DocumentWrite): void {
    const page = pageKey(document.name);
    const address = addressOf(document.uri);
    const links = linkedPages(page, document.chunks);
    for (const linked of links) this.#statements.linked.run(linked);
    this.#statements.put.run(
      document.documentId,
      page,
      hostOf(address),
      address,
      document.source,
      document.language,
      document.version || versionOfAddress(document.uri),
      bytesOf(signatureOf(document.chunks.map(({ content }) => content))),
      pageKind(document),
      bytesOf(Uint32Array.from(document.chunks, ({ rowId }) => rowId)),
      bytesOf(links),
    );
  }

  info(documentIds: Iterable<number>): ReadonlyMap<number, PageInfo> {
    const found = new Map<number, PageInfo>();
    for (const id of new Set(documentIds)) {
      const info = this.#statements.info.get(id);
      if (info !== undefined) found.set(id, info);
    }
    return found;
  }

  /**
   * The documents that meet the conditions; undefined when there are none.
   * @param version what the documents are of; sets of another version are forgotten.
   */
  select({ sources, sites }: DocumentConditions, version: string): ReadonlySet<number> | undefined {
    if (sources.length === 0 && sites.length === 0) return undefined;
    if (this.#setsOf !== version || this.#sets.size >= MAX_CACHED_SETS) this.#sets.clear();
    this.#setsOf = version;
    const key = JSON.stringify([sources, sites]);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const inSources = new Set(sources.flatMap((source) => this.#statements.ofSource.all(source)));
    const inSites = new Set(sites.flatMap((site) => this.#ofSite(site)));
    const found =
      sources.length === 0
        ? inSites
        : sites.length === 0
          ? inSources
          : new Set([...inSources].filter((id) => inSites.has(id)));
    this.#sets.set(key, found);
    return found;
  }

  /** `python.org` is also `docs.python.org`; `docs.python.org/3` is also all that lies under it. */
  #ofSite(site: string): readonly number[] {
    const address = addressOf(site);
    const slash = address.indexOf("/");
    if (slash >= 0) return this.#statements.ofSite.all(address, address);
    return this.#statements.ofHost.all(address, `%.${address.replace(/[\\%_]/g, "\\$&")}`);
  }
}

/** An address without its scheme, its host in lower case. */
function addressOf(uri: string): string {
  const bare = uri.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const slash = bare.indexOf("/");
  return slash < 0 ? bare.toLowerCase() : bare.slice(0, slash).toLowerCase() + bare.slice(slash);
}

function hostOf(address: string): string {
  const slash = address.indexOf("/");
  return slash < 0 ? address : address.slice(0, slash);
}
