import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPipelines } from "../../src/config/pipelines.ts";
import { selectSources } from "../../src/config/select-sources.ts";
import { DEFAULT_NAMES } from "../../src/domain/source.ts";
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

it("keeps index pages out unless a pipeline wants them, and leaves what it does not say out of the options", () => {
  const dir = folderOf({
    "wanted.yaml": `${LEAST}convert: { keepIndexPages: true }\n`,
    "usual.yaml": `${LEAST}convert: { keepIndexPages: false }\n`,
  });
  const [usual, wanted] = loadPipelines(dir);
  expect(usual?.convert).toEqual({ remove: [] });
  expect(wanted?.convert).toEqual({ remove: [], keepIndexPages: true });
});

it("reads the least pipeline, and fills in what it leaves out", () => {
  expect(loadPipelines(folderOf({ "python.yaml": LEAST }))).toEqual([
    {
      kind: "web",
      id: "python",
      title: "Python 3.11",
      seeds: ["https://docs.python.org/3.11/"],
      scope: { type: "prefix", include: [], exclude: [] },
      names: DEFAULT_NAMES,
      aliases: [],
      limits: {
        maxPages: 20_000,
        maxDepth: 50,
        maxPageBytes: 20_000_000,
        maxSiteBytes: 10 * 1024 ** 3,
        concurrency: 8,
        delayMs: 0,
      },
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
      "a regular expression that cannot be matched in linear time",
      `${LEAST}scope:\n  include: ['/ok/']\n  exclude:\n    - '/(a)\\1/'\n`,
      /^python\.yaml:6: "scope\.exclude\[0\]": \/\(a\)\\1\/ has a back-reference, which cannot be matched in linear time/,
    ],
    [
      "a regular expression that is none",
      `${LEAST}scope: { include: ['/a(/'] }\n`,
      /^python\.yaml:3: .*is no regular expression that is understood: missing closing \)/,
    ],
    [
      "a regular expression with flags behind it",
      `${LEAST}scope: { include: ['/a/i'] }\n`,
      /^python\.yaml:3: .*to ignore case, begin it with \(\?i\)/,
    ],
    [
      "a rule of no kind",
      `${LEAST}convert: { rules: [{ match: .a, as: tipp }] }\n`,
      /^python\.yaml:3: "convert\.rules\[0\]\.as" must be one of code, note, tip/,
    ],
    [
      "a mistyped key of a rule",
      `${LEAST}convert: { rules: [{ match: .a, as: code, langage: yaml }] }\n`,
      /^python\.yaml:3: unknown key "convert\.rules\[0\]\.langage"\. Did you mean "language"\? Known here: match, as, language/,
    ],
    [
      "tabs without labels",
      `${LEAST}convert: { rules: [{ match: .a, as: tabs, panels: .b }] }\n`,
      /^python\.yaml:3: "convert\.rules\[0\]": say where the labels of the tabs are/,
    ],
    [
      "a language that is none",
      `${LEAST}scope: { languages: [english] }\n`,
      /^python\.yaml:3: "scope\.languages\[0\]": expected a language as BCP 47 has it/,
    ],
    [
      "a version that YAML takes for a number",
      `${LEAST}scope: { versions: [3.10] }\n`,
      /^python\.yaml:3: "scope\.versions\[0\]": write the version 3\.1 in quotes/,
    ],
    [
      "a version of two segments",
      `${LEAST}scope: { versions: ['en/stable'] }\n`,
      /^python\.yaml:3: .*expected one segment of a path/,
    ],
    [
      "a type that is not read",
      `${LEAST}scope: { contentTypes: [text/htm] }\n`,
      /^python\.yaml:3: "scope\.contentTypes\[0\]" must be one of text\/html, .*Did you mean "text\/html"\?/,
    ],
    ["a list of no languages", `${LEAST}scope: { languages: [] }\n`, /^python\.yaml:3: .*must be at least 1 long/],
    [
      "a seed in another language than its scope",
      `title: P\nseeds: ['https://a.org/de/']\nscope: { languages: [en] }\n`,
      /^python\.yaml:2: the seed .*own scope \(language de in the path \(scope\.languages: en\)\)/,
    ],
    [
      "a parameter that is none",
      `${LEAST}names: { ignoreParameters: ['a&b'] }\n`,
      /^python\.yaml:3: "names\.ignoreParameters\[0\]": expected the name of a query parameter/,
    ],
    [
      "a rewrite that is a glob",
      `${LEAST}names: { rewrite: { '**/print/**': '/' } }\n`,
      /^python\.yaml:3: the key "\*\*\/print\/\*\*": .*is not a regular expression/,
    ],
    [
      "a rewrite by parentheses that there are not",
      `${LEAST}names:\n  rewrite: { '/(a)b/': '$2' }\n`,
      /^python\.yaml:4: .*"\$2" names \$2, and \/\(a\)b\/ has 1 pair of parentheses; write \$\$ for a dollar sign/,
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

  it("a folder that is not there, or is a file", () => {
    const folder = folderOf({ "a.yaml": LEAST });
    expect(() => loadPipelines(join(folder, "none"))).toThrow(/There is no folder .*none; name the folder/);
    expect(() => loadPipelines(join(folder, "a.yaml"))).toThrow(/a\.yaml is a file; name the folder/);
  });

  it("a link that leads nowhere or in a circle; a folder is no pipeline, whatever its name", () => {
    const folder = folderOf({ "folder.yaml/a.yaml": LEAST });
    expect(loadPipelines(folder).map(({ id }) => id)).toEqual(["a"]);
    symlinkSync("nowhere", join(folder, "b.yaml"));
    symlinkSync("c.yaml", join(folder, "c.yaml"));
    symlinkSync("folder.yaml", join(folder, "d.yaml"));
    const lines = [
      "b.yaml:1: cannot be read: it is a symbolic link that leads nowhere.",
      "c.yaml:1: cannot be read: it is a symbolic link, and its symbolic links go in a circle.",
      "d.yaml:1: cannot be read: it is a symbolic link, and it is a folder, and no file.",
    ];
    expect(() => loadPipelines(folder)).toThrow(lines.map((line) => join(folder, line)).join("\n"));
  });
});

it("reads what a scope and the names of a source may say, and leaves out what they do not", () => {
  const said = `scope: { languages: [en, pt-BR], versions: ['3.11', stable], contentTypes: [text/html], include: ['/a+/'] }
names: { ignoreParameters: [lang, 'v=*'], indexFiles: [index.php], trailingSlash: keep, rewrite: { '/x/': 'y', '/(a)/': '$1' } }
`;
  const folder = folderOf({
    "web.yaml": `title: W\nseeds: ['https://a.org/aa/']\n${said}`,
    "files.yaml": `title: F\nfolder: .\nbaseUrl: https://a.org/\n${said}`,
  });
  for (const source of loadPipelines(folder)) {
    expect(source.scope).toEqual({
      type: "prefix",
      include: ["/a+/"],
      exclude: [],
      languages: ["en", "pt-BR"],
      versions: ["3.11", "stable"],
      contentTypes: ["text/html"],
    });
    expect(source.names).toEqual({
      ignoreParameters: ["lang", "v=*"],
      indexFiles: ["index.php"],
      trailingSlash: "keep",
      rewrite: [
        { pattern: "/x/", replacement: "y" },
        { pattern: "/(a)/", replacement: "$1" },
      ],
    });
  }
});

it("selects sources by id, and names the nearest", () => {
  const sources = loadPipelines(folderOf({ "python.yaml": LEAST, "rust.yaml": LEAST }));
  expect(selectSources(sources, []).map(({ id }) => id)).toEqual(["python", "rust"]);
  expect(selectSources(sources, ["rust", "rust"]).map(({ id }) => id)).toEqual(["rust"]);
  expect(() => selectSources(sources, ["pyton"])).toThrow(/no source "pyton"\. Did you mean "python"\?/);
});
