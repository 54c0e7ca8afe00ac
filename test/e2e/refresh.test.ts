import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openCorpusReader } from "../../src/store/corpus.ts";
import { acquireLock } from "../../src/store/lock.ts";
import { carrel, carrelHere, finished, startCarrel, type Finished } from "../support/command-line.ts";
import { corpusSnapshot } from "../support/corpus-snapshot.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { sphinxPage, startTestSite, type TestSite } from "../support/test-site.ts";

const NAME = "documents/docs.widget.org/2.0";

let site: TestSite;
let pipelines: string;

beforeEach(async () => {
  const menu = ["/", "/start.html", "/api/frobnicate.html", "/api/"];
  site = await startTestSite({
    "/": sphinxPage("Widget", "<p>Welcome to the widget manual.</p>", menu),
    "/start.html": sphinxPage("Getting started", "<p>Install it with <code>pip install widget</code>.</p>", menu),
    "/api/": sphinxPage("API", "<p>All modules of the widget.</p>", menu),
    "/api/frobnicate.html": sphinxPage(
      "frobnicate",
      `<p>Frobnicates until <code class="literal">max_file_size</code> is reached.</p>
       <div class="highlight-python"><pre>import frobnicate\nfrobnicate.run()\n</pre></div>`,
      menu,
    ),
  });
  pipelines = join(tempFolder(), "pipelines");
  mkdirSync(pipelines);
  writeFileSync(
    join(pipelines, "widget.yaml"),
    `title: Widget 2.0\nseeds: [https://docs.widget.org/2.0/]\naliases: { '${site.url}': 'https://docs.widget.org/2.0/' }\n`,
  );
});

function run(data: string, ...args: string[]): Promise<Finished> {
  return carrelHere([...args, "--data", data, "--pipelines", pipelines]);
}

interface RefreshResult {
  readonly runs: readonly { readonly status: string; readonly counts: Record<string, number> }[];
}

async function refresh(data: string, expectedCode = 0): Promise<RefreshResult["runs"][number]> {
  const { code, stdout, stderr } = await run(data, "refresh", "widget", "--json");
  expect(code, stderr).toBe(expectedCode);
  const [first] = (JSON.parse(stdout) as RefreshResult).runs;
  if (first === undefined) throw new Error("no run");
  return first;
}

async function search(data: string, query: string): Promise<readonly { parent: string; content: string }[]> {
  const { code, stdout, stderr } = await run(data, "search", query, "--json");
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { results: { parent: string; content: string }[] }).results;
}

it("keeps up with a site that changes", { timeout: 120_000 }, async () => {
  const data = tempFolder();
  expect(await refresh(data)).toMatchObject({ status: "complete", counts: { fetched: 4, added: 4, failed: 0 } });
  const [found] = await search(data, "max_file_size");
  expect(found?.parent).toBe(`${NAME}/api/frobnicate.html`);
  const shown = await run(data, "show", "https://docs.widget.org/2.0/api/frobnicate.html#run");
  expect(shown.stdout).toContain("```python\nimport frobnicate\nfrobnicate.run()\n```");
  expect(shown.stdout).toContain("# frobnicate\n");
  expect(shown.stderr).toMatch(/has no section #run; this is all of it/);

  site.requests.length = 0;
  const revision = await revisionOf(data);
  expect(await refresh(data)).toMatchObject({ status: "complete", counts: { fetched: 0, unchanged: 4 } });
  const pages = site.requests.filter(({ path }) => path !== "/robots.txt" && path !== "/llms.txt");
  expect(pages.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
  expect(await revisionOf(data)).toBe(revision);

  site.pages.set("/start.html", sphinxPage("Getting started", "<p>Install it with <code>uv add widget</code>.</p>"));
  site.pages.set("/new.html", sphinxPage("News", "<p>The widget has a zzyzx now.</p>"));
  site.pages.set("/", sphinxPage("Widget", "<p>Welcome.</p>", ["/new.html", "/start.html"]));
  site.pages.delete("/api/frobnicate.html");
  site.redirects.set("/api/", `${site.url}modules.html`);
  site.pages.delete("/api/");
  site.pages.set("/modules.html", sphinxPage("Modules", "<p>All modules of the widget.</p>"));
  expect((await refresh(data)).counts).toMatchObject({
    fetched: 4,
    gone: 1,
    moved: 1,
    added: 2,
    updated: 2,
    removed: 1,
  });
  expect((await search(data, "uv add"))[0]?.content).toContain("uv add widget");
  expect((await search(data, "zzyzx"))[0]?.parent).toBe(`${NAME}/new.html`);
  expect((await search(data, "max_file_size"))[0]?.parent, "gone once, and kept").toBe(`${NAME}/api/frobnicate.html`);

  expect((await refresh(data)).counts).toMatchObject({ gone: 1, removed: 1 });
  expect(await search(data, "max_file_size")).toEqual([]);
  const gone = await run(data, "show", `${NAME}/api/frobnicate.html`);
  expect(gone).toMatchObject({ code: 3, stdout: "" });

  const runs = JSON.parse((await run(data, "runs", "--json")).stdout) as { runs: readonly { status: string }[] };
  expect(runs.runs.map(({ status }) => status)).toEqual(["complete", "complete", "complete", "complete"]);
});

async function revisionOf(data: string): Promise<string> {
  const { stdout, code } = await run(data, "doctor");
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line.includes("revision"))
    .join("\n");
}

it("makes a store again that was deleted, from the one before it", { timeout: 120_000 }, async () => {
  const data = tempFolder();
  const remove = (store: string): void => {
    for (const ending of ["", "-wal", "-shm"]) rmSync(join(data, store + ending), { force: true });
  };
  await refresh(data);
  const before = corpusSnapshot(join(data, "corpus.db"));

  remove("corpus.db");
  expect((await refresh(data)).counts).toMatchObject({ fetched: 0, unchanged: 4, added: 4 });
  expect(corpusSnapshot(join(data, "corpus.db"))).toEqual(before);
  expect((await search(data, "max_file_size"))[0]?.parent).toBe(`${NAME}/api/frobnicate.html`);

  remove("archive.db");
  const revision = corpusRevision(data);
  site.pages.set(
    "/start.html",
    sphinxPage("Getting started", "<p>Install it with <code>uv add widget</code>.</p>", ["/"]),
  );
  expect((await refresh(data)).counts).toMatchObject({ fetched: 4, added: 0, updated: 1 });
  expect(corpusRevision(data)).toBe(revision + 1);

  remove("index.db");
  expect((await run(data, "runs")).code).toBe(0);
  expect((await run(data, "search", "x")).code).toBe(5);
  await refresh(data);
  expect((await search(data, "uv add"))[0]?.parent).toBe(`${NAME}/start.html`);
});

function corpusRevision(data: string): number {
  const corpus = openCorpusReader(join(data, "corpus.db"));
  try {
    return corpus.revision();
  } finally {
    corpus.close();
  }
}

it("comes to the same after it was killed at any moment", { timeout: 120_000 }, async () => {
  const links = Array.from({ length: 150 }, (_, i) => `/p${i}.html`);
  for (const [i, link] of links.entries()) {
    site.pages.set(
      link,
      sphinxPage(`Page ${i}`, `<p>This is page ${i}.</p><pre>step ${i}\n</pre>`, links.slice(i, i + 5)),
    );
  }
  site.pages.set("/", sphinxPage("Widget", "<p>Welcome.</p>", links));
  const [undisturbed, killed] = [tempFolder(), tempFolder()];
  await refresh(undisturbed);
  // Killed when the site is asked for its n-th page: at the start, in the middle, and when all but a few are there.
  for (const n of [1, 7, 20, 20, 10]) {
    const child = startCarrel(["refresh", "widget", "--data", killed, "--pipelines", pipelines]);
    let asked = 0;
    site.onRequest = () => {
      if (++asked === n) child.kill("SIGKILL");
    };
    await finished(child);
  }
  site.onRequest = () => {};
  expect((await refresh(killed)).status).toBe("complete");
  expect(corpusSnapshot(join(killed, "corpus.db"))).toEqual(corpusSnapshot(join(undisturbed, "corpus.db")));
  expect((await search(killed, "page 42"))[0]).toEqual((await search(undisturbed, "page 42"))[0]);
});

it("stops cleanly on Ctrl-C, says so, and goes on the next time", async () => {
  const data = tempFolder();
  const child = startCarrel(["refresh", "widget", "--data", data, "--pipelines", pipelines]);
  site.onRequest = () => void child.kill("SIGINT");
  const stopped = await finished(child);
  site.onRequest = () => {};
  expect(stopped.code).toBe(130);
  expect(stopped.stderr).toMatch(/Stopping\. [^]*the next refresh goes on from here/);
  expect(await refresh(data)).toMatchObject({ status: "complete", counts: { added: 4 } });
});

it("refuses to refresh a folder that another process is refreshing", async () => {
  const data = tempFolder();
  const release = acquireLock(join(data, "refresh.lock"));
  onTestFinished(release);
  const refused = await run(data, "refresh");
  expect(refused).toMatchObject({ code: 4, stdout: "" });
  expect(refused.stderr).toMatch(/^carrel: Another carrel is writing to /);
});

describe("says in one sentence what is wrong with", () => {
  it.each([
    [["refresh", "wigdet"], 3, /^carrel: There is no source "wigdet"\. Did you mean "widget"\?/],
    [["search", "x"], 3, /^carrel: There is no .*corpus\.db yet; run "carrel refresh"/],
    [["show", "documents/docs.widget.org/2.0"], 3, /^carrel: There is no .*corpus\.db yet/],
    [["runs", "show", "7"], 3, /^carrel: There is no .*corpus\.db yet/],
    [["serve", "--port", "http"], 2, /^carrel: "http" is no port/],
    [["refesh"], 2, /Unknown command 'refesh'\s+\(Did you mean refresh\?\)/],
    [["refresh", "--jsn"], 2, /Unknown option '--jsn'\s+\(Did you mean --json\?\)/],
    [["search", "x", "--limit", "many"], 2, /^carrel: "many" is no number of passages/],
    [
      ["search", "x", "--limit", "101"],
      2,
      /^carrel: "101" is no number of passages; give --limit a whole number from 1 to 100/,
    ],
    [["runs", "--limit", "0"], 2, /^carrel: "0" is no number of runs/],
  ])("carrel %j", async (args, code, message) => {
    const result = args[0] === "refesh" ? await carrel(args) : await run(tempFolder(), ...args);
    expect(result).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(message) });
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it("a bad pipeline", async () => {
    writeFileSync(join(pipelines, "bad.yaml"), "title: x\nsedes: []\n");
    const result = await run(tempFolder(), "refresh");
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(/bad\.yaml:2: unknown key "sedes"\. Did you mean "seeds"\?/);
  });

  it("a data folder whose corpus is something else", async () => {
    const data = tempFolder();
    writeFileSync(join(data, "corpus.db"), "not a database, ".repeat(100));
    for (const args of [["refresh"], ["search", "x"], ["serve", "--port", "0"]]) {
      const result = await run(data, ...args);
      expect(result, args.join(" ")).toMatchObject({ code: 5, stdout: "" });
      expect(result.stderr).toMatch(/^carrel: .*corpus\.db is damaged/m);
    }
  });

  it("a source where nobody answers, and keeps what was there", async () => {
    const data = tempFolder();
    await refresh(data);
    writeFileSync(
      join(pipelines, "widget.yaml"),
      "title: Widget 2.0\nseeds: [https://docs.widget.org/2.0/]\naliases: { 'http://127.0.0.1:1/': 'https://docs.widget.org/2.0/' }\n",
    );
    const result = await run(data, "refresh");
    expect(result.code).toBe(12);
    expect(result.stderr).toMatch(/nothing could be fetched/);
    expect(await search(data, "max_file_size")).toHaveLength(1);
  });
});
