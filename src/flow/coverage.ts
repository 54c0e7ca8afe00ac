import type { SourceStats } from "../domain/ports.ts";

/** Agents cut long tool descriptions, so what is covered must leave room for how to ask. */
const MAX_COVERAGE_CHARS = 700;
const MAX_HOSTS_OF_A_SOURCE = 3;

/**
 * What a corpus covers, for tool descriptions: `Python 3.11: docs.python.org, about 500 pages; …`, in the order of the titles,
 * so that the same sources always make the same text. Many sources are listed without counts, more of them without hosts, and
 * those that do not fit then are counted. Only what the operator listed is in it, never a word of a document, which could pose
 * as an instruction.
 */
export function describeSources(sources: readonly SourceStats[], titles: ReadonlyMap<string, string>): string {
  const items = sources
    .filter((source) => source.documents > 0)
    .map(({ source, hosts, documents }) => {
      const title = oneLine(titles.get(source) ?? source);
      return {
        title,
        hosts: `${title}: ${hostsText(hosts)}`,
        counts: `${title}: ${hostsText(hosts)}, ${pagesText(documents)}`,
      };
    })
    .sort((a, b) => (a.title < b.title || (a.title === b.title && a.hosts < b.hosts) ? -1 : 1));
  if (items.length === 0) return "nothing yet";
  for (const form of ["counts", "hosts", "title"] as const) {
    const text = items.map((item) => item[form]).join("; ");
    if (text.length <= MAX_COVERAGE_CHARS) return text;
  }
  let text = "";
  for (const [i, { title }] of items.entries()) {
    const next = text === "" ? title : `${text}; ${title}`;
    if (i > 0 && next.length > MAX_COVERAGE_CHARS) return `${text}; and ${items.length - i} more sources`;
    text = next;
  }
  return text;
}

function hostsText(hosts: readonly string[]): string {
  const more = hosts.length - MAX_HOSTS_OF_A_SOURCE;
  const shown = hosts.slice(0, MAX_HOSTS_OF_A_SOURCE).join(", ");
  return more > 0 ? `${shown} and ${more} more hosts` : shown;
}

/** To one digit: a page that comes or goes must not change the text, for clients ask their users about tools that change. */
function pagesText(documents: number): string {
  if (documents < 10) return documents === 1 ? "1 page" : `${documents} pages`;
  const unit = 10 ** Math.floor(Math.log10(documents));
  return `about ${(Math.round(documents / unit) * unit).toLocaleString("en")} pages`;
}

function oneLine(title: string): string {
  return title
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, 100);
}
