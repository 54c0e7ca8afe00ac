import { NAME_PREFIX, parseDocumentName } from "../domain/document-name.ts";
import { CarrelError } from "../domain/errors.ts";
import type { Filter } from "../domain/filter.ts";
import type { CorpusStats } from "../domain/ports.ts";
import type { DocumentFailure, Queries, QueryPorts } from "./queries.ts";
import { createQueries } from "./query.ts";

/**
 * The queries of a reader who may see some sources only. Of the others nothing is told: not in what is found or read, nor in
 * lists, counts, suggestions and page tokens, nor whether a document of them exists.
 * @param sources ids of the sources that may be seen; ones that are unknown show nothing.
 */
export function createRestrictedQueries(ports: QueryPorts, sources: readonly string[]): Queries {
  const restricted = restrictPorts(ports, new Set(sources));
  const queries = createQueries(restricted);
  return {
    ...queries,
    async getDocuments(request) {
      const answer = await queries.getDocuments(request);
      return { ...answer, failures: answer.failures.map((failure) => deniedIfElsewhere(restricted, failure)) };
    },
  };
}

/** The ports, as if the corpus held nothing but these sources. */
export function restrictPorts(ports: QueryPorts, sources: ReadonlySet<string>): QueryPorts {
  const { corpus, index } = ports;
  const own: Filter = {
    kind: "or",
    parts: [...sources].map((value) => ({ kind: "text", field: "source", operator: "=", value })),
  };
  let ids: ReadonlySet<number> = new Set();
  let idsRevision = -1;

  /** Ids of the documents that may be seen. Which these are changes with the revision only. */
  function visible(): ReadonlySet<number> {
    const revision = corpus.revision();
    if (revision !== idsRevision) ids = sources.size === 0 ? new Set() : corpus.matching(own);
    idsRevision = revision;
    return ids;
  }

  let counted: { readonly all: CorpusStats; readonly hosts: ReadonlyMap<string, "own" | "shared"> } | undefined;

  /** The hosts of which documents may be seen, and whether others have documents there too. */
  function hosts(): ReadonlyMap<string, "own" | "shared"> {
    if (counted?.all.revision === corpus.revision()) return counted.hosts;
    const all = corpus.stats();
    const foreign = new Set(all.sources.filter(({ source }) => !sources.has(source)).flatMap((one) => one.hosts));
    const mine = all.sources.filter(({ source }) => sources.has(source)).flatMap((one) => one.hosts);
    counted = { all, hosts: new Map(mine.map((host) => [host, foreign.has(host) ? "shared" : "own"])) };
    return counted.hosts;
  }

  const isVisible = (name: string): boolean => sources.has(corpus.documentInfo(name)?.source ?? "");

  return {
    ...ports,
    corpus: {
      // Page tokens are signed with it: one of another reader is none of this one's.
      id: () => [corpus.id(), ...[...sources].sort()].join(" "),
      revision: () => corpus.revision(),
      document(name) {
        const document = corpus.document(name);
        return document !== undefined && sources.has(document.source) ? document : undefined;
      },
      documentInfo(name) {
        const info = corpus.documentInfo(name);
        return info !== undefined && sources.has(info.source) ? info : undefined;
      },
      passages(hits) {
        const seen = visible();
        return corpus.passages(hits.filter(({ documentId }) => seen.has(documentId)));
      },
      chunks: (name) => (isVisible(name) ? corpus.chunks(name) : []),
      namesBelow(folder, limit) {
        const host = hosts().get(hostOf(folder));
        if (host === undefined) return [];
        const names = corpus.namesBelow(folder, limit);
        return host === "own" ? names : names.filter(isVisible);
      },
      matching: (filter) => (sources.size === 0 ? new Set() : corpus.matching({ kind: "and", parts: [own, filter] })),
      stats() {
        const all = corpus.stats();
        const seen = all.sources.filter(({ source }) => sources.has(source));
        return {
          ...all,
          documents: seen.reduce((sum, { documents }) => sum + documents, 0),
          // Passages are not counted by source, and no reader is told of them.
          chunks: 0,
          sources: seen,
        };
      },
      titles: () => new Map([...corpus.titles()].filter(([source]) => sources.has(source))),
    },
    index: {
      stats: () => index.stats(),
      async search(query, limit, within) {
        const seen = visible();
        const chosen = within === undefined ? seen : bothOf(within, seen);
        return chosen.size === 0 ? [] : index.search(query, limit, chosen);
      },
      async reading(query, hits, within) {
        const seen = visible();
        return index.reading(query, hits, within === undefined ? seen : bothOf(within, seen));
      },
    },
  };
}

function bothOf(a: ReadonlySet<number>, b: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...a].filter((id) => b.has(id)));
}

/**
 * A name on a host of which nothing may be seen is denied, whether or not it is kept, and whether or not that host is:
 * the reader learns where the limits are, and nothing of what is behind them.
 */
function deniedIfElsewhere({ corpus }: QueryPorts, failure: DocumentFailure): DocumentFailure {
  if (failure.error.code !== "not-found") return failure;
  const { sources } = corpus.stats();
  const host = hostOf(parseDocumentName(failure.name));
  const other = host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`;
  if (sources.some(({ hosts }) => hosts.includes(host) || hosts.includes(other))) return failure;
  const names = sources.map(({ source }) => source).join(", ");
  return {
    ...failure,
    error: new CarrelError(
      "denied",
      `This key may not read ${JSON.stringify(failure.name.slice(0, 500))}; the sources that it may read are ${names === "" ? "none" : names}.`,
    ),
  };
}

function hostOf(name: string): string {
  return name.slice(NAME_PREFIX.length).split("/", 1)[0] ?? "";
}
