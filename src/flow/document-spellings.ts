import { NAME_PREFIX, NO_FOLDING, parseDocumentName } from "../domain/document-name.ts";

/** With more parameters than this, leaving out one at a time would take too many looks. */
const MAX_PARAMETERS = 6;

/**
 * The names under which a document may be kept when somebody asks for a name or URL. Its source may fold more or less than
 * others, and is not known: so as it is written, as the default rules fold it, with or without the slash at its end, an index
 * file, one parameter, all parameters, the segment of a print twin; with the other ending (`.md`, `.html`, none); then the
 * same with or without `www.`. Likeliest first.
 * @throws CarrelError `invalid` when it is neither a name nor a URL.
 */
export function documentSpellings(asked: string): readonly string[] {
  const folded = parseDocumentName(asked);
  const written = partsOf(parseDocumentName(asked, NO_FOLDING));
  const { host, path, query } = written;
  const otherHost = host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`;
  const queries = [...new Set([query, partsOf(folded).query, ...withOneLess(query), ""])];
  const paths = otherPaths(path);
  const rests = [
    path + query,
    folded.slice(NAME_PREFIX.length + host.length),
    ...queries.flatMap((one) => paths.map((other) => other + one)),
    ...otherEndings(path.replace(/\/$/, "")),
  ];
  const names = [host, otherHost].flatMap((one) => rests.map((rest) => NAME_PREFIX + one + rest));
  return [...new Set(names)];
}

interface NameParts {
  readonly host: string;
  /** Begins with a slash; "" for the root. */
  readonly path: string;
  /** Begins with a question mark; "" when there is none. */
  readonly query: string;
}

function partsOf(name: string): NameParts {
  const rest = name.slice(NAME_PREFIX.length);
  const queryAt = rest.indexOf("?");
  const whole = queryAt === -1 ? rest : rest.slice(0, queryAt);
  const slash = whole.indexOf("/");
  return {
    host: slash === -1 ? whole : whole.slice(0, slash),
    path: slash === -1 ? "" : whole.slice(slash),
    query: queryAt === -1 ? "" : rest.slice(queryAt),
  };
}

function withOneLess(query: string): readonly string[] {
  const parameters = query === "" ? [] : query.slice(1).split("&");
  if (parameters.length < 2 || parameters.length > MAX_PARAMETERS) return [];
  return parameters.map((_, i) => `?${parameters.filter((_, at) => at !== i).join("&")}`);
}

function otherPaths(path: string): readonly string[] {
  const bare = path.replace(/\/$/, "");
  const folder = bare.replace(/\/(?:index|default)\.\w{1,8}$/, "");
  const whole = folder.replace(/\/_?print(?=\/|$)/, "");
  return [...new Set([path, bare, folder, whole])].flatMap((one) => [one, `${one.replace(/\/$/, "")}/`]);
}

function otherEndings(path: string): readonly string[] {
  if (path === "") return [];
  const base = path.replace(/\.(?:md|html?)$/, "");
  const folder = base.replace(/\/(?:index|README)$/, "");
  return [base, `${base}.html`, `${base}.md`, `${base}.htm`, folder];
}
