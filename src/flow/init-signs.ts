import { languageOfSegment } from "../domain/language-range.ts";
import { compileVersions } from "../domain/version-segment.ts";

/** What the addresses of a site say of it. */
export interface AddressSigns {
  /** Languages in which there are pages below the directory, by their tags. */
  readonly languages: readonly string[];
  /** Versions that stand next to one another right below the directory, as they are written. */
  readonly versions: readonly string[];
  /** How many addresses begin with each segment below the directory, most first. */
  readonly sections: readonly { readonly name: string; readonly count: number }[];
  readonly hasBlog: boolean;
}

const versions = compileVersions([]);

/** @param urls those of the host that are known. @param directory where the crawl begins: a URL that ends in a slash. */
export function addressSigns(urls: Iterable<string>, directory: string): AddressSigns {
  const inPath = new Set<string>();
  const byHl = new Set<string>();
  const found = new Set<string>();
  const sections = new Map<string, number>();
  let hasBlog = false;
  for (const url of urls) {
    if (!url.startsWith(directory)) continue;
    const [path = "", query = ""] = url.slice(directory.length).split("#")[0]?.split("?") ?? [];
    const [first = "", second = ""] = path.split("/");
    if (/(?:^|\/)blog(?:\/|$)/.test(path)) hasBlog = true;
    const hl = new URLSearchParams(query).get("hl");
    if (hl !== null && hl !== "") byHl.add(hl);
    const isFolder = path.includes("/");
    const tag = languageOfSegment(first);
    if (tag !== undefined && isFolder) inPath.add(tag);
    const version = versions.versionIn([tag === undefined ? first : second]);
    if (version !== undefined) found.add(version);
    const section = isFolder ? `${first}/` : "";
    sections.set(section, (sections.get(section) ?? 0) + 1);
  }
  return {
    // One directory of two letters may be a word: /ar/ is augmented reality somewhere.
    languages: [...new Set([...(inPath.size > 1 ? inPath : []), ...byHl])].sort(),
    versions: found.size > 1 ? [...found] : [],
    sections: [...sections].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
    hasBlog,
  };
}

/** What sites call the version that most readers want. */
const PREFERRED = ["stable", "current", "latest", "lts"];

/** The version to keep when nobody has said: the stable one, or the highest number. */
export function likelyVersion(found: readonly string[]): string | undefined {
  const named = PREFERRED.find((name) => found.includes(name));
  if (named !== undefined) return named;
  const numbered = found.filter((version) => /^v?\d/i.test(version));
  return numbered.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))[0] ?? found[0];
}
