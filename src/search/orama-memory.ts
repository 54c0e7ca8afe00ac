import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { AnyOrama, RawData, Results } from "@orama/orama";
import { create, insertMultiple, load, removeMultiple, save, search } from "@orama/orama";
import type { DocumentChange, Hit, QueryReading } from "../domain/chunk.ts";
import { CarrelError } from "../domain/errors.ts";
import type { IndexNote, SearchIndex } from "../domain/ports.ts";
import { analyse, ANALYSER_VERSION } from "./analyser.ts";
import { chunksOf } from "./indexed-fields.ts";
import { TOKENIZER } from "./orama.ts";
import { parseQuery, type Query } from "./query.ts";
import { AS_WRITTEN, told } from "./reading.ts";
import type { SearchIndexOptions } from "./search-index.ts";
import { phraseTest } from "./text-conditions.ts";

/** More take a second a question and hundreds of megabytes; see the table of engines in the manual. */
const MAX_CHUNKS = 10_000;

/** Hits that are looked at, since some are left out. */
const LEAST_LOOKED_AT = 100;

const MAX_CHUNKS_OF_A_PAGE = 2;

/** What the last of the hits has, as a share of the first's. */
const LEAST_SCORE = 0.001;

const SCHEMA = { document: "enum", body: "string", headings: "string", title: "string", path: "string" } as const;
const BOOST = { headings: 2, title: 3 };

/** What is kept of a document besides its chunks. */
interface KeptDocument {
  readonly rows: readonly number[];
  readonly source: string;
  readonly uri: string;
}

/** What the file holds, as JSON. */
interface Kept {
  readonly fingerprint: string;
  readonly revision: number;
  readonly documents: readonly (readonly [id: number, KeptDocument])[];
  readonly orama: RawData;
}

/**
 * Orama as it comes, with nothing of ours but the tokenizer: in memory, kept as Orama's own JSON, which is written whole with
 * each change. For those who want its plugins or its format, and have a small corpus.
 * @throws CarrelError as `openSearchIndex`.
 */
export function openOramaMemory(
  options: Pick<SearchIndexOptions, "file" | "readonly" | "texts" | "corpusId">,
): SearchIndex {
  const index = new OramaMemory(options);
  return {
    revision: () => index.revision(),
    apply: (changes) => index.apply(changes),
    search: (query, limit, within) => index.search(query, limit, within),
    reading: (query, hits) => index.reading(query, hits),
    enrich: () => index.enrich(),
    stats: () => index.stats(),
    notes: () => index.notes(),
    close: () => index.close(),
  };
}

class OramaMemory implements SearchIndex {
  readonly #file: string;
  readonly #readonly: boolean;
  readonly #texts: SearchIndexOptions["texts"];
  readonly #fingerprint: string;
  #orama: AnyOrama = empty();
  #documents = new Map<number, KeptDocument>();
  #revision = 0;
  #loaded = "";

  constructor({
    file,
    readonly,
    texts,
    corpusId = "",
  }: Pick<SearchIndexOptions, "file" | "readonly" | "texts" | "corpusId">) {
    this.#file = file;
    this.#readonly = readonly === true;
    this.#texts = texts;
    this.#fingerprint = `orama 3.1.18, analyser ${ANALYSER_VERSION}, ${corpusId}`;
    if (this.#readonly && !existsSync(file))
      throw new CarrelError("unavailable", `There is no index at ${file}; run \`carrel index\` to make it.`);
    this.#refresh();
  }

  revision(): number {
    this.#refresh();
    return this.#revision;
  }

  stats(): { readonly chunks: number; readonly revision: number } {
    this.#refresh();
    return { chunks: this.#chunks(), revision: this.#revision };
  }

  notes(): readonly IndexNote[] {
    return [{ about: "engine", says: `orama-memory: ${this.stats().chunks} of at most ${MAX_CHUNKS} passages` }];
  }

  async enrich(): Promise<void> {}

  async apply(changes: readonly DocumentChange[]): Promise<void> {
    if (this.#readonly) throw new CarrelError("internal", `The index ${this.#file} was opened for reading only.`);
    const last = [...new Map(changes.map((change) => [change.documentId, change])).values()];
    // Read before anything is changed, so that a batch that fails changes nothing.
    const added = last.flatMap((change) => (change.kind === "document" ? chunksOf(change) : []));
    const removed = last.flatMap(({ documentId }) => this.#documents.get(documentId)?.rows ?? []);
    const chunks = this.#chunks() + added.length - removed.length;
    if (chunks > MAX_CHUNKS) {
      throw new CarrelError(
        "config",
        `The corpus has more than ${MAX_CHUNKS} passages, and orama-memory is for small ones; unset CARREL_INDEX_ENGINE.`,
      );
    }
    await removeMultiple(this.#orama, removed.map(String));
    await insertMultiple(this.#orama, added);
    for (const change of last) {
      this.#documents.delete(change.documentId);
      if (change.kind !== "document") continue;
      const { documentId, source, uri } = change;
      this.#documents.set(documentId, { rows: change.chunks.map(({ rowId }) => rowId), source, uri });
    }
    this.#revision = changes.reduce((greatest, { revision }) => Math.max(greatest, revision), this.#revision);
    this.#keep();
  }

  async search(text: string, limit: number, within?: ReadonlySet<number>): Promise<readonly Hit[]> {
    this.#refresh();
    const query = parseQuery(text, () => false);
    const { phrases, excluded } = query.passage;
    const found = this.#found(query, limit, within);
    const test = phraseTest(phrases);
    const exclude = new Set(excluded.flatMap((word) => analyse(word)));
    if (test === undefined && exclude.size === 0) return arranged(found).slice(0, limit);
    const texts = new Map(this.#texts(found.map(({ chunkRowId }) => chunkRowId)).map((each) => [each.rowId, each]));
    const allowed = found.filter(({ chunkRowId }) => {
      const { title = "", headings = [], content = "" } = texts.get(chunkRowId) ?? {};
      return !analyse([title, ...headings, content].join("\n")).some((term) => exclude.has(term));
    });
    const strict = allowed.filter(({ chunkRowId }) => {
      const own = texts.get(chunkRowId);
      return test === undefined || (own !== undefined && test(own));
    });
    return arranged(strict.length > 0 ? strict : allowed).slice(0, limit);
  }

  async reading(text: string, hits: readonly Hit[]): Promise<QueryReading> {
    const { phrases } = parseQuery(text, () => false).passage;
    const test = phraseTest(phrases);
    if (test === undefined || hits.length === 0) return AS_WRITTEN;
    const texts = this.#texts(hits.slice(0, 1).map(({ chunkRowId }) => chunkRowId));
    return texts.some(test) ? AS_WRITTEN : { ...AS_WRITTEN, relaxed: told(phrases) };
  }

  close(): void {
    this.#orama = empty();
  }

  #found(query: Query, limit: number, within: ReadonlySet<number> | undefined): readonly Hit[] {
    const { text, page } = query;
    if (limit === 0 || text === "" || query.terms.length === 0) return [];
    const isRestricted = within !== undefined || page.sources.length + page.sites.length > 0;
    const allowed = [...this.#documents].flatMap(([id, { source, uri }]) => {
      const address = uri.replace(/^[a-z]+:\/\//, "");
      const isIn =
        (page.sources.length === 0 || page.sources.includes(source)) &&
        (page.sites.length === 0 || page.sites.some((site) => address.startsWith(site)));
      return isIn && within?.has(id) !== false ? [id] : [];
    });
    if (isRestricted && allowed.length === 0) return [];
    const asked = { term: text, limit: Math.max(LEAST_LOOKED_AT, limit), boost: BOOST };
    const where = isRestricted ? { where: { document: { in: allowed } } } : {};
    const { hits } = search(this.#orama, { ...asked, ...where } as never) as Results<{ document: number }>;
    // Its scores fall below 0 for a word that most passages have; what was found is found all the same.
    const least = Math.min(0, ...hits.map(({ score }) => score));
    const range = Math.max(0, ...hits.map(({ score }) => score)) - least || 1;
    return hits
      .map(({ id, document, score }): Hit => ({
        chunkRowId: Number(id),
        documentId: document.document,
        score: (score - least + LEAST_SCORE * range) / (range * (1 + LEAST_SCORE)),
      }))
      .sort((a, b) => b.score - a.score || a.chunkRowId - b.chunkRowId);
  }

  #chunks(): number {
    let chunks = 0;
    for (const { rows } of this.#documents.values()) chunks += rows.length;
    return chunks;
  }

  #keep(): void {
    const { revision, documents } = { revision: this.#revision, documents: [...this.#documents] };
    const kept: Kept = { fingerprint: this.#fingerprint, revision, documents, orama: save(this.#orama) };
    mkdirSync(dirname(this.#file), { recursive: true });
    const made = `${this.#file}.${process.pid}`;
    writeFileSync(made, JSON.stringify(kept));
    renameSync(made, this.#file);
    this.#loaded = versionOf(this.#file);
  }

  /** Takes up what was written since. */
  #refresh(): void {
    const version = versionOf(this.#file);
    if (version === this.#loaded || version === "") return;
    const kept = readKept(this.#file);
    this.#loaded = version;
    if (kept.fingerprint !== this.#fingerprint) {
      if (!this.#readonly) return;
      throw new CarrelError(
        "unavailable",
        `The index ${this.#file} was made by another version of Carrel or from another corpus; run \`carrel index\` to make it again from the corpus.`,
      );
    }
    this.#orama = empty();
    load(this.#orama, kept.orama);
    this.#documents = new Map(kept.documents);
    this.#revision = kept.revision;
  }
}

/** The best passages of each page come first, at most two; the others after all of these. */
function arranged(hits: readonly Hit[]): readonly Hit[] {
  const times = new Map<number, number>();
  const [first, rest]: [Hit[], Hit[]] = [[], []];
  for (const hit of hits) {
    const before = times.get(hit.documentId) ?? 0;
    times.set(hit.documentId, before + 1);
    (before < MAX_CHUNKS_OF_A_PAGE ? first : rest).push(hit);
  }
  const least = first.at(-1)?.score ?? 0;
  return [...first, ...rest.map((hit) => ({ ...hit, score: Math.min(hit.score, least) }))];
}

function empty(): AnyOrama {
  return create({ schema: SCHEMA, components: { tokenizer: TOKENIZER } });
}

/** Another one for each state of the file; "" when there is none. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}

function readKept(file: string): Kept {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kept;
  } catch (cause) {
    throw new CarrelError(
      "store",
      `The index ${file} is damaged. Nothing is lost: run \`carrel index --rebuild\`, which makes it again from the corpus.`,
      { cause },
    );
  }
}
