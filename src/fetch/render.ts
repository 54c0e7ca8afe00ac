import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Page, Route } from "playwright-core";
import { CarrelError } from "../domain/errors.ts";
import { publicUrl } from "../domain/source.ts";
import { keepBrowser, type BrowserProgram, type KeptBrowser, type Tab } from "./browser.ts";
import { pageText } from "./charset.ts";
import { header, type Headers } from "./exchange.ts";
import { FetchFailure, TooLarge } from "./failure.ts";
import { FLATTENED_DOM, SIZE_OF_DOM } from "./page-scripts.ts";
import { mediaOf } from "./media.ts";
import { holdsText, needsScript } from "./needs-script.ts";
import { createPageRequests, type RequestBudget } from "./page-requests.ts";
import { DEFAULT_RENDER_TIMES, type RenderTimes } from "./render-times.ts";
import type { Session } from "./session.ts";
import type { Visit } from "./visit.ts";

/** Builds pages in a browser, as their scripts do it for readers. */
export interface Renderer {
  /** What a visit found, with the HTML of a page in scope of the source's rule as its scripts leave it. */
  rendered(visit: Visit): Promise<Visit>;
  /** What is to be known of it in the run. */
  notes(): readonly string[];
  close(): Promise<void>;
}

/** Each page takes 50 to 100 MB. */
const MOST_PAGES = 4;
const LOOK_EVERY_MS = 50;
/** On a busy machine much time may pass between two looks. */
const QUIET_LOOKS = 4;
/** One answer that is late may be the machine's fault. */
const MUTE_LOOKS = 2;
/** A page that reloads itself more often goes in circles. */
const MAX_RELOADS = 3;

/** What scripts made of a page: its HTML, and the address that they gave it; or where they went instead. */
type Built = { readonly html: string; readonly address: string } | { readonly to: string };

/**
 * Makes the renderer of a crawl. The browser has no network of its own: the page is the answer that the crawl has, and each
 * request of its scripts is answered by the session, so that robots.txt, pace, proxy, authorities, secrets and the guard of
 * addresses hold for them, and nothing leaves the listed hosts.
 * @param program undefined when no browser is installed.
 * @throws CarrelError `config` when all pages are to be rendered, and there is no browser.
 */
export function createRenderer(
  session: Session,
  program: BrowserProgram | undefined,
  times: RenderTimes = DEFAULT_RENDER_TIMES,
): Renderer {
  const { source, logger, signal, urls } = session;
  const isAll = source.rules.render?.pages === "all";
  if (program === undefined && isAll) {
    throw new CarrelError(
      "config",
      "its pages are to be rendered (render: browser), and no browser was found: install Chromium (apt-get install chromium), or name one with CARREL_BROWSER_PATH",
    );
  }
  const browser = program === undefined ? undefined : keepBrowser(program);
  const requests = createPageRequests(session);
  const limit = pLimit(Math.min(MOST_PAGES, source.limits.concurrency));
  let built = 0;
  let asTheyAre = 0;
  let cutShort = 0;
  /** Why pages are kept as they are. */
  let reason =
    "no browser was found: install Chromium (apt-get install chromium), or name one with CARREL_BROWSER_PATH";
  let isBroken = browser === undefined;

  const onAbort = (): void => void browser?.close();
  signal.addEventListener("abort", onAbort, { once: true });

  async function build(keeper: KeptBrowser, networkUrl: string, html: string): Promise<Built> {
    try {
      return await keeper.use((tab) => buildIn(tab, networkUrl, html));
    } catch (thrown) {
      if (signal.aborted) throw new FetchFailure("stopped", false);
      if (thrown instanceof FetchFailure || thrown instanceof CarrelError) throw thrown;
      // Playwright's messages tell of its own affairs: whatever ends a page from without is a crash.
      throw new FetchFailure("the browser crashed while it rendered the page", true, undefined, thrown);
    }
  }

  async function buildIn(tab: Tab, networkUrl: string, html: string): Promise<Built> {
    const { page } = tab;
    const budget: RequestBudget = { asked: 0, inFlight: 0 };
    let answered = 0;
    let to: string | undefined;

    /** The page itself is at hand; another one is a redirect by script, and has its own place in the frontier. */
    function answerDocument(route: Route): Promise<void> {
      const asked = withoutHash(route.request().url());
      const isSelf = sameDocument(asked, networkUrl);
      if (isSelf && answered < MAX_RELOADS) {
        answered++;
        return route.fulfill({ status: 200, contentType: "text/html; charset=utf-8", body: html });
      }
      // Before the page is there, it is the one before it that still goes somewhere.
      if (!isSelf && answered > 0 && /^https?:/.test(asked)) to ??= asked;
      return route.abort("blockedbyclient");
    }

    tab.answer = (route) => {
      const kind = documentKind(route, page);
      if (kind === "none") return requests.answer(route, budget);
      return kind === "popup" ? route.abort("blockedbyclient") : answerDocument(route);
    };
    await page.goto(networkUrl, { waitUntil: "commit", timeout: times.pageMs });
    return settle(page, budget, () => {
      if (tab.isCrashed || page.isClosed()) {
        throw new FetchFailure("the browser crashed while it rendered the page", true);
      }
      return to === undefined ? undefined : { to };
    });
  }

  /** Waits until nothing is asked for and nothing changes. @param ending whether it has come to an end otherwise. */
  async function settle(page: Page, budget: RequestBudget, ending: () => Built | undefined): Promise<Built> {
    const start = performance.now();
    let last = start;
    let ownMs = 0;
    let calmMs = 0;
    let sameMs = 0;
    let sameLooks = 0;
    let muteLooks = 0;
    let size: unknown;
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal });
      const seen = await evaluated(page, SIZE_OF_DOM, times.evaluateMs);
      const ended = ending();
      if (ended !== undefined) return ended;
      const now = performance.now();
      const passed = now - last;
      last = now;
      const isBusy = budget.inFlight > 0;
      if (!isBusy) ownMs += passed;
      const state = typeof seen === "string" ? seen.split(" ")[0] : undefined;
      calmMs = isBusy || state === undefined || state === "waiting" ? 0 : calmMs + passed;
      const isLoaded = state === "complete";
      sameMs = isBusy || !isLoaded || seen !== size ? 0 : sameMs + passed;
      sameLooks = sameMs === 0 ? 0 : sameLooks + 1;
      size = seen;
      const isLate = ownMs >= times.pageMs || now - start >= times.totalMs;
      muteLooks = seen === undefined ? muteLooks + 1 : 0;
      if (isLate && muteLooks >= MUTE_LOOKS) {
        throw new FetchFailure(`the page's scripts did not come to an end within ${times.pageMs / 1000} s`, false);
      }
      const isQuiet = sameMs >= times.quietMs && sameLooks >= QUIET_LOOKS;
      if (!isLate && !isQuiet && calmMs < times.restlessMs) continue;
      const html = await evaluated(page, FLATTENED_DOM, times.evaluateMs);
      if (typeof html !== "string") continue;
      if (!isLate && ownMs < times.emptyMs && !holdsText(html)) continue;
      if (isLate) cutShort++;
      return { html, address: page.url() };
    }
  }

  function sameDocument(a: string, b: string): boolean {
    return nameOf(a) === nameOf(b);
  }

  function nameOf(networkUrl: string): string {
    return urls.names.name(publicUrl(source.aliases, networkUrl));
  }

  async function render(visit: AnswerVisit, text: string, keeper: KeptBrowser): Promise<Visit> {
    const { networkUrl, answer } = visit;
    const result = await limit(() => build(keeper, networkUrl, text));
    const to = "to" in result ? result.to : /^https?:/.test(result.address) ? result.address : networkUrl;
    // A script may have given the page another address, under which it is another document.
    if (!sameDocument(to, networkUrl)) return { kind: "redirect", to: publicUrl(source.aliases, withoutHash(to)) };
    if ("to" in result) return visit;
    built++;
    const body = Buffer.from(result.html, "utf8");
    if (body.length > source.limits.maxPageBytes) {
      throw new TooLarge(
        `larger than ${source.limits.maxPageBytes} bytes (limits.maxPageBytes) once it is rendered`,
        "text/html",
      );
    }
    return { kind: "answer", networkUrl, answer: { ...answer, headers: renderedHeaders(answer.headers), body } };
  }

  return {
    async rendered(visit) {
      if (visit.kind !== "answer" || visit.answer.status !== 200) return visit;
      const type = header(visit.answer.headers, "content-type");
      if (mediaOf(type, visit.networkUrl, visit.answer.body) !== "html") return visit;
      const text = pageText(visit.answer.body, type);
      if (!isAll && !needsScript(text)) return visit;
      if (browser === undefined || isBroken) {
        asTheyAre++;
        return visit;
      }
      try {
        return await render(visit, text, browser);
      } catch (thrown) {
        if (isAll || !(thrown instanceof CarrelError)) throw thrown;
        isBroken = true;
        reason = thrown.message;
        asTheyAre++;
        return visit;
      }
    },
    notes() {
      return [
        ...(built === 0 ? [] : [`${count(built, "page")} rendered in a browser`]),
        ...(cutShort === 0 ? [] : [`${count(cutShort, "page")} taken as they stood when their time was over`]),
        ...(asTheyAre === 0 ? [] : [`${count(asTheyAre, "page")} without content kept as they are, for ${reason}`]),
      ];
    },
    async close() {
      signal.removeEventListener("abort", onAbort);
      await browser?.close();
      const refused = [...requests.refused].sort(([, a], [, b]) => b - a).slice(0, MOST_REASONS);
      if (refused.length > 0) {
        const list = refused.map(([why, times]) => `${times} ${why}`).join(", ");
        logger.info(`${source.id}: not fetched for rendered pages: ${list}`);
      }
    },
  };
}

type AnswerVisit = Extract<Visit, { kind: "answer" }>;

/** Kinds of refused requests that are told of, the most frequent first. */
const MOST_REASONS = 8;

/**
 * The validators go: they are those of the HTML that the scripts began with, which may be the same for each page and for ever,
 * while what the scripts load has changed. A rendered page is asked for, and rendered, whole.
 */
function renderedHeaders(headers: Headers): Headers {
  return { ...headers, etag: undefined, "last-modified": undefined, "content-type": "text/html; charset=utf-8" };
}

/** Whether a request is for a document of the page itself, of one that it opened, or for something else. */
function documentKind(route: Route, page: Page): "page" | "popup" | "none" {
  const request = route.request();
  if (!request.isNavigationRequest()) return "none";
  try {
    const frame = request.frame();
    // A document in a frame is refused with all that is not needed.
    if (frame.parentFrame() !== null) return "none";
    return frame.page() === page ? "page" : "popup";
  } catch {
    // Asked for before its window is there: one that was opened by script.
    return "popup";
  }
}

/** @returns undefined when the page does not answer in time, or is none at the moment. */
async function evaluated(page: Page, script: string, withinMs: number): Promise<unknown> {
  const late = new AbortController();
  const timer = sleep(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
  try {
    // It fails while one document takes the place of another.
    return await Promise.race([page.evaluate(script).catch(() => undefined), timer]);
  } finally {
    late.abort();
  }
}

function withoutHash(address: string): string {
  const hash = address.indexOf("#");
  return hash === -1 ? address : address.slice(0, hash);
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
