import type { SourceStats } from "../domain/ports.ts";

/** Agents cut long tool descriptions, so what is covered must leave room for how to ask. */
const MAX_COVERAGE_CHARS = 700;
const MAX_HOSTS_OF_A_SOURCE = 3;

/**
 * What a corpus covers, for tool descriptions: `Python 3.11: docs.python.org; …`, in the order of the titles, so that the
 * same sources always make the same text. Only what the operator listed is in it, never a word of a document, which could
 * pose as an instruction.
 */
export function describeSources(sources: readonly SourceStats[], titles: ReadonlyMap<string, string>): string {
  const items = sources
    .filter((source) => source.documents > 0)
    .map(({ source, hosts }) => {
      const shown = hosts.slice(0, MAX_HOSTS_OF_A_SOURCE).join(", ");
      const more = hosts.length - MAX_HOSTS_OF_A_SOURCE;
      return `${oneLine(titles.get(source) ?? source)}: ${more > 0 ? `${shown} and ${more} more hosts` : shown}`;
    })
    .sort();
  if (items.length === 0) return "nothing yet";

  let text = "";
  for (const [i, item] of items.entries()) {
    const next = text === "" ? item : `${text}; ${item}`;
    if (i > 0 && next.length > MAX_COVERAGE_CHARS) return `${text}; and ${items.length - i} more sources`;
    text = next;
  }
  return text;
}

function oneLine(title: string): string {
  return title
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, 100);
}
