import { CarrelError } from "../domain/errors.ts";
import type { Filter } from "../domain/filter.ts";
import { parseFilter } from "../domain/filter.ts";
import { didYouMean } from "../domain/nearest.ts";
import type { SourceStats } from "../domain/ports.ts";

/** Sources that an error names. */
const MAX_LISTED = 20;
/** Fewer letters begin too much. */
const LEAST_BEGINNING_CHARS = 3;

/**
 * The documents that a filter and a source choose together; undefined when neither is given. A source is meant by its id,
 * its title or its host, or by what its id or title begins with.
 * @throws CarrelError `invalid` for a filter that cannot be read and for an unknown source.
 */
export function selection(
  filter: string,
  source: string,
  sources: readonly SourceStats[],
  titles: ReadonlyMap<string, string>,
): Filter | undefined {
  const parsed = parseFilter(filter);
  if (source.trim() === "") return parsed;
  const chosen = ofSource(source.trim(), sources, titles);
  return parsed === undefined ? chosen : { kind: "and", parts: [chosen, parsed] };
}

function ofSource(asked: string, sources: readonly SourceStats[], titles: ReadonlyMap<string, string>): Filter {
  const wanted = asked.toLowerCase();
  const same = (text: string | undefined): boolean => text?.toLowerCase() === wanted;
  const named = sources.filter(({ source }) => same(source) || same(titles.get(source)));
  const begins = (text: string | undefined): boolean => text?.toLowerCase().startsWith(wanted) === true;
  const host = named.length > 0 ? undefined : sources.flatMap(({ hosts }) => hosts).find(same);
  // `python` means all its versions, and `postgres` PostgreSQL.
  const ids =
    named.length > 0 || host !== undefined || wanted.length < LEAST_BEGINNING_CHARS
      ? named
      : sources.filter(({ source }) => begins(source) || begins(titles.get(source)));
  if (ids.length > 0) {
    return {
      kind: "or",
      parts: ids.map(({ source }) => ({ kind: "text", field: "source", operator: "=", value: source })),
    };
  }
  if (host !== undefined) return { kind: "text", field: "data_source", operator: "=", value: host };

  const shown = sources.slice(0, MAX_LISTED).map(({ source }) => {
    const title = titles.get(source);
    return title === undefined ? source : `${source} (${title})`;
  });
  const listed = shown.length === 0 ? "none" : shown.join(", ");
  const more = sources.length > MAX_LISTED ? ` and ${sources.length - MAX_LISTED} more` : "";
  const words = sources.flatMap(({ source, hosts }) => [source, titles.get(source) ?? source, ...hosts]);
  throw new CarrelError(
    "invalid",
    `There is no source ${JSON.stringify(asked.slice(0, 100))}.${didYouMean(asked, words)} The sources are ${listed}${more}; hosts do as well.`,
  );
}
