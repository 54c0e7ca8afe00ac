import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPipelines } from "../../src/config/pipelines.ts";
import { selectSources } from "../../src/config/select-sources.ts";
import { compileNames } from "../../src/domain/page-names.ts";
import { compileScope, scopedBy } from "../../src/domain/scope.ts";
import type { Source, WebSource } from "../../src/domain/source.ts";
import { ROOT } from "../support/documentation.ts";

/** What Google's Developer Knowledge covers. */
const HOSTS = [
  "adk.dev",
  "ai.google.dev",
  "antigravity.google",
  "cloud.google.com",
  "dart.dev",
  "developer.android.com",
  "developer.chrome.com",
  "developers.google.com",
  "developers.home.google.com",
  "docs.apigee.com",
  "docs.cloud.google.com",
  "docs.flutter.dev",
  "firebase.google.com",
  "fuchsia.dev",
  "geminicli.com",
  "genkit.dev",
  "go.dev",
  "knowledge.workspace.google.com",
  "mapsplatform.google.com",
  "web.dev",
  "www.tensorflow.org",
];

const FOLDER = join(ROOT, "pipelines");
const LISTED = loadPipelines(FOLDER);
const GOOGLE = selectSources(LISTED, ["google"]).filter((source): source is WebSource => source.kind === "web");

function isIn(source: Source, url: string): boolean {
  return compileScope(scopedBy(source)).verdict(url).inScope;
}

function google(host: string): WebSource {
  const source = GOOGLE.find(({ id }) => id === host);
  if (source === undefined) throw new Error(`There is no ${host}.`);
  return source;
}

it("refreshes the manual alone where nothing is named", () => {
  expect(selectSources(LISTED, []).map(({ id }) => id)).toEqual(["manual"]);
});

describe("the group google", () => {
  it("has one source for each host, of its name", () => {
    expect(GOOGLE.map(({ id }) => id)).toEqual(HOSTS);
    for (const { id, seeds, scope } of GOOGLE) {
      expect([id, scope.type]).toEqual([id, "host"]);
      for (const seed of seeds) expect(new URL(seed).host).toBe(id);
    }
  });

  it("is gentle, and says what was not checked on the live sites", () => {
    for (const { id, limits, rules } of GOOGLE) {
      expect([id, limits.delayMs >= 100, limits.concurrency <= 8, rules.obeyRobots]).toEqual([id, true, true, true]);
      const text = readFileSync(join(FOLDER, "google", `${id}.yaml`), "utf8");
      expect([id, /^# .*\bnot checked on the live site|^# Not checked on the live site/im.test(text)]).toEqual([
        id,
        true,
      ]);
    }
  });

  it.each(GOOGLE.map((source) => [source.id, source] as const))(
    "leaves blogs, print and language twins of %s out",
    (host, source) => {
      for (const path of [
        "blog",
        "blog/",
        "blog/2026/new",
        "some/page/printable",
        "some/page?hl=de",
        "some/page?hl=pt-br",
      ]) {
        expect([path, isIn(source, `https://${host}/${path}`)]).toEqual([path, false]);
      }
      for (const path of ["", "some/page", "some/page?hl=en", "blogging", "some/print/page"]) {
        expect([path, isIn(source, `https://${host}/${path}`)]).toEqual([path, true]);
      }
    },
  );

  it("names documents without queries, fragments and slashes at the end", () => {
    const { names } = google("docs.cloud.google.com");
    const spellings = ["", "/", "?hl=en", "?sjid=7&utm_source=x#before_you_begin", "/?authuser=1"];
    for (const spelling of spellings) {
      const url = `https://docs.cloud.google.com/storage/docs/creating-buckets${spelling}`;
      expect(compileNames(names).name(url)).toBe("documents/docs.cloud.google.com/storage/docs/creating-buckets");
    }
  });

  it("leaves out the references of client libraries, and nothing that looks like them", () => {
    const source = google("docs.cloud.google.com");
    for (const library of ["cpp", "dotnet", "go", "java", "nodejs", "php", "python", "ruby", "rust"]) {
      const root = `https://docs.cloud.google.com/${library}/docs/reference`;
      for (const url of [root, `${root}/`, `${root}/a/latest/b`, `${root}?hl=en`])
        expect([url, isIn(source, url)]).toEqual([url, false]);
      expect(isIn(source, `https://docs.cloud.google.com/${library}/docs/setup`)).toBe(true);
      expect(isIn(source, `${root}s`)).toBe(true);
    }
    expect(isIn(source, "https://docs.cloud.google.com/storage/docs/reference/rest")).toBe(true);
  });

  it("takes ARCore for what it is, and not for Arabic", () => {
    expect(isIn(google("developers.google.com"), "https://developers.google.com/ar/develop")).toBe(true);
    expect(isIn(google("developers.google.com"), "https://developers.google.com/maps?hl=de")).toBe(false);
  });
});

describe("the models", () => {
  const folder = join(FOLDER, "_models");

  it("are valid, say that they are to be copied, and are listed by nobody", () => {
    const models = loadPipelines(folder);
    expect(models.map(({ id }) => id)).toEqual([
      "docbook",
      "docusaurus",
      "folder",
      "javadoc",
      "mkdocs-material",
      "sphinx",
    ]);
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file), "utf8")).toMatch(/^# A model: copy it/);
    const listed = LISTED.map(({ id }) => id);
    expect(models.filter(({ id }) => listed.includes(id))).toEqual([]);
  });

  it.each([
    [
      "sphinx",
      "https://docs.python.org/3.11/library/os.html",
      "https://docs.python.org/3.11/_sources/library/os.rst.txt",
    ],
    ["docusaurus", "https://docusaurus.io/docs/cli", "https://docusaurus.io/docs/next/cli"],
    ["docusaurus", "https://docusaurus.io/docs/versioning", "https://docusaurus.io/docs/2.x/cli"],
    ["docusaurus", "https://docusaurus.io/docs/api/themes", "https://docusaurus.io/de/docs/cli"],
    [
      "mkdocs-material",
      "https://squidfunk.github.io/mkdocs-material/setup/",
      "https://squidfunk.github.io/mkdocs-material/blog/2026/",
    ],
    [
      "docbook",
      "https://www.postgresql.org/docs/15/sql-select.html",
      "https://www.postgresql.org/docs/14/sql-select.html",
    ],
    [
      "javadoc",
      "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/String.html",
      "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/class-use/String.html",
    ],
    [
      "folder",
      "https://www.postgresql.org/docs/15/sql-select.html",
      "https://www.postgresql.org/docs/15/bookindex.html",
    ],
  ])("take what is wanted: %s %s, not %s", (id, wanted, unwanted) => {
    const model = loadPipelines(folder).find((source) => source.id === id);
    if (model === undefined) throw new Error(`There is no model ${id}.`);
    expect([isIn(model, wanted), isIn(model, unwanted)]).toEqual([true, false]);
  });
});
