import { CarrelError } from "../domain/errors.ts";
import { didYouMean } from "../domain/nearest.ts";
import type { Source } from "../domain/source.ts";

/**
 * The sources of these ids; all of them when none is asked for.
 * @throws CarrelError `not-found` that names the nearest id.
 */
export function selectSources(sources: readonly Source[], ids: readonly string[]): readonly Source[] {
  if (ids.length === 0) return sources;
  const known = sources.map((source) => source.id);
  return [...new Set(ids)].map((id) => {
    const source = sources.find((candidate) => candidate.id === id);
    if (source !== undefined) return source;
    const list = known.length === 0 ? "none is listed" : `listed: ${known.join(", ")}`;
    throw new CarrelError("not-found", `There is no source "${id}".${didYouMean(id, known)} (${list})`);
  });
}
