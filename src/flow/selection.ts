import { CarrelError } from "../domain/errors.ts";
import type { Filter } from "../domain/filter.ts";
import { parseFilter } from "../domain/filter.ts";
import { didYouMean } from "../domain/nearest.ts";
import type { SourceStats } from "../domain/ports.ts";

/** Sources that an error names. */
const MAX_LISTED = 20;

/**
 * The documents that a filter and a source choose together; undefined when neither is given. A source is meant by its id,
 * its title or its host.
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
  const ids = sources.filter(({ source }) => same(source) || same(titles.get(source)));
  if (ids.length > 0) {
    return {
      kind: "or",
      parts: ids.map(({ source }) => ({ kind: "text", field: "source", operator: "=", value: source })),
    };
  }
  const host = sources.flatMap(({ hosts }) => hosts).find(same);
  if (host !== undefined) return { kind: "text", field: "data_source", operator: "=", value: host };

  const shown = sources.slice(0, MAX_LISTED).map(({ source }) => source);
  const listed = shown.length === 0 ? "none" : shown.join(", ");
  const more = sources.length > MAX_LISTED ? ` and ${sources.length - MAX_LISTED} more` : "";
  const words = sources.flatMap(({ source, hosts }) => [source, titles.get(source) ?? source, ...hosts]);
  throw new CarrelError(
    "invalid",
    `There is no source ${JSON.stringify(asked.slice(0, 100))}.${didYouMean(asked, words)} The sources are ${listed}${more}; their titles and hosts do as well.`,
  );
}
