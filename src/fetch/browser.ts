import type { Browser, Page, Route } from "playwright-core";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { BEGIN_DOCUMENT } from "./page-scripts.ts";

/** A Chromium that is installed, and the environment that it is started with: not ours, in which there may be secrets. */
export interface BrowserProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A page of the browser, used for one document after another: a new one takes three times as long. */
export interface Tab {
  readonly page: Page;
  /** Answers what the page asks for; changed with each document. */
  answer: (route: Route) => Promise<void>;
  isCrashed: boolean;
}

/** One browser for a crawl: started when it is first needed, started again when it has crashed, and ended with the crawl. */
export interface KeptBrowser {
  /**
   * Lends a tab to `work`. Cookies and storage of the documents before are not there any more; when `work` fails, no other
   * document gets the tab.
   * @throws CarrelError `unavailable` when the browser does not start.
   */
  use<T>(work: (tab: Tab) => Promise<T>): Promise<T>;
  /** Ends the process; what was under way fails. */
  close(): Promise<void>;
}

/** Chromium grows with the pages it has shown; after so many another takes its place. */
const PAGES_PER_BROWSER = 500;
const START_TIMEOUT_MS = 60_000;
/** A page whose script never ends does not let go of its context. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Nobody listens there: whatever is not intercepted, the browser's own wishes too, goes nowhere. */
const DEAD_PROXY = "http://127.0.0.1:9";

const ARGUMENTS = [
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--no-pings",
  "--dns-prefetch-disable",
  "--disable-quic",
  "--disable-crash-reporter",
  "--disable-dev-shm-usage",
  "--mute-audio",
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

interface Running {
  readonly browser: Browser;
  readonly idle: Tab[];
  served: number;
  open: number;
}

export function keepBrowser({ path, environment }: BrowserProgram): KeptBrowser {
  let current: Promise<Running> | undefined;
  let closing: Promise<void> | undefined;
  const all = new Set<Browser>();

  async function start(): Promise<Running> {
    // Loading it takes a second: only a page that is to be rendered is worth that.
    const { chromium } = await import("playwright-core");
    const browser = await chromium.launch({
      executablePath: path,
      args: ARGUMENTS,
      env: { ...environment },
      // Chromium's own sandbox does not work for root.
      chromiumSandbox: process.getuid?.() !== 0,
      proxy: { server: DEAD_PROXY, bypass: "<-loopback>" },
      // Signals are the command's: it ends the crawl, and the crawl its browser.
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      timeout: START_TIMEOUT_MS,
    });
    all.add(browser);
    if (closing !== undefined) await end(browser);
    return { browser, idle: [], served: 0, open: 0 };
  }

  async function running(): Promise<Running> {
    const before = current;
    const held = await before;
    if (held !== undefined && held.browser.isConnected() && held.served < PAGES_PER_BROWSER) return held;
    // Others may have waited for the same one, and the first of them has started the next.
    if (current !== before) return running();
    const next = start().catch((error: unknown) => {
      if (current === next) current = undefined;
      throw notStarted(path, error);
    });
    current = next;
    return next;
  }

  async function end(browser: Browser): Promise<void> {
    await browser.close().catch(() => undefined);
    all.delete(browser);
  }

  return {
    async use(work) {
      const held = await running();
      held.served++;
      held.open++;
      let tab: Tab | undefined;
      let isSound = false;
      try {
        tab = held.idle.pop() ?? (await openTab(held.browser));
        await tab.page.context().clearCookies();
        const result = await work(tab);
        isSound = true;
        return result;
      } finally {
        held.open--;
        if (tab !== undefined) tab.answer = refuseAll;
        if (tab !== undefined && isSound) held.idle.push(tab);
        const isEnded =
          tab === undefined || isSound || (await endsWithin(tab.page.context().close(), CLOSE_TIMEOUT_MS));
        const isWornOut = held.served >= PAGES_PER_BROWSER && held.open === 0;
        if (!isEnded || isWornOut) await end(held.browser);
      }
    },
    async close() {
      closing ??= (async () => {
        await current?.catch(() => undefined);
        await Promise.all([...all].map(end));
      })();
      await closing;
    },
  };
}

async function openTab(browser: Browser): Promise<Tab> {
  const context = await browser.newContext({
    acceptDownloads: false,
    serviceWorkers: "block",
    bypassCSP: true,
    // Tall, so that what is built when it comes into sight is built.
    viewport: { width: 1_280, height: 6_000 },
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  await context.addInitScript(BEGIN_DOCUMENT);
  await context.routeWebSocket(/.*/, (socket) => socket.close());
  const page = await context.newPage();
  const tab: Tab = { page, answer: refuseAll, isCrashed: false };
  await context.route("**/*", (route) => tab.answer(route));
  // Windows that a script opens.
  context.on("page", (other) => void other.close().catch(() => undefined));
  // A page that asks its reader to stay is left all the same.
  page.on("dialog", (dialog) => {
    const answered = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    answered.catch(() => undefined);
  });
  page.on("crash", () => (tab.isCrashed = true));
  return tab;
}

function refuseAll(route: Route): Promise<void> {
  return route.abort("blockedbyclient").catch(() => undefined);
}

/** Whether work has ended in time, well or not. */
async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  const isEnded = await Promise.race([ended, late]);
  clearTimeout(timer);
  return isEnded;
}

function notStarted(path: string, error: unknown): CarrelError {
  const text = reasonOf(error);
  const line =
    /(?:FATAL|ERROR)\S*[^\n]*|error while loading[^\n]*|No usable sandbox[^\n]*/.exec(text)?.[0] ?? text.split("\n")[0];
  return new CarrelError(
    "unavailable",
    `The browser ${path} did not start: ${(line ?? "").slice(0, 300)}. Start it by hand to see why; in a container it needs a sandbox or root, see data/manual/pipelines.md.`,
    { cause: error },
  );
}
