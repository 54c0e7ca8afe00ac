import type Database from "better-sqlite3";
import type { DocumentChange } from "../domain/chunk.ts";
import { linksOf, pageOf, textKey } from "./links.ts";
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
  /** What links to it say, that of most pages first. */
  readonly linkTexts: readonly LinkText[];
}

/** What links say, and how many pages say it. */
export interface LinkText {
  readonly text: string;
  readonly pages: number;
}

/** Of so many texts of links a page is known; what few say is mostly said in passing. */
const MAX_LINK_TEXTS = 6;

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
      said: db.prepare("INSERT INTO link_texts VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET pages = pages + 1"),
      unsaid: db.prepare("UPDATE link_texts SET pages = pages - 1 WHERE page = ? AND key = ?"),
      dropUnsaid: db.prepare("DELETE FROM link_texts WHERE page = ? AND key = ? AND pages = 0"),
      linkTexts: db.prepare<[number, number], LinkText>(
        "SELECT text, link_texts.pages AS pages FROM documents JOIN link_texts USING (page) WHERE id = ? ORDER BY link_texts.pages DESC, key LIMIT ?",
      ),
      ofSource: db.prepare<[string], number>("SELECT id FROM documents WHERE source = ?").pluck(),
      ofSite: db
        .prepare<[string, string], number>("SELECT id FROM documents WHERE substr(address, 1, length(?)) = ?")
        .pluck(),
      ofHost: db
        .prepare<[string, string], number>("SELECT id FROM documents WHERE host = ? OR host LIKE ? ESCAPE '\\'")
        .pluck(),
      info: db.prepare<[number], Omit<PageInfo, "linkTexts">>(
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
    const links = numbersOf(stored.links);
    let last: number | undefined;
    for (let i = 0; i < links.length; i += 2) {
      const [page, key] = [links[i] ?? 0, links[i + 1] ?? 0];
      if (page !== last) {
        this.#statements.unlinked.run(page);
        this.#statements.dropUnlinked.run(page);
      }
      last = page;
      if (key === 0) continue;
      this.#statements.unsaid.run(page, key);
      this.#statements.dropUnsaid.run(page, key);
    }
    this.#statements.drop.run(documentId);
    return numbersOf(stored.rows);
  }

  /** Adds a document that is not there. */
  add(document: DocumentWrite): void {
    const page = pageOf(document);
    const address = addressOf(document.uri);
    const links = linksOf(page, document.chunks);
    for (const [i, { page: linked, text }] of links.entries()) {
      if (linked !== links[i - 1]?.page) this.#statements.linked.run(linked);
      if (text !== "") this.#statements.said.run(linked, textKey(text), text);
    }
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
      bytesOf(Uint32Array.from(links.flatMap(({ page: linked, text }) => [linked, textKey(text)]))),
    );
  }

  info(documentIds: Iterable<number>): ReadonlyMap<number, PageInfo> {
    const found = new Map<number, PageInfo>();
    for (const id of new Set(documentIds)) {
      const info = this.#statements.info.get(id);
      if (info === undefined) continue;
      const linkTexts = info.linkedFrom === 0 ? [] : this.#statements.linkTexts.all(id, MAX_LINK_TEXTS);
      found.set(id, { ...info, linkTexts });
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
