import { describe, expect, it } from "vitest";
import { compileGlob } from "../../src/domain/glob.ts";
import { compileScope } from "../../src/domain/scope.ts";
import type { Scope } from "../../src/domain/source.ts";

const SEEDS = ["https://docs.example.com/3.11/index.html"];

function verdict(url: string, scope: Partial<Scope> = {}, seeds = SEEDS) {
  return compileScope({ seeds, scope: { type: "prefix", include: [], exclude: [], ...scope } }).verdict(url);
}

describe("the verdict of a scope", () => {
  it.each([
    ["prefix", "https://docs.example.com/3.11/library/os.html", true],
    ["prefix", "http://docs.example.com/3.11/library/os.html", true],
    ["prefix", "https://docs.example.com/3.11", true],
    ["prefix", "https://docs.example.com/3.12/library/os.html", false],
    ["prefix", "https://docs.example.com/3.110/", false],
    ["prefix", "https://docs.example.com.evil.org/3.11/", false],
    ["host", "https://docs.example.com/3.12/", true],
    ["host", "https://example.com/3.11/", false],
    ["page", "https://docs.example.com/3.11/index.html#a", true],
    ["page", "https://docs.example.com/3.11/a.html", false],
  ] as const)("of type %s: %s is %s", (type, url, inScope) => {
    expect(verdict(url, { type }).inScope).toBe(inScope);
  });

  it("takes subdomains of a domain, and no look-alikes", () => {
    const seeds = ["https://example.com/"];
    expect(verdict("https://docs.example.com/a", { type: "domain" }, seeds).inScope).toBe(true);
    expect(verdict("https://notexample.com/a", { type: "domain" }, seeds).inScope).toBe(false);
  });

  it("lets exclude beat include, and says which rule decided", () => {
    const scope = { include: ["**/library/**"], exclude: ["**/genindex*"] };
    expect(verdict("https://docs.example.com/3.11/library/os.html", scope)).toEqual({
      inScope: true,
      rule: "include **/library/**",
    });
    expect(verdict("https://docs.example.com/3.11/library/genindex-A.html", scope)).toEqual({
      inScope: false,
      rule: "exclude **/genindex*",
    });
    expect(verdict("https://docs.example.com/3.11/c-api/", scope).inScope).toBe(false);
  });
});

describe("compileGlob", () => {
  it.each([
    ["**/genindex*", "https://a.org/x/genindex.html", true],
    ["**/genindex*", "https://a.org/x/genindex/y", false],
    ["https://a.org/*", "https://a.org/x", true],
    ["https://a.org/*", "https://a.org/x/y", false],
    ["https://a.org/**", "https://a.org/x/y", true],
    ["**/v?/**", "https://a.org/v2/x", true],
    ["**/v?/**", "https://a.org/v22/x", false],
    ["**", "", true],
    ["*", "", true],
    ["?", "", false],
    ["**.html", "https://a.org/a+b(c).html", true],
  ])("%s on %s is %s", (glob, text, matches) => {
    expect(compileGlob(glob)(text)).toBe(matches);
  });

  it("does not hang on what makes a backtracking matcher hang", () => {
    expect(compileGlob(`${"**a".repeat(40)}b`)("a".repeat(5_000))).toBe(false);
  });
});

describe("a regular expression between slashes", () => {
  it("is searched for in the whole URL, in include and exclude", () => {
    const scope = { include: ["/\\/(library|tutorial)\\//"], exclude: ["/[?&]page=\\d+/", "/(?i)\\/GENINDEX/"] };
    expect(verdict("https://docs.example.com/3.11/library/os.html", scope)).toEqual({
      inScope: true,
      rule: "include /\\/(library|tutorial)\\//",
    });
    expect(verdict("https://docs.example.com/3.11/library/?page=12", scope).rule).toBe("exclude /[?&]page=\\d+/");
    expect(verdict("https://docs.example.com/3.11/library/genindex.html", scope).inScope).toBe(false);
    expect(verdict("https://docs.example.com/3.11/c-api/", scope).rule).toBe("matches no include");
  });
});

/** CPU time of some work, in milliseconds. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it.each([
  "/(a+)+$/",
  "/(a|a)*b$/",
  "/(.*a){12}$/",
  "/^https:\\/\\/(\\w+\\.?)+\\/(a*)*c/",
  "**a**a**a**a**b",
  "https://docs.example.com/3.11/*a*a*a*a*a?b",
])("%s takes time linear in the URL", (pattern) => {
  const scope = compileScope({ seeds: SEEDS, scope: { type: "prefix", include: [], exclude: [pattern] } });
  const check = (length: number) => () => {
    for (let i = 0; i < 10; i++) scope.verdict(`https://docs.example.com/3.11/${"a".repeat(length)}!`);
  };
  check(30_000)();
  // Twice the length may not take four times as long; the rest is for noise. What backtracks would never end.
  expect(cpuMs(check(30_000))).toBeLessThan(12 * cpuMs(check(15_000)) + 200);
});

describe("languages", () => {
  const seeds = ["https://docs.example.com/docs/"];
  const inLanguages = (url: string, languages = ["en"], type: Scope["type"] = "host"): string => {
    const { inScope, rule } = verdict(`https://docs.example.com${url}`, { languages, type }, seeds);
    return inScope ? "in" : rule;
  };
  it.each([
    ["/de/docs/a", "language de in the path (scope.languages: en)"],
    ["/docs/pt-br/a", "language pt-BR in the path (scope.languages: en)"],
    ["/docs/zh_CN/", "language zh-CN in the path (scope.languages: en)"],
    ["/docs/zh-Hans/", "language zh-Hans in the path (scope.languages: en)"],
    ["/docs/ja", "language ja in the path (scope.languages: en)"],
    ["/docs/fil-PH/a", "language fil-PH in the path (scope.languages: en)"],
    ["/docs/a?hl=de", "language de by hl (scope.languages: en)"],
    ["/docs/a?hl=en-GB", "in"],
    ["/en-us/docs/a", "in"],
    ["/docs/en/a", "in"],
    ["/docs/a", "in"],
    // Further down it is no language of the page.
    ["/docs/locales/de/", "in"],
    ["/docs/de.html", "in"],
  ])("%s is %s", (url, expected) => {
    expect(inLanguages(url)).toBe(expected);
  });

  it.each(["go", "api", "js", "ui", "rs", "bin", "man", "new", "lua", "ref", "lib", "v1", "cpp", "faq", "to-do-list"])(
    "/%s/ is no language",
    (segment) => {
      expect(inLanguages(`/docs/${segment}/a`)).toBe("in");
    },
  );

  it("takes what lies within a range, and knows which script and region are meant by none", () => {
    expect(inLanguages("/docs/zh-cn/", ["zh-Hans"])).toBe("in");
    expect(inLanguages("/docs/zh-tw/", ["zh-Hans"])).not.toBe("in");
    expect(inLanguages("/docs/pt/", ["pt-BR"])).toBe("in");
    expect(inLanguages("/docs/pt-PT/", ["pt-BR"])).not.toBe("in");
    expect(inLanguages("/docs/de/", ["en", "de"])).toBe("in");
    // A word that is a code as well can be listed.
    expect(inLanguages("/docs/ml/")).toBe("language ml in the path (scope.languages: en)");
    expect(inLanguages("/docs/ml/", ["en", "ml"])).toBe("in");
  });

  it("asks of a page what it says itself", () => {
    const { refusedLanguage } = compileScope({
      seeds,
      scope: { type: "host", include: [], exclude: [], languages: ["en"] },
    });
    expect(refusedLanguage("de-AT")).toBe("language de-AT as the page says (scope.languages: en)");
    expect(["en", "EN_us", "", " ", "none of these!"].map(refusedLanguage)).toEqual(Array(5).fill(undefined));
  });
});

describe("versions", () => {
  const seeds = ["https://docs.example.com/"];
  const inVersions = (path: string, versions: readonly string[]): string => {
    const { inScope, rule } = verdict(`https://docs.example.com${path}`, { versions }, seeds);
    return inScope ? "in" : rule;
  };
  it.each([
    ["/3.11/a", "in"],
    ["/v3.11/a", "in"],
    ["/STABLE/a", "in"],
    ["/en/3.12/3.11/a", "version 3.12 in the path (scope.versions: 3.11, stable)"],
    ["/latest/", "version latest in the path (scope.versions: 3.11, stable)"],
    ["/a/", "in"],
    // A release's notes, an index of chapters and a year are no versions.
    ["/release-notes/a", "in"],
    ["/tutorial/2/", "in"],
    ["/blog/2024/05/", "in"],
    ["/whatsnew/3.12.html", "in"],
  ])("%s is %s", (path, expected) => {
    expect(inVersions(path, ["3.11", "stable"])).toBe(expected);
  });

  it.each([
    "v1",
    "1.2",
    "v1.2.x",
    "2.0.0-rc.1",
    "3.13-dev",
    "release-1.2",
    "main",
    "master",
    "nightly",
    "next",
    "current",
  ])("/%s/ looks like one", (segment) => {
    expect(inVersions(`/docs/${segment}/a`, ["stable"])).toBe(
      `version ${segment} in the path (scope.versions: stable)`,
    );
  });

  it("takes bare numbers and years for versions where one is listed", () => {
    expect(inVersions("/docs/15/a", ["15"])).toBe("in");
    expect(inVersions("/docs/14/a", ["15"])).not.toBe("in");
    expect(inVersions("/docs/2024/a", ["15"])).toBe("in");
    expect(inVersions("/docs/2023/a", ["2024"])).not.toBe("in");
    expect(inVersions("/docs/14/a", ["2024"])).toBe("in");
  });
});

it("tells an include pattern that asks for an ending from one that takes all", () => {
  const asks = (include: readonly string[]): boolean =>
    compileScope({ seeds: SEEDS, scope: { type: "prefix", include, exclude: [] } }).asksFor(
      "https://docs.example.com/api.json",
      "https://docs.example.com/api",
    );
  expect(asks(["**/*.json"])).toBe(true);
  expect(asks(["**", "/\\.(json|ya?ml)$/"])).toBe(true);
  expect(asks(["https://docs.example.com/**", "**/api*"])).toBe(false);
  expect(asks([])).toBe(false);
});
