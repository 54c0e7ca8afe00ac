import { describe, expect, it } from "vitest";
import { globMatches, scopeVerdict } from "../../src/domain/scope.ts";
import type { Scope } from "../../src/domain/source.ts";

const SEEDS = ["https://docs.example.com/3.11/index.html"];

function verdict(url: string, scope: Partial<Scope> = {}, seeds = SEEDS) {
  return scopeVerdict({ seeds, scope: { type: "prefix", include: [], exclude: [], ...scope } }, url);
}

describe("scopeVerdict", () => {
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

describe("globMatches", () => {
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
    expect(globMatches(glob, text)).toBe(matches);
  });

  it("does not hang on what makes a backtracking matcher hang", () => {
    expect(globMatches(`${"**a".repeat(40)}b`, "a".repeat(5_000))).toBe(false);
  });
});
