import { fetchUrl, publicUrl } from "../domain/source.ts";
import { markdownLinks } from "./links.ts";
import { mediaOf, mediaType } from "./media.ts";
import type { Session } from "./session.ts";
import { readSiteFile } from "./site-file.ts";
import { visit } from "./visit.ts";

/**
 * The addresses, on the network, that the llms.txt of the seeds' hosts and directories name. It is a Markdown file with links
 * to what a site holds; sites without one are the rule, and nothing is said of them. Source: llmstxt.org.
 */
export async function llmsTxtPages(session: Session): Promise<readonly string[]> {
  const { source, signal } = session;
  const places = new Set<string>();
  for (const seed of source.seeds) {
    const url = fetchUrl(source.aliases, seed);
    for (const place of ["/llms.txt", "llms.txt"]) places.add(new URL(place, url).href);
  }
  const pages: string[] = [];
  for (const place of places) {
    if (signal.aborted) break;
    pages.push(...(await pagesIn(session, place).catch(() => [])));
  }
  return pages;
}

async function pagesIn(session: Session, place: string): Promise<readonly string[]> {
  const { text, contentType, networkUrl } = await readSiteFile(session, place);
  const type = mediaType(contentType);
  if (type !== "text/plain" && type !== "text/markdown") return [];
  // A site that answers everything with a page.
  if (mediaOf(contentType, networkUrl, Buffer.from(text.slice(0, 2_000))) === "html") return [];
  const found = markdownLinks(text)
    .hrefs.map((href) => URL.parse(href, networkUrl)?.href)
    .filter((href) => href !== undefined);
  const twins = found.filter((href) => pageOfTwin(href) !== undefined);
  const arePages = twins.length > 0 && (await isPage(session, pageOfTwin(twins[0] ?? "") ?? ""));
  return arePages ? found.map((href) => pageOfTwin(href) ?? href) : found;
}

/** Whether the page is there of which a link names the Markdown: then the Markdown is no document of its own. */
async function isPage(session: Session, networkUrl: string): Promise<boolean> {
  try {
    const seen = await visit(session, publicUrl(session.source.aliases, networkUrl), {});
    if (seen.kind !== "answer" || seen.answer.status !== 200) return false;
    return mediaOf(String(seen.answer.headers["content-type"]), seen.networkUrl, seen.answer.body) === "html";
  } catch {
    return false;
  }
}

/** The page whose Markdown a URL names: `a/index.md` → `a/`, `a.md.txt` → `a`, `a.md` → `a`; undefined for others. */
export function pageOfTwin(url: string): string | undefined {
  const match = /^(https?:\/\/[^?#]+?)(?:(\/)index\.md|\.md(?:\.txt)?)$/i.exec(url.split("#")[0] ?? "");
  return match === null ? undefined : `${match[1] ?? ""}${match[2] ?? ""}`;
}
