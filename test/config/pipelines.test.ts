import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPipelines } from "../../src/config/pipelines.ts";
import { selectSources } from "../../src/config/select-sources.ts";
import { CarrelError } from "../../src/domain/errors.ts";
import { tempFolder } from "../support/temp-folder.ts";

const LEAST = "title: Python 3.11\nseeds: [https://docs.python.org/3.11/]\n";

/** Writes pipelines into a new folder. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** What is wrong with one pipeline, its folder left out of the message. */
function complaint(text: string, name = "python.yaml"): string {
  const folder = folderOf({ [name]: text });
  try {
    loadPipelines(folder);
  } catch (error) {
    if (error instanceof CarrelError && error.code === "config") return error.message.replaceAll(`${folder}/`, "");
    throw error;
  }
  throw new Error("the pipeline was accepted");
}

it("reads the least pipeline, and fills in what it leaves out", () => {
  expect(loadPipelines(folderOf({ "python.yaml": LEAST }))).toEqual([
    {
      kind: "web",
      id: "python",
      title: "Python 3.11",
      seeds: ["https://docs.python.org/3.11/"],
      scope: { type: "prefix", include: [], exclude: [] },
      aliases: [],
      limits: { maxPages: 20_000, maxDepth: 50, maxPageBytes: 20_000_000, concurrency: 8, delayMs: 0 },
      rules: {
        obeyRobots: true,
        sitemaps: [],
        followLinks: true,
        markdown: { prefer: false, suffixes: [".md", ".md.txt", "/index.md"] },
        allowAddresses: [],
      },
      freshness: { maxRecheckDays: 7, maxLoss: 0.2 },
      convert: { remove: [] },
    },
  ]);
});

it("reads a whole pipeline, and a folder beside the file", () => {
  const folder = folderOf({
    "group/python.yaml": `${LEAST}scope: { type: host, include: ['**/library/**', '**/3.11/'], exclude: ['**/genindex*'] }
aliases: { 'http://127.0.0.1:9001/': 'https://docs.python.org/3.11/' }
limits: { maxPages: 5, concurrency: 2 }
convert: { preset: sphinx, content: 'main > .body', remove: [.ad], keep: ['.note > p', 'a:not(.b)', '[data-x]', '#x'] }
`,
    "local.yml": "title: Local\nfolder: html\nbaseUrl: https://docs.bank.internal/\n",
    "notes.txt": "not a pipeline",
    ".hidden.yaml": "not: read",
  });
  const [local, python] = loadPipelines(folder);
  expect(local).toMatchObject({ kind: "folder", id: "local", folder: join(folder, "html"), convert: { remove: [] } });
  expect(python).toMatchObject({
    id: "python",
    scope: { type: "host", exclude: ["**/genindex*"] },
    aliases: [{ fetch: "http://127.0.0.1:9001/", name: "https://docs.python.org/3.11/" }],
    limits: { maxPages: 5, maxDepth: 50, concurrency: 2 },
    convert: {
      preset: "sphinx",
      content: "main > .body",
      remove: [".ad"],
      keep: [".note > p", "a:not(.b)", "[data-x]", "#x"],
    },
  });
});

describe("says file, line, key, what was expected and the nearest key for", () => {
  it.each([
    [
      "an unknown key",
      `${LEAST}sedes: [a]\n`,
      /^python\.yaml:3: unknown key "sedes"\. Did you mean "seeds"\? Known here: title, seeds, /,
    ],
    [
      "an unknown key further in",
      `${LEAST}scope:\n  type: prefix\n  exlude: ['**/x']\n`,
      /^python\.yaml:5: unknown key "scope\.exlude"\. Did you mean "exclude"\?/,
    ],
    [
      "a bad URL",
      "title: P\nseeds:\n  - https://ok.org/\n  - docs.python.org\n",
      /^python\.yaml:4: "seeds\[1\]": "docs\.python\.org" is not a URL/,
    ],
    ["a URL of another scheme", "title: P\nseeds: ['ftp://a.org/']\n", /^python\.yaml:2: .*not an http or https URL/],
    ["a secret in a URL", "title: P\nseeds: ['https://me:pw@a.org/']\n", /^python\.yaml:2: .*no user name or password/],
    [
      "a bad pattern",
      `${LEAST}scope: { exclude: ['**/[ab]*'] }\n`,
      /^python\.yaml:3: "scope\.exclude\[0\]": "\*\*\/\[ab\]\*" is not a pattern/,
    ],
    [
      "a pattern that stops at the first slash",
      `${LEAST}scope: { exclude: ['*.txt'] }\n`,
      /^python\.yaml:3: .*begin with \*\*/,
    ],
    [
      "a pattern that can match no URL",
      `${LEAST}scope: { exclude: [genindex*] }\n`,
      /^python\.yaml:3: .*begin with \*\*\/ or https/,
    ],
    [
      "a bad choice",
      `${LEAST}scope: { type: prefx }\n`,
      /^python\.yaml:3: "scope\.type" must be one of page, prefix, host, domain, not "prefx"\. Did you mean "prefix"\?/,
    ],
    [
      "a bad type",
      `${LEAST}limits: { maxPages: many }\n`,
      /^python\.yaml:3: "limits\.maxPages" must be a (?:whole )?number, not "many"/,
    ],
    [
      "a number out of range",
      `${LEAST}limits: { concurrency: 0 }\n`,
      /^python\.yaml:3: "limits\.concurrency" must be at least 1, not 0/,
    ],
    ["a missing key", "title: P\n", /^python\.yaml:1: "seeds" is missing; expected a list/],
    ["no seeds", "title: P\nseeds: []\n", /^python\.yaml:2: "seeds" must be at least 1 long/],
    [
      "a bad selector",
      `${LEAST}convert: { remove: ['a[['] }\n`,
      /^python\.yaml:3: "convert\.remove\[0\]": "a\[\[" is not a CSS selector/,
    ],
    [
      "a selector that is cut off",
      `${LEAST}convert: { keep: ['div >'] }\n`,
      /^python\.yaml:3: .*nothing follows its >/,
    ],
    ["an empty selector", `${LEAST}convert: { content: '' }\n`, /^python\.yaml:3: .*an empty text is no CSS selector/],
    ["a pseudo-element", `${LEAST}convert: { remove: ['::nope('] }\n`, /^python\.yaml:3: .*is not a CSS selector/],
    [
      "a generator that is not known",
      `${LEAST}convert: { preset: docusarus }\n`,
      /^python\.yaml:3: "convert\.preset" must be one of .*, not "docusarus"\. Did you mean "docusaurus"\?/,
    ],
    [
      "a base without its slash",
      `${LEAST}aliases: { 'http://127.0.0.1:9001/': 'https://docs.python.org/3.11' }\n`,
      /^python\.yaml:3: .*ends in a slash/,
    ],
    [
      "a seed out of its own scope",
      `${LEAST}scope: { exclude: ['**/3.11/'] }\n`,
      /^python\.yaml:2: the seed .* is out of the source's own scope \(exclude \*\*\/3\.11\/\)/,
    ],
    [
      "a bad address",
      `${LEAST}allowAddresses: [10.0.0.0/40]\n`,
      /^python\.yaml:3: "allowAddresses\[0\]": expected an IP address or a range/,
    ],
    ["a key twice", `${LEAST}title: Again\n`, /^python\.yaml:3: not valid YAML: Map keys must be unique/],
    ["broken YAML", "title: [P\nseeds: x\n", /^python\.yaml:\d: not valid YAML/],
    ["an empty file", "", /^python\.yaml:1: "title" is missing/],
    ["a list", "- a\n", /^python\.yaml:1: the file must be keys with values/],
    [
      "two documents",
      `${LEAST}---\n${LEAST}`,
      /^python\.yaml:3: one file holds one source; write another file for another\.$/,
    ],
    [
      "a title of two lines",
      'title: "a\\nb"\nseeds: [https://a.org/]\n',
      /^python\.yaml:1: "title": a title is one line/,
    ],
    [
      "an alias without its slash",
      `${LEAST}aliases: { 'http://127.0.0.1:1': 'https://docs.python.org/3.11/' }\n`,
      /^python\.yaml:3: the key "http:\/\/127\.0\.0\.1:1": a base URL ends in a slash/,
    ],
    [
      "a folder with a web key",
      "title: F\nfolder: x\nbaseUrl: https://a.org/\nseeds: []\n",
      /^python\.yaml:4: unknown key "seeds"/,
    ],
  ])("%s", (_, text, message) => {
    expect(complaint(text)).toMatch(message);
  });

  it("a name that is no id", () => {
    expect(complaint(LEAST, "Python 3.yaml")).toMatch(/^Python 3\.yaml:1: "Python 3" is no good id/);
  });

  it("an id that is taken, and every other problem with it", () => {
    const folder = folderOf({ "a/python.yaml": LEAST, "b/python.yml": LEAST, "c.yaml": "titel: x\n" });
    expect(() => loadPipelines(folder)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /b\/python\.yml:1: the id "python" is taken by .*a\/python\.yaml[^]*c\.yaml:1: /,
        ),
      }),
    );
  });

  it("a folder that is not there", () => {
    expect(() => loadPipelines(join(tempFolder(), "none"))).toThrow(/There is no folder/);
  });
});

it("selects sources by id, and names the nearest", () => {
  const sources = loadPipelines(folderOf({ "python.yaml": LEAST, "rust.yaml": LEAST }));
  expect(selectSources(sources, []).map(({ id }) => id)).toEqual(["python", "rust"]);
  expect(selectSources(sources, ["rust", "rust"]).map(({ id }) => id)).toEqual(["rust"]);
  expect(() => selectSources(sources, ["pyton"])).toThrow(/no source "pyton"\. Did you mean "python"\?/);
});
