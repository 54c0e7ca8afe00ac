import type { FetchOutcome, Page } from "../domain/page.ts";
import type { FrontierEntry } from "../domain/ports.ts";
import { fetchUrl, publicUrl } from "../domain/source.ts";
import { pageText } from "./charset.ts";
import { header, type Answer } from "./exchange.ts";
import { failureOf } from "./failure.ts";
import { htmlLinks, markdownLinks } from "./links.ts";
import { isBlank, mediaOf, mediaType, trueContentType } from "./media.ts";
import { isAsRich, richnessOfHtml } from "./richness.ts";
import type { Session } from "./session.ts";
import { visit } from "./visit.ts";

type PageOutcome = Extract<FetchOutcome, { kind: "page" }>;

/**
 * Puts the Markdown that a site offers of a page in place of its HTML, where it says as much. The document keeps the name and
 * the address of the page, and the links of its HTML. Where the Markdown is, is learnt once for each host: the page says it
 * (`<link rel=alternate type=text/markdown>`), an ending of its address, or the `Accept` header.
 */
export interface MarkdownTwins {
  /** Does `work` for one URL; the first of a host is done alone, so that the others know where its Markdown is. */
  inTurn<T>(entry: FrontierEntry, work: () => Promise<T>): Promise<T>;
  /** Whether what the archive holds of this URL is Markdown, so that its validators are not those of the HTML. */
  isHeld(entry: FrontierEntry): boolean;
  /** Asks for the Markdown that is held whether it has changed. */
  isUnchanged(entry: FrontierEntry, validators: Readonly<Record<string, string>>, isLastTry: boolean): Promise<boolean>;
  /** @param isLastTry whether a Markdown that fails for a moment is given up, for the HTML. */
  preferred(outcome: PageOutcome, isLastTry: boolean): Promise<PageOutcome>;
}

type Form = { readonly kind: "suffix"; readonly suffix: string } | { readonly kind: "accept" };

interface Host {
  form: Form | undefined;
  /** Pages that had no Markdown in any form. */
  misses: number;
  readonly first: Promise<void>;
}

/** So many pages without Markdown are enough to know that a host has none. */
const PAGES_PROBED = 3;
const ACCEPT = "text/markdown, text/plain;q=0.5, text/html;q=0.1";

export function createMarkdownTwins(session: Session): MarkdownTwins {
  const { source } = session;
  const { suffixes } = source.rules.markdown;
  const hosts = new Map<string, Host>();
  const originOf = (url: string): string => new URL(fetchUrl(source.aliases, url)).origin;

  /** An answer that is Markdown; undefined for any other. */
  async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    const seen = await visit(session, url, { accept: ACCEPT, ...headers });
    if (seen.kind !== "answer") return undefined;
    const { status, headers: sent, body } = seen.answer;
    if (status === 304) return seen.answer;
    const type = mediaType(header(sent, "content-type"));
    if (status !== 200 || (type !== "text/markdown" && type !== "text/x-markdown" && type !== "text/plain"))
      return undefined;
    return isBlank(body) || mediaOf("", seen.networkUrl, body) === "html" ? undefined : seen.answer;
  }

  /** Where the Markdown of a page may be, likeliest first, each with the form that says so. */
  function places(page: Page, host: Host): readonly { readonly url: string; readonly form: Form | undefined }[] {
    const named = namedTwin(page);
    if (named !== undefined) return [{ url: named, form: suffixForm(page.url, named) }];
    if (host.form !== undefined) return [{ url: twinUrl(page.url, host.form), form: host.form }];
    if (host.misses >= PAGES_PROBED) return [];
    const forms: Form[] = [...suffixes.map((suffix) => ({ kind: "suffix", suffix }) as const), { kind: "accept" }];
    return forms.map((form) => ({ url: twinUrl(page.url, form), form }));
  }

  /** The address that the page itself names, on its own host. */
  function namedTwin(page: Page): string | undefined {
    const { markdown, base } = htmlLinks(textOf(page), session.product);
    const asked = fetchUrl(source.aliases, page.url);
    const url = markdown === undefined ? null : URL.parse(markdown, URL.parse(base ?? "", asked)?.href ?? asked);
    if (url === null) return undefined;
    const twin = publicUrl(source.aliases, url.href);
    return originOf(twin) === new URL(asked).origin ? twin : undefined;
  }

  function suffixForm(pageUrl: string, named: string): Form | undefined {
    const suffix = suffixes.find((one) => twinUrl(pageUrl, { kind: "suffix", suffix: one }) === named);
    return suffix === undefined ? undefined : { kind: "suffix", suffix };
  }

  return {
    async inTurn(entry, work) {
      const origin = originOf(entry.url);
      const host = hosts.get(origin);
      if (host !== undefined) {
        await host.first;
        return work();
      }
      let isDone = (): void => {};
      const first = new Promise<void>((resolve) => (isDone = resolve));
      hosts.set(origin, { form: undefined, misses: 0, first });
      try {
        return await work();
      } finally {
        isDone();
      }
    },
    isHeld: ({ contentType = "", url }) =>
      mediaType(contentType) === "text/markdown" && !/\.(?:md|markdown)$/i.test(new URL(url).pathname),
    async isUnchanged(entry, validators, isLastTry) {
      const form = hosts.get(originOf(entry.url))?.form;
      if (form === undefined || Object.keys(validators).length === 0) return false;
      try {
        return (await ask(twinUrl(entry.url, form), validators))?.status === 304;
      } catch (thrown) {
        if (!isLastTry) throw failureOf(thrown);
        return false;
      }
    },
    async preferred(outcome, isLastTry) {
      const { page } = outcome;
      const host = hosts.get(originOf(page.url));
      if (mediaType(page.contentType) !== "text/html" || host === undefined) return outcome;
      const html = richnessOfHtml(textOf(page));
      for (const { url, form } of places(page, host)) {
        let answer: Answer | undefined;
        try {
          answer = await ask(url, {});
        } catch (thrown) {
          // While it is not known where the Markdown is, a failure may only mean that it is not there.
          if (!isLastTry && form !== undefined && form === host.form) throw failureOf(thrown);
        }
        if (answer === undefined || !canStandFor(answer, url, page, html)) continue;
        host.form ??= form;
        return { ...outcome, page: withTwin(page, answer), links: outcome.links.filter((link) => link.url !== url) };
      }
      if (host.form === undefined) host.misses++;
      return outcome;
    },
  };
}

/** The address of a page's Markdown. `index.html` and the like have one beside them, a directory one inside. */
export function twinUrl(pageUrl: string, form: Form): string {
  if (form.kind === "accept") return pageUrl;
  const url = new URL(pageUrl);
  const { suffix } = form;
  if (suffix.startsWith("/")) url.pathname = url.pathname.replace(/\/$/, "") + suffix;
  else url.pathname = url.pathname.endsWith("/") ? `${url.pathname}index${suffix}` : url.pathname + suffix;
  return url.href;
}

function canStandFor(answer: Answer, url: string, page: Page, html: ReturnType<typeof richnessOfHtml>): boolean {
  const text = pageText(answer.body, header(answer.headers, "content-type"));
  // Its links are resolved against the page's address: a relative one that means another page from there would be wrong.
  const isElsewhere = new URL(".", url).href !== new URL(".", page.url).href;
  if (isElsewhere && markdownLinks(text).hrefs.some((href) => !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(href))) return false;
  return isAsRich(text, html);
}

function withTwin(page: Page, { headers, body }: Answer): Page {
  return {
    ...page,
    contentType: trueContentType(header(headers, "content-type"), "markdown"),
    etag: header(headers, "etag") || undefined,
    lastModified: header(headers, "last-modified") || undefined,
    body,
  };
}

function textOf({ body, contentType }: Page): string {
  return pageText(Buffer.from(body.buffer, body.byteOffset, body.length), contentType);
}
