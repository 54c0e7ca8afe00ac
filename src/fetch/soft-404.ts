import { randomBytes } from "node:crypto";
import type { PageNames } from "../domain/page-names.ts";
import { fetchUrl, publicUrl } from "../domain/source.ts";
import { pageText } from "./charset.ts";
import { header } from "./exchange.ts";
import { mediaOf } from "./media.ts";
import { isNotFoundPage, learnNotFoundPage, type NotFoundPage } from "./not-found-page.ts";
import { pageTexts, type PageTexts } from "./page-texts.ts";
import type { Session } from "./session.ts";
import type { Look, Visit } from "./visit.ts";

/**
 * Tells pages that are not there from those that are, on sites that answer 200 OK for both, or send readers of missing pages
 * to one place. How a site does it is learnt by asking for an address that nobody has.
 */
export interface SoftNotFound {
  /** @param networkUrl what was asked for. */
  isMissing(networkUrl: string, answer: Visit): Promise<boolean>;
}

/** The beginning of the made-up addresses: whoever reads the site's log sees what they are. */
export const PROBE_NAME = "carrel-no-such-page-";
/** Sites differ by the depth of the directory (a manual below a portal), and seldom further down. */
const DEEPEST = 3;

/** What is known of one host at one depth of directories. */
interface Learnt {
  /** Document names that missing pages redirect to. */
  readonly target: string | undefined;
  readonly page: NotFoundPage | undefined;
}

const NOTHING: Learnt = { target: undefined, page: undefined };

/** @param look how a page is asked for: made-up addresses are rendered just as pages are. */
export function createSoftNotFound(session: Session, look: Look): SoftNotFound {
  const { source, logger, signal } = session;
  const { names } = session.urls;
  const learnt = new Map<string, Promise<Learnt>>();
  const warned = new Set<string>();

  function learnAt(networkUrl: string): Promise<Learnt> {
    const { origin, pathname } = new URL(networkUrl);
    const segments = pathname.split("/").slice(1, -1).slice(0, DEEPEST);
    const key = `${origin} ${segments.length}`;
    let known = learnt.get(key);
    if (known === undefined) {
      const directory = segments.length === 0 ? `${origin}/` : `${origin}/${segments.join("/")}/`;
      // A site that does not answer this tells nothing; the pages themselves will say what is wrong.
      known = learn(directory).catch(() => NOTHING);
      learnt.set(key, known);
    }
    return known;
  }

  async function learn(directory: string): Promise<Learnt> {
    const first = await probe(directory);
    if (first.target !== undefined) return { target: first.target, page: undefined };
    if (first.texts === undefined) return NOTHING;
    const second = await probe(directory);
    const there = await seedTexts(directory);
    if (second.texts === undefined || there === undefined) return NOTHING;
    const page = learnNotFoundPage(first.texts, second.texts, there);
    const { host } = new URL(directory);
    if (page === undefined && !warned.has(host) && !signal.aborted) {
      warned.add(host);
      logger.warn(
        `${source.id}: ${host} answers made-up addresses like its pages, so pages that are not there cannot be told apart`,
      );
    }
    return { target: undefined, page };
  }

  async function probe(directory: string): Promise<{ texts?: PageTexts; target?: string }> {
    const networkUrl = `${directory}${PROBE_NAME}${randomBytes(6).toString("hex")}`;
    const seen = await look(publicUrl(source.aliases, networkUrl), {});
    if (seen.kind === "redirect") return { target: withoutEcho(names, seen.to, networkUrl) };
    const texts = textsOf(seen, networkUrl);
    return texts === undefined ? {} : { texts };
  }

  /** The texts of a seed: the one page of which the pipeline says that it is there. */
  async function seedTexts(directory: string): Promise<PageTexts | undefined> {
    const { origin } = new URL(directory);
    const seeds = source.seeds.map((seed) => fetchUrl(source.aliases, seed));
    const seed = seeds.find((url) => new URL(url).origin === origin) ?? seeds[0] ?? "";
    return textsOf(await look(publicUrl(source.aliases, seed), {}), seed);
  }

  return {
    async isMissing(networkUrl, answer) {
      if (isSeed(networkUrl)) return false;
      if (answer.kind === "redirect") {
        const { target } = await learnAt(networkUrl);
        return target !== undefined && target === withoutEcho(names, answer.to, networkUrl);
      }
      if (answer.kind !== "answer" || answer.answer.status !== 200) return false;
      if (!isHtml(answer)) return false;
      const { page } = await learnAt(answer.networkUrl);
      const texts = page === undefined ? undefined : textsOf(answer, networkUrl);
      return page !== undefined && texts !== undefined && isNotFoundPage(page, texts);
    },
  };

  function isSeed(networkUrl: string): boolean {
    const name = names.name(publicUrl(source.aliases, networkUrl));
    return source.seeds.some((seed) => names.name(seed) === name);
  }
}

/** The texts of an answer that is an HTML page; undefined for any other. */
function textsOf(visit: Visit, networkUrl: string): PageTexts | undefined {
  if (visit.kind !== "answer" || visit.answer.status !== 200 || !isHtml(visit)) return undefined;
  const { headers, body } = visit.answer;
  return pageTexts(pageText(body, header(headers, "content-type")), networkUrl);
}

function isHtml({ answer, networkUrl }: Extract<Visit, { kind: "answer" }>): boolean {
  return mediaOf(header(answer.headers, "content-type"), networkUrl, answer.body) === "html";
}

/** A redirect's target without the address that led there: `/login?from=/a/b`. */
function withoutEcho(names: PageNames, to: string, networkUrl: string): string {
  const { pathname, href } = new URL(networkUrl);
  let name = names.name(to);
  if (pathname === "/") return name;
  for (const echo of [href, pathname].flatMap((form) => [encodeURIComponent(form), form])) {
    name = name.replaceAll(echo, "");
  }
  return name;
}
