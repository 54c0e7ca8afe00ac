import { reasonOf } from "../domain/errors.ts";
import type { UrlVerdict } from "../domain/scope.ts";
import { fetchUrl } from "../domain/source.ts";
import { createLinkResolver } from "./follow.ts";
import type { Session } from "./session.ts";
import { withoutSession } from "./traps.ts";

/** What a crawl of the session's source would do with public URLs. Asks no more than the robots.txt of those in scope. */
export async function checkUrls(session: Session, urls: readonly string[]): Promise<readonly UrlVerdict[]> {
  const { source, urls: rules, obeyRobots, robots } = session;
  const resolver = createLinkResolver(rules, source.aliases);
  const verdicts: UrlVerdict[] = [];
  for (const asked of urls) {
    const url = withoutSession(resolver.resolve(asked, asked) ?? asked);
    const common = { url: rules.names.tidy(url), source: source.id, name: rules.names.name(url) };
    const { follow, rule } = rules.verdict(url);
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
