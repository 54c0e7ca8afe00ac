import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Failure, Omission, OmissionGroup, Run } from "../../src/domain/run.ts";
import { carrel, carrelHere, finished, startCarrel, type Finished } from "../support/command-line.ts";
import { corpusSnapshot } from "../support/corpus-snapshot.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { sphinxPage, startTestSite, type TestSite } from "../support/test-site.ts";

const NAME = "documents/docs.widget.org/2.0";
const PAGES = Array.from({ length: 11 }, (_, i) => `/p${i}.html`);

let site: TestSite;
let pipelines: string;
let data: string;

beforeEach(async () => {
  site = await startTestSite();
  fill();
  data = tempFolder();
  pipelines = join(tempFolder(), "pipelines");
  mkdirSync(pipelines);
  pipeline("widget");
});

/** The site as it is on a good day. */
function fill(): void {
  site.pages.set("/", sphinxPage("Widget", "<p>Welcome to the widget manual.</p>", PAGES));
  for (const path of PAGES) site.pages.set(path, pageOf(path));
  site.answers.clear();
}

function pageOf(path: string, heading = "About"): string {
  const sentence = `The part ${path.slice(2, -5)} of the widget is put together as is described here. `;
  return sphinxPage(`${heading} ${path.slice(1, -5)}`, `<p>${sentence.repeat(6)}</p>`, ["/"]);
}

function pipeline(id: string, more = ""): void {
  writeFileSync(
    join(pipelines, `${id}.yaml`),
    `title: Widget 2.0\nseeds: [https://docs.widget.org/2.0/]\naliases: { '${site.url}': 'https://docs.widget.org/2.0/' }\n${more}`,
  );
}

function run(...args: string[]): Promise<Finished> {
  return carrelHere([...args, "--data", data, "--pipelines", pipelines]);
}

async function json<T>(expectedCode: number, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect(code, stderr).toBe(expectedCode);
  return JSON.parse(stdout) as T;
}

async function refresh(expectedCode = 0, ...flags: string[]): Promise<Run> {
  site.requests.length = 0;
  const { runs } = await json<{ runs: readonly Run[] }>(expectedCode, "refresh", "widget", ...flags);
  const [first] = runs;
  if (first === undefined) throw new Error("no run");
  return first;
}

/** Paths of pages that were asked for, without those of the site's own files, and the made-up address. */
function asked(): readonly string[] {
  return site.requests.map(({ path }) => path).filter((path) => !/robots\.txt|llms\.txt|no-such-page/.test(path));
}

const snapshot = (): unknown => corpusSnapshot(join(data, "corpus.db"));

describe("a site that", () => {
  it.each([
    [
      "shows a login wall in place of its pages",
      200,
      sphinxPage("Sign in", `<p>${"Sign in to read on. ".repeat(30)}</p>`),
    ],
    [
      "shows a notice of maintenance",
      200,
      "<html><body><main><h1>Back soon</h1><p>The site is being looked after.</p></main></body></html>",
    ],
    ["answers 404 for most of its pages", 404, "<h1>404</h1>"],
  ])("%s loses nothing, and is suspicious until that is accepted", { timeout: 180_000 }, async (_, status, body) => {
    await refresh();
    const before = snapshot();
    for (const path of PAGES) site.answers.set(path, { status, body });
    // Each night anew for what is gone, which two runs would remove.
    for (let night = 0; night < (status === 404 ? 2 : 1); night++) {
      const suspicious = await refresh(11);
      expect(suspicious).toMatchObject({ status: "suspicious", counts: { removed: 0, updated: 0 } });
      expect(suspicious.note).toMatch(/^of 12 pages, 1[12] .*what was there is kept.*--accept/);
      expect(snapshot()).toEqual(before);
    }
    const accepted = await refresh(0, "--accept");
    expect(accepted.counts.removed + accepted.counts.updated).toBe(11);
    expect(snapshot()).not.toEqual(before);
  });

  it("says 503 everywhere loses nothing, and is as before when it is over", { timeout: 180_000 }, async () => {
    await refresh();
    const before = snapshot();
    for (const path of ["/", ...PAGES])
      site.answers.set(path, { status: 503, body: "", headers: { "retry-after": "600" } });
    expect(await refresh(12)).toMatchObject({ status: "failed", counts: { failed: 12, removed: 0 } });
    expect(snapshot()).toEqual(before);
    fill();
    expect(await refresh()).toMatchObject({ status: "complete", counts: { unchanged: 12, updated: 0 } });
    expect(snapshot()).toEqual(before);
  });

  it("moves all of its pages in a redesign keeps them under their new names", { timeout: 180_000 }, async () => {
    await refresh();
    const moved = PAGES.map((path) => path.replace("/p", "/guide/"));
    site.pages.set("/", sphinxPage("Widget", "<p>Welcome.</p>", moved));
    for (const [i, path] of PAGES.entries()) {
      site.pages.delete(path);
      site.redirects.set(path, new URL(moved[i] ?? "", site.url).href);
      site.pages.set(moved[i] ?? "", pageOf(path));
    }
    expect(await refresh(11)).toMatchObject({ status: "suspicious", counts: { moved: 11, removed: 0 } });
    const accepted = await refresh(0, "--accept");
    expect(accepted.counts).toMatchObject({ removed: 11 });
    const old = await run("show", `${NAME}/p3.html`);
    expect(old.stdout).toContain("The part 3 of the widget");
    const list = await json<{ moved: readonly Omission[] }>(0, "runs", "show", "latest", "--moved");
    expect(list.moved).toHaveLength(11);
    expect(list.moved[0]).toEqual({ url: "https://docs.widget.org/2.0/p0.html", reason: `${NAME}/guide/0.html` });
  });
});

it("retries exactly what failed, by the log of the site", { timeout: 180_000 }, async () => {
  for (const path of ["/p3.html", "/p7.html"]) site.answers.set(path, { status: 403, body: "no" });
  const partial = await refresh(10);
  expect(partial).toMatchObject({ status: "partial", counts: { fetched: 10, failed: 2 } });
  expect(partial.note).toBe("2 pages failed to fetch, so nothing was taken for gone");
  const { failures } = await json<{ failures: readonly Failure[] }>(0, "runs", "show", String(partial.id), "--failed");
  expect(failures.map(({ stage, url, reason }) => [stage, url, reason])).toEqual([
    ["fetch", "https://docs.widget.org/2.0/p3.html", "answered 403 Forbidden"],
    ["fetch", "https://docs.widget.org/2.0/p7.html", "answered 403 Forbidden"],
  ]);
  const lines = await run("runs", "show", "latest", "--failed");
  expect(lines.stdout.trim().split("\n")).toEqual(failures.map(({ url, reason }) => `fetch  ${url}  ${reason}`));

  site.answers.delete("/p3.html");
  expect(await refresh(10, "--only-failed")).toMatchObject({ counts: { fetched: 1, failed: 1, added: 1 } });
  expect(asked()).toEqual(["/p3.html", "/p7.html"]);
  site.answers.delete("/p7.html");
  expect(await refresh(0, "--only-failed")).toMatchObject({ counts: { fetched: 1, failed: 0, added: 1 } });
  expect(asked()).toEqual(["/p7.html"]);
  await refresh(0, "--only-failed");
  expect(asked()).toEqual([]);
});

it("removes what is gone although one page fails for ever", { timeout: 180_000 }, async () => {
  await refresh();
  site.answers.set("/p0.html", { status: 403, body: "no" });
  site.answers.set("/p5.html", { status: 410, body: "" });
  expect(await refresh(10)).toMatchObject({
    status: "partial",
    note: "1 page failed to fetch",
    counts: { gone: 1, removed: 0 },
  });
  expect(await refresh(10)).toMatchObject({ status: "partial", counts: { gone: 1, removed: 1 } });
  expect((await run("show", `${NAME}/p5.html`)).code).toBe(3);
  expect((await run("show", `${NAME}/p0.html`)).stdout, "a page that fails keeps what it had").toContain("The part 0");
});

it("says what was gone, skipped and left out, and why", { timeout: 180_000 }, async () => {
  pipeline("widget", "limits: { maxPages: 14 }\nscope: { exclude: ['**/private/**'] }\n");
  const links = ["/logo.html", "/gone.html", "/q1.html", "/q2.html"];
  site.pages.set("/", sphinxPage("Widget", "<p>Welcome.</p>", [...links.slice(0, 2), ...PAGES, ...links.slice(2)]));
  site.answers.set("/logo.html", { status: 200, body: "GIF89a", headers: { "content-type": "image/gif" } });
  expect(await refresh(10)).toMatchObject({
    note: "2 URLs left out by maxPages",
    counts: { fetched: 12, skipped: 1, gone: 1, leftOut: 2 },
  });
  const shown = await json<{ omissions: readonly OmissionGroup[] }>(0, "runs", "show", "latest");
  expect(shown.omissions).toEqual([
    { kind: "gone", reason: "answered 404", count: 1 },
    { kind: "leftOut", reason: "maxPages", count: 2 },
    { kind: "skipped", reason: expect.stringContaining("image/gif"), count: 1 },
  ]);
  const text = (await run("runs", "show", "latest")).stdout;
  expect(text).toMatch(
    /^widget: partial, 12 fetched, 1 gone, 1 skipped, 2 left out, 12 added, [\d.]+ kB received \(.* s\)/,
  );
  expect(text).toMatch(/^gone {2}1 URL: answered 404$/m);
  expect(text).toMatch(/^left out {2}2 URLs: maxPages$/m);
  const only = async (flag: string): Promise<string> => (await run("runs", "show", "latest", flag)).stdout;
  expect(await only("--gone")).toBe("https://docs.widget.org/2.0/gone.html  answered 404\n");
  expect(await only("--left-out")).toMatch(/q1\.html {2}maxPages\n.*q2\.html {2}maxPages\n$/);
  expect(await only("--skipped")).toMatch(/logo\.html {2}image\/gif/);
  expect(await only("--moved")).toBe("");
  expect((await run("runs", "show", "latest", "--gone", "--skipped")).code).toBe(2);
});

it("keeps to maxSiteBytes, says so, and keeps fresh what it has", { timeout: 180_000 }, async () => {
  const size = Buffer.byteLength(site.pages.get("/") ?? "");
  pipeline("widget", `limits: { maxSiteBytes: ${size + 2_500}, concurrency: 1 }\n`);
  const first = await refresh(10);
  expect(first.note).toMatch(/^\d+ URLs left out by maxSiteBytes$/);
  expect(first.counts.bytes).toBeGreaterThanOrEqual(size + 2_500);
  const { fetched, leftOut } = first.counts;
  expect([fetched > 1, leftOut > 1, fetched + leftOut]).toEqual([true, true, 12]);
  expect(await refresh(10)).toMatchObject({ counts: { unchanged: fetched, leftOut, bytes: 0 } });
});

it("shows the history of runs: status, time at work, bytes and counts", { timeout: 180_000 }, async () => {
  await refresh();
  site.pages.set("/p1.html", pageOf("/p1.html", "All about"));
  site.pages.set("/p2.html", `${pageOf("/p2.html")}<!-- new -->`);
  await refresh();
  const { runs } = await json<{ runs: readonly Run[] }>(0, "runs", "--source", "widget");
  expect(runs.map(({ status, counts }) => [status, counts.fetched, counts.updated])).toEqual([
    ["complete", 2, 1],
    ["complete", 12, 12 - 12],
  ]);
  const sent = ["/p1.html", "/p2.html"].reduce((sum, path) => sum + Buffer.byteLength(site.pages.get(path) ?? ""), 0);
  expect(runs[0]?.counts.bytes).toBe(sent);
  for (const { durationMs, startedAt, endedAt = "" } of runs) {
    expect(durationMs).toBe(Date.parse(endedAt) - Date.parse(startedAt));
  }
  const table = (await run("runs")).stdout.split("\n");
  expect(table[0]).toMatch(/^run +source +status +started \(UTC\) +took +received +counts$/);
  expect(table[1]).toMatch(
    /^2 +widget +complete +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +[\d.]+ s +[\d.]+ kB +2 fetched, 10 unchanged, 1 updated$/,
  );

  const diff = await run("diff", "latest");
  expect(diff.stdout).toMatch(
    /^# widget: run 2, .*\n\n## Changed \(1\)\n\n- All about p1 \(was: About p1\).*: .*p1\.html\n$/,
  );
  site.pages.set("/", sphinxPage("Widget", "<p>Welcome.</p>", [...PAGES, "/new.html"]));
  site.pages.set("/new.html", sphinxPage("News", "<p>One line.</p>"));
  await refresh();
  const joined = await json<{ runs: readonly number[]; changes: readonly { kind: string; title: string }[] }>(
    0,
    "diff",
    "1",
    "3",
  );
  expect(joined.runs).toEqual([2, 3]);
  expect(joined.changes.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    "added News",
    "updated All about p1",
    "updated Widget",
  ]);
  expect((await run("diff", "3", "1")).stderr).toMatch(/^carrel: Run 1 is not after run 3/);
});

it("gives a run that was killed its time and counts, and all of them in the end", { timeout: 180_000 }, async () => {
  const child = startCarrel(["refresh", "widget", "--data", data, "--pipelines", pipelines]);
  let asked = 0;
  site.onRequest = () => {
    if (++asked === 8) child.kill("SIGKILL");
  };
  await finished(child);
  site.onRequest = () => {};
  const { runs } = await json<{ runs: readonly Run[] }>(0, "runs");
  expect(runs).toMatchObject([{ id: 1, status: "running" }]);
  const total = ["/", ...PAGES].reduce((sum, path) => sum + Buffer.byteLength(site.pages.get(path) ?? ""), 0);
  expect(await refresh()).toMatchObject({ id: 1, status: "complete", counts: { fetched: 12, bytes: total } });
});

describe("sources remove", () => {
  it("removes what is kept of a source that is listed no more, and nothing else", { timeout: 180_000 }, async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "a.md"), "# Notes\n\nAbout the gadget.\n");
    writeFileSync(join(pipelines, "notes.yaml"), `title: Notes\nfolder: ${folder}\nbaseUrl: https://notes.internal/\n`);
    expect((await run("refresh")).code).toBe(0);
    const listed = await run("sources", "remove", "widget");
    expect(listed).toMatchObject({ code: 2, stdout: "" });
    expect(listed.stderr).toMatch(/^carrel: The source "widget" is listed in .*remove its pipeline first\./);

    rmSync(join(pipelines, "widget.yaml"));
    const misspelt = await run("sources", "remove", "wigdet");
    expect(misspelt.code).toBe(3);
    expect(misspelt.stderr).toMatch(/^carrel: Nothing is kept of a source "wigdet"\. Did you mean "widget"\?/);

    const { run: removal } = await json<{ run: Run }>(0, "sources", "remove", "widget");
    expect(removal).toMatchObject({ source: "widget", status: "complete", counts: { removed: 12 } });
    expect((await run("show", `${NAME}/p3.html`)).code).toBe(3);
    expect((await run("search", "gadget", "--json")).stdout).toContain("notes.internal");
    expect(JSON.parse((await run("search", "widget", "--json")).stdout)).toMatchObject({ results: [] });
    expect((await run("sources")).stdout).not.toContain("widget");
    expect((await run("runs", "--source", "widget")).stdout).toContain("12 removed");
    expect((await run("doctor")).code).toBe(0);
    expect((await run("sources", "remove", "widget")).code).toBe(3);

    // Listed again, it comes back.
    pipeline("widget");
    expect(await refresh()).toMatchObject({ status: "complete", counts: { added: 12 } });
  });

  it("does not believe a pipelines folder that lists nothing of what is kept", { timeout: 180_000 }, async () => {
    await refresh();
    const mistyped = join(tempFolder(), "pipelines");
    mkdirSync(mistyped);
    writeFileSync(join(mistyped, "other.yaml"), "title: Other\nseeds: [https://other.org/]\n");
    const args = ["sources", "remove", "widget", "--data", data, "--pipelines", mistyped];
    const refused = await carrelHere(args);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/^carrel: None of the sources listed in .* is kept in .*--force\./);
    expect((await run("show", `${NAME}/p3.html`)).code).toBe(0);
    expect((await carrelHere([...args, "--force"])).code).toBe(0);
    expect((await run("show", `${NAME}/p3.html`)).code).toBe(3);
  });

  it("leaves a page that another source keeps as well to that one", { timeout: 180_000 }, async () => {
    pipeline("copy", "limits: { maxPages: 4 }\n");
    await run("refresh");
    rmSync(join(pipelines, "widget.yaml"));
    await run("sources", "remove", "widget");
    const shown = await run("sources");
    expect(shown.stdout).toMatch(/^copy +4 /m);
    expect((await run("show", NAME)).stdout).toContain("Welcome to the widget manual.");
  });

  it("gives a page that one source drops to the other that keeps it", { timeout: 180_000 }, async () => {
    pipeline("copy");
    await run("refresh");
    // Each of them in turn: whichever it was made of, it is there in the end.
    for (const id of ["widget", "copy"]) {
      pipeline(id, "scope: { exclude: ['**/p3.html'] }\n");
      await run("refresh", id);
      expect((await run("show", `${NAME}/p3.html`)).code, id).toBe(id === "widget" ? 0 : 3);
    }
  });
});

describe("says in one sentence", () => {
  it.each([
    [["refesh"], /^carrel: Unknown command 'refesh'/],
    [["runs", "--jsn"], /^carrel: Unknown option '--jsn'/],
    [["runs", "show"], /^carrel: Missing required argument 'run'/],
    [["refresh", "--full", "--only-failed"], /^carrel: Option '--only-failed' cannot be used with option '--full'/],
  ])("what is wrong with carrel %j", async (args, message) => {
    expect(await carrel(args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });

  it("that a data folder cannot be written to", async () => {
    const result = await carrel(["refresh", "--data", "/proc/carrel", "--pipelines", pipelines]);
    expect(result).toMatchObject({ code: 5, stdout: "" });
    expect(result.stderr).toMatch(
      /^carrel: \/proc\/carrel\/refresh\.lock cannot be opened or written .*whose it is\.\n$/,
    );
  });
});

it("tells of each URL whether it is in scope, and by which rule", { timeout: 180_000 }, async () => {
  pipeline("widget", "scope: { exclude: ['**/private/**'] }\n");
  const base = "https://docs.widget.org/2.0/";
  const outside = "https://docs.widget.org/3.0/";
  const { urls } = await json<{ urls: readonly { url: string; isAsked: boolean; rule: string }[] }>(
    0,
    "sources",
    "check",
    base,
    `${base}private/x.html`,
    outside,
  );
  expect(urls.map(({ isAsked }) => isAsked)).toEqual([true, false, false]);
  expect(urls[1]?.rule).toBe("exclude **/private/**");
});
