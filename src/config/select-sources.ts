import { CarrelError } from "../domain/errors.ts";
import { didYouMean } from "../domain/nearest.ts";
import type { Source } from "../domain/source.ts";

/** The groups that sources are in, sorted: each subfolder of the pipelines folder, and those around it. */
export function groupNames(sources: readonly Pick<Source, "group">[]): readonly string[] {
  const names = new Set<string>();
  for (const { group } of sources) {
    const parts = group?.split("/") ?? [];
    for (let depth = 1; depth <= parts.length; depth++) names.add(parts.slice(0, depth).join("/"));
  }
  return [...names].sort();
}

/** Sources that are in no group: what a command means that is given no name. */
export function ungrouped(sources: readonly Source[]): readonly Source[] {
  return sources.filter(({ group }) => group === undefined);
}

/** The sources of a group and of the groups in it. */
export function inGroup(sources: readonly Source[], name: string): readonly Source[] {
  return sources.filter(({ group }) => group === name || group?.startsWith(`${name}/`) === true);
}

/**
 * The sources that names mean, each once: an id means its source, and the name of a group all that is in it, also when a slash
 * ends it, as a shell completes the names of folders. Without names, the sources that are in no group: what is shipped in
 * groups, or is asked for seldom, is never fetched unasked.
 * @throws CarrelError `not-found` that gives the nearest name.
 */
export function selectSources(sources: readonly Source[], names: readonly string[]): readonly Source[] {
  if (names.length === 0) return ungrouped(sources);
  return [...new Set(names.flatMap((name) => named(sources, name)))];
}

/** The one source of an id. @throws CarrelError `not-found` as `selectSources` does, `invalid` for a group. */
export function selectSource(sources: readonly Source[], id: string): Source {
  const [source, ...more] = named(sources, id);
  if (source !== undefined && more.length === 0 && source.id === id) return source;
  throw new CarrelError(
    "invalid",
    `"${id}" is a group of sources, and one source is wanted here: ${idsOf(sources, id)}.`,
  );
}

function named(sources: readonly Source[], name: string): readonly Source[] {
  const source = sources.find(({ id }) => id === name);
  if (source !== undefined) return [source];
  const group = inGroup(sources, name.replace(/\/$/, ""));
  if (group.length > 0) return group;
  const groups = groupNames(sources);
  const near = didYouMean(name, [...sources.map(({ id }) => id), ...groups]);
  const nor = groups.length === 0 ? "" : ", and no group of that name";
  throw new CarrelError("not-found", `There is no source "${name}"${nor}.${near} (${listed(sources, groups)})`);
}

function idsOf(sources: readonly Source[], group: string): string {
  return inGroup(sources, group.replace(/\/$/, ""))
    .map(({ id }) => id)
    .join(", ");
}

function listed(sources: readonly Source[], groups: readonly string[]): string {
  if (sources.length === 0) return "none is listed";
  const ids = ungrouped(sources).map(({ id }) => id);
  const parts = [
    ids.length === 0 ? "" : `listed: ${ids.join(", ")}`,
    groups.length === 0 ? "" : `groups: ${groups.join(", ")}`,
  ];
  return parts.filter((part) => part !== "").join("; ");
}
