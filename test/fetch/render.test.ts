import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBrowser } from "../../src/config/browser.ts";
import { createAccessReader } from "../../src/config/credentials.ts";
import type { BrowserProgram } from "../../src/fetch/browser.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { crawl, DEFAULT_RULES, linkUrls, reason, type Crawled, type CrawlOptions } from "./support/crawl.ts";
import { data, SCRIPT, SHELL, startScriptSite } from "./support/script-site.ts";
import { page, startSite } from "./support/site.ts";

const BROWSER = findBrowser("");
const QUICK_TIMES = {
  pageMs: 20_000,
  totalMs: 60_000,
  quietMs: 200,
  restlessMs: 1_500,
  evaluateMs: 5_000,
  emptyMs: 300,
};

function rendering(pages: "all" | "empty", program = BROWSER, times = QUICK_TIMES): CrawlOptions {
  return {
    source: { rules: { ...DEFAULT_RULES, render: { pages, origins: [] } } },
    fetcher: { browser: () => program, renderTimes: times },
  };
}

function bodyOf(crawled: Crawled, path: string): string {
  const outcome = crawled.outcome(path);
  return outcome?.kind === "page"
    ? Buffer.from(outcome.page.body).toString("utf8")
    : `${outcome?.kind} ${reason(outcome)}`;
}

/** A page with enough text to be one, and a script. */
function scripted(script: string, more = ""): string {
  const text = "Widgets are turned by hand until the marks on wheel and frame meet. ".repeat(5);
  return `<!DOCTYPE html><title>Scripted</title><body><h1>Scripted</h1><p>${text}</p>${more}<script>${script}</script>`;
}

/** Chromium by way of a program that notes the number of its process. */
function noted(program: BrowserProgram): { program: BrowserProgram; pid: () => number } {
  const folder = tempFolder();
  const path = join(folder, "noted-browser");
  writeFileSync(path, `#!/bin/sh\necho $$ >> ${folder}/pids\nexec ${program.path} "$@"\n`);
  chmodSync(path, 0o755);
  const pids = (): string[] => readFileSync(join(folder, "pids"), "utf8").trim().split("\n");
  return { program: { ...program, path }, pid: () => Number(pids().at(-1)) };
}

/** Whether a process is at work; one that has ended and is not reaped yet is not. */
function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

describe.skipIf(BROWSER === undefined)("with Chromium (skipped where none is installed)", { timeout: 120_000 }, () => {
  const installed = BROWSER ?? { path: "", environment: {} };

  test("an application's pages are kept as its scripts build them, asked with the source's secrets; the process ends", async () => {
    const opened: string[] = [];
    await using site = await startScriptSite({
      "/data/home.json": (request) => {
        opened.push(request.headers.authorization ?? "");
        return data("Home", "/turning", "/missing");
      },
      "/data/turning.json": data("Turning widgets", "/"),
    });
    const { program, pid } = noted(installed);
    const options = rendering("all", program);
    const access = createAccessReader(() => undefined, { TOKEN: "t0ken-of-docs" });
    const crawled = await crawl(site.url, {
      source: { ...options.source, access: { auth: { bearer: { env: "TOKEN" } } } },
      fetcher: { ...options.fetcher, access },
      known: [{ url: `${site.url}turning`, etag: '"old"' }],
    });
    expect(bodyOf(crawled, "turning")).toMatch(/<main><h1>Turning widgets<\/h1><p>Turning widgets\. Widgets are/);
    expect(bodyOf(crawled, "turning")).not.toContain("<script");
    expect(linkUrls(crawled.outcome(""))).toContain(`${site.url}turning`);
    // Its shell is there for every address: what the scripts say is what counts.
    expect(crawled.outcome("missing")).toEqual({ kind: "gone", status: "soft 404" });
    // The validators are those of the shell, which never changes.
    expect(crawled.outcome("turning")).toMatchObject({
      page: { etag: undefined, contentType: "text/html; charset=utf-8" },
    });
    expect(opened[0]).toBe("Bearer t0ken-of-docs");
    expect(site.paths().filter((path) => path === "/assets/app.js")).toHaveLength(1);
    expect(crawled.notes.join()).toMatch(/^\d pages rendered in a browser$/);
    expect(isAlive(pid())).toBe(false);
  });

  test("nothing leaves the listed hosts, whatever a page tries; robots.txt holds for its requests too", async () => {
    await using other = await startSite({}, "gotcha");
    const away = (path: string): string => `${other.url}${path}`;
    const hostile = `
      addEventListener("error", () => {});
      fetch("${away("fetch")}").catch(() => {});
      fetch("${away("post")}", { method: "POST", body: "x" }).catch(() => {});
      navigator.sendBeacon("${away("beacon")}", "x");
      new WebSocket("${away("socket").replace("http", "ws")}");
      new EventSource("${away("events")}");
      new Image().src = "${away("image.png")}";
      new Worker(URL.createObjectURL(new Blob(["fetch('${away("worker")}')"])));
      navigator.serviceWorker?.register("/worker.js").catch(() => {});
      alert("hello"); window.open("${away("popup")}"); window.open("/popup");
      const link = document.createElement("a"); link.href = "/download.zip"; link.download = "x"; document.body.append(link); link.click();
      fetch("/hidden/data.json").catch(() => {});
      fetch("/post", { method: "POST", body: "x" }).catch(() => {});
      fetch("/leads-away").catch(() => {});
      fetch("/data.json").then((answer) => answer.text()).then((text) => { document.querySelector("h1").textContent = text; });`;
    const frames = `<iframe src="${away("frame")}"></iframe><img src="/picture.png"><link rel=prefetch href="${away("prefetch")}"><link rel=preconnect href="${other.url}"><link rel=stylesheet href="${away("style.css")}">`;
    await using site = await startSite({
      "/": scripted(hostile, frames),
      "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /hidden/" },
      "/data.json": { headers: { "content-type": "application/json" }, body: "All is well" },
      "/leads-away": { status: 302, headers: { location: away("redirected") } },
    });
    const crawled = await crawl(site.url, rendering("all"));
    expect(bodyOf(crawled, "")).toContain("<h1>All is well</h1>");
    expect(other.paths()).toEqual([]);
    const asked = new Set(site.paths().filter((path) => !path.includes("carrel-no-such-page")));
    expect([...asked].sort()).toEqual(["/", "/data.json", "/leads-away", "/robots.txt"]);
    expect(crawled.log.join()).toMatch(/not fetched for rendered pages: .*robots\.txt/);
    expect(crawled.log.join()).toContain(`other hosts (${new URL(other.url).host})`);
  });

  test("auto renders what holds no content, and keeps the rest as it was sent; a script's own address is a redirect", async () => {
    const component = `customElements.define("doc-text", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = "<h2>In the shadow</h2><slot></slot><template>no</template>"; } });`;
    const plain = scripted("document.body.textContent = 'broken'");
    await using site = await startSite({
      "/": {
        body: plain.replace("</h1>", '</h1><a href="app">a</a> <a href="gone-on">b</a> <a href="renamed">c</a>'),
        headers: { etag: '"v1"' },
      },
      "/app": `<title>App</title><div id="app"></div><script>${component} document.querySelector("#app").innerHTML =
        "<h1>Built</h1><doc-text><p>${"Widgets turn. ".repeat(20)}</p></doc-text>"</script>`,
      "/gone-on": '<title>x</title><div id="app"></div><script>location.replace("/guide")</script>',
      "/renamed":
        '<title>x</title><div id="app"></div><script>history.replaceState(null, "", "/new-name"); document.body.append("A page with some text in it.")</script>',
      "/guide": page("Guide"),
      "/new-name": page("New name"),
    });
    const crawled = await crawl(site.url, rendering("empty"));
    expect(bodyOf(crawled, "")).toContain("document.body.textContent = 'broken'");
    expect(crawled.outcome("")).toMatchObject({ page: { etag: '"v1"' } });
    expect(bodyOf(crawled, "app")).toMatch(/<h1>Built<\/h1><doc-text><h2>In the shadow<\/h2><slot><p>Widgets turn/);
    expect(crawled.outcome("gone-on")).toMatchObject({ kind: "moved", to: `${site.url}guide` });
    expect(crawled.outcome("renamed")).toMatchObject({ kind: "moved", to: `${site.url}new-name` });
    expect(crawled.notes).toEqual(["1 page rendered in a browser"]);
  });

  test("a page that goes on for ever is taken as it stands; one that never lets go is given up, and the others are there", async () => {
    await using site = await startSite({
      "/": scripted(
        "setInterval(() => { document.title = String(performance.now()); fetch('/tick'); }, 100)",
        '<a href="stuck">a</a> <a href="fine">b</a>',
      ),
      "/tick": { headers: { "content-type": "text/plain" }, body: "tick" },
      "/stuck": scripted("for (;;);"),
      "/fine": scripted("document.querySelector('h1').textContent = 'Fine'"),
    });
    const options = rendering("all", BROWSER, { ...QUICK_TIMES, pageMs: 4_000, totalMs: 8_000 });
    const crawled = await crawl(site.url, { ...options, limits: { concurrency: 1 } });
    expect(bodyOf(crawled, "")).toContain("<h1>Scripted</h1>");
    expect(bodyOf(crawled, "fine")).toContain("<h1>Fine</h1>");
    expect(reason(crawled.outcome("stuck"))).toMatch(/the page's scripts did not come to an end within 4 s/);
  });

  test("a browser that is killed is started again, and its page asked for again", async () => {
    const { program, pid } = noted(installed);
    let killed = 0;
    await using site = await startSite({
      "/": scripted(
        "fetch('/data.json').then((a) => a.text()).then((t) => { document.querySelector('h1').textContent = t; })",
      ),
      "/data.json": () => {
        if (killed++ === 0) process.kill(pid(), "SIGKILL");
        return { headers: { "content-type": "text/plain" }, body: "Up again" };
      },
    });
    const crawled = await crawl(site.url, rendering("all", program));
    expect(bodyOf(crawled, "")).toContain("<h1>Up again</h1>");
    expect(crawled.log.join()).toContain("the browser crashed while it rendered the page; asking again");
  });

  test("a crawl that is stopped leaves no browser behind", async () => {
    const { program, pid } = noted(installed);
    const stop = new AbortController();
    await using site = await startSite({
      "/": scripted("fetch('/never')"),
      "/never": () => {
        stop.abort();
        return undefined;
      },
    });
    const crawled = await crawl(site.url, { ...rendering("all", program), signal: stop.signal });
    expect(crawled.frontier.claimed()).toHaveLength(1);
    expect(isAlive(pid())).toBe(false);
  });
});

test("without a browser a source that is to be rendered fails, and says what to install", async () => {
  await using site = await startSite({ "/": SHELL });
  const options = rendering("all");
  const crawling = crawl(site.url, { ...options, fetcher: { browser: () => undefined } });
  await expect(crawling).rejects.toMatchObject({
    code: "config",
    message: expect.stringMatching(
      /no browser was found: install Chromium \(apt-get install chromium\), or name one with CARREL_BROWSER_PATH/,
    ) as string,
  });
  expect(site.paths()).toEqual([]);
});

test("without a browser auto keeps pages as they are, and counts those without content", async () => {
  await using site = await startSite({
    "/": page("Home", "app"),
    "/app": SHELL,
    "/assets/app.js": { headers: SCRIPT, body: "" },
  });
  const crawled = await crawl(site.url, { ...rendering("empty"), fetcher: { browser: () => undefined } });
  expect(bodyOf(crawled, "app")).toBe(SHELL);
  expect(crawled.notes).toEqual([
    expect.stringMatching(/^1 page without content kept as they are, for no browser was found/),
  ]);
});

test("a browser that does not start is told of by auto, and ends a source that needs it", async () => {
  await using site = await startSite({ "/": SHELL });
  const broken = { path: "/bin/false", environment: {} };
  const crawled = await crawl(site.url, rendering("empty", broken));
  expect(crawled.notes.join()).toMatch(
    /1 page without content kept as they are, for The browser \/bin\/false did not start/,
  );
  expect(reason((await crawl(site.url, rendering("all", broken))).outcome(""))).toContain("/bin/false did not start");
});
