import { documentName, tidyUrl } from "../domain/document.ts";
import { reasonOf } from "../domain/errors.ts";
import type { UrlVerdict } from "../domain/scope.ts";
import { fetchUrl } from "../domain/source.ts";
import { createLinkResolver, followVerdict } from "./follow.ts";
import type { Session } from "./session.ts";

/** What a crawl of the session's source would do with public URLs. Asks no more than the robots.txt of those in scope. */
export async function checkUrls(session: Session, urls: readonly string[]): Promise<readonly UrlVerdict[]> {
  const { source, obeyRobots, robots } = session;
  const resolver = createLinkResolver(source);
  const verdicts: UrlVerdict[] = [];
  for (const asked of urls) {
    const url = resolver.resolve(asked, asked) ?? asked;
    const common = { url: tidyUrl(url), source: source.id, name: documentName(url) };
    const { follow, rule } = followVerdict(source, url);
    if (!follow || !obeyRobots) {
      verdicts.push({
        ...common,
        isAsked: follow,
        rule,
        robots: follow ? "not heeded (obeyRobots: false)" : "not asked",
      });
      continue;
    }
    try {
      const verdict = await robots.verdict(fetchUrl(source.aliases, url));
      const line = verdict.rule === "" ? "" : ` (${verdict.rule})`;
      verdicts.push({
        ...common,
        isAsked: verdict.allowed,
        rule,
        robots: `${verdict.allowed ? "allowed" : "forbidden"}${line}`,
      });
    } catch (thrown) {
      verdicts.push({ ...common, isAsked: false, rule, robots: reasonOf(thrown) });
    }
  }
  return verdicts;
}
