import { describe, expect, test } from "vitest";
import { parseRobots } from "../../src/fetch/robots.ts";

/** One fact: what a robots.txt says to Carrel of a path. */
type Fact = readonly [about: string, robots: string, allowed: readonly string[], forbidden: readonly string[]];

const FACTS: Record<string, readonly Fact[]> = {
  groups: [
    ["no file, an empty file, a file of comments", "# nothing\n\n", ["/", "/x"], []],
    ["everybody is meant", "User-agent: *\nDisallow: /x", ["/", "/y"], ["/x", "/x/y", "/xy"]],
    [
      "our own group counts, and not everybody's",
      "User-agent: *\nDisallow: /\nUser-agent: carrel\nDisallow: /x",
      ["/y"],
      ["/x"],
    ],
    [
      "the order of groups does not matter",
      "User-agent: carrel\nDisallow: /x\nUser-agent: *\nDisallow: /",
      ["/y"],
      ["/x"],
    ],
    [
      "an own group without rules allows all",
      "User-agent: *\nDisallow: /\nUser-agent: Carrel\nDisallow:",
      ["/", "/x"],
      [],
    ],
    ["others' groups are not for us", "User-agent: otherbot\nDisallow: /", ["/", "/x"], []],
    ["several agents share a group", "User-agent: otherbot\nUser-agent: Carrel\nDisallow: /x", ["/y"], ["/x"]],
    [
      "several groups for one agent are one",
      "User-agent: carrel\nDisallow: /x\nUser-agent: b\nDisallow: /\nUser-agent: carrel\nDisallow: /y",
      ["/z"],
      ["/x", "/y"],
    ],
    [
      "several groups for everybody are one",
      "User-agent: *\nDisallow: /x\nUser-agent: *\nDisallow: /y",
      ["/z"],
      ["/x", "/y"],
    ],
    ["names are the same in any case", "USER-AGENT: CARREL\nDISALLOW: /x", ["/X"], ["/x"]],
    ["a version does not matter", "User-agent: Carrel/2.0 (robot)\nDisallow: /x", ["/"], ["/x"]],
    ["a longer name is another", "User-agent: carrel-news\nDisallow: /", ["/x"], []],
    ["a shorter name is another", "User-agent: car\nDisallow: /", ["/x"], []],
    ["a star with more behind it is a star", "User-agent: * (all)\nDisallow: /x", ["/"], ["/x"]],
    ["rules before any agent count for nobody", "Disallow: /\nUser-agent: *\nDisallow: /x", ["/y"], ["/x"]],
    [
      "lines that are no rules do not end the list of agents",
      "User-agent: carrel\nSitemap: https://a.example/s.xml\nFoo: bar\nUser-agent: otherbot\nDisallow: /x",
      ["/y"],
      ["/x"],
    ],
    ["empty lines do not end a group", "User-agent: carrel\n\n\nDisallow: /x\n\nDisallow: /y", ["/z"], ["/x", "/y"]],
  ],
  lines: [
    ["comments, spaces and tabs", "  User-agent :\t* # all\n\tDisallow:\t /x # secret", ["/"], ["/x"]],
    ["any kind of line end", "User-agent: *\r\nDisallow: /a\rDisallow: /b\nDisallow: /c", ["/d"], ["/a", "/b", "/c"]],
    ["a byte order mark", "\uFEFFUser-agent: *\nDisallow: /x", ["/"], ["/x"]],
    ["a missing colon", "User-agent *\nDisallow /x", ["/"], ["/x"]],
    ["a missing colon and too many words", "User-agent: *\nDisallow /x or so", ["/x"], []],
    ["common misspellings", "useragent: *\nDissallow: /a\nDisalow: /b\nDiasllow: /c", ["/d"], ["/a", "/b", "/c"]],
    ["other words are ignored", "User-agent: *\nForbid: /x\nAllowed: /\n<html>: no", ["/x"], []],
    ["a page that says not found", "<!DOCTYPE html>\n<html><body>Disallow: everything</body></html>", ["/x"], []],
    ["no line end at the end", "User-agent: *\nDisallow: /x", ["/"], ["/x"]],
  ],
  matching: [
    ["an empty rule says nothing", "User-agent: *\nDisallow:\nAllow:", ["/", "/x"], []],
    [
      "a rule is a beginning",
      "User-agent: *\nDisallow: /fish",
      ["/Fish", "/catfish", "/?id=fish", "/desert/fish"],
      ["/fish", "/fish.html", "/fish/salmon", "/fishheads", "/fish?x"],
    ],
    [
      "a slash at the end matters",
      "User-agent: *\nDisallow: /fish/",
      ["/fish", "/fish.html"],
      ["/fish/", "/fish/salmon"],
    ],
    [
      "a star is anything",
      "User-agent: *\nDisallow: /fish*.php",
      ["/Fish.PHP", "/fish"],
      ["/fish.php", "/fishheads/catfish.php?x=1"],
    ],
    ["a star in front", "User-agent: *\nDisallow: *.php", ["/x.html", "/"], ["/x.php", "/a/b.php/c"]],
    ["a star at the end changes nothing", "User-agent: *\nDisallow: /fish*", ["/x"], ["/fish", "/fish.html"]],
    [
      "a dollar is the end",
      "User-agent: *\nDisallow: /*.php$",
      ["/x.php?a", "/x.php/", "/x.php5"],
      ["/x.php", "/a/b.php"],
    ],
    ["a dollar without a star is the whole path", "User-agent: *\nDisallow: /x$", ["/", "/xy", "/x/"], ["/x"]],
    [
      "a dollar is the end once, and the middle is not reused",
      "User-agent: *\nDisallow: /a*a$",
      ["/a", "/ab"],
      ["/aa", "/aba"],
    ],
    ["a dollar in the middle is a dollar", "User-agent: *\nDisallow: /a$b", ["/a", "/ab"], ["/a$b", "/a$bc"]],
    ["a rule that begins with neither slash nor star", "User-agent: *\nDisallow: x", ["/x", "/"], []],
    ["the root alone", "User-agent: *\nDisallow: /$", ["/x"], ["/"]],
    [
      "the query is part of the path",
      "User-agent: *\nDisallow: /*?print=1",
      ["/a", "/a?p=1"],
      ["/a?print=1", "/?print=1"],
    ],
    ["robots.txt itself", "User-agent: *\nDisallow: /", ["/robots.txt"], ["/robots.txt.bak", "/"]],
  ],
  precedence: [
    ["the longest rule wins", "User-agent: *\nDisallow: /a/b\nAllow: /a", ["/a", "/a/c"], ["/a/b", "/a/bc"]],
    ["whatever the order", "User-agent: *\nAllow: /a/b/c\nDisallow: /a/b", ["/a/b/c", "/a"], ["/a/b", "/a/b/d"]],
    ["of two alike, allow wins", "User-agent: *\nDisallow: /page\nAllow: /page", ["/page", "/pages"], []],
    ["an exception to all", "User-agent: *\nDisallow: /\nAllow: /docs/", ["/docs/", "/docs/x"], ["/", "/docs", "/x"]],
    ["stars count as characters", "User-agent: *\nAllow: /page\nDisallow: /*.htm", ["/page"], ["/page.htm"]],
    ["the root with an end", "User-agent: *\nAllow: /$\nDisallow: /", ["/"], ["/page.htm", "/x"]],
    ["the longer of two stars", "User-agent: *\nDisallow: /x/*\nAllow: /x/page*", ["/x/page.html"], ["/x/other"]],
  ],
  encoding: [
    [
      "what is not ASCII is escaped",
      "User-agent: *\nDisallow: /foo/bar/ツ",
      ["/foo/bar/"],
      ["/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84/x"],
    ],
    ["escapes match themselves in any case", "User-agent: *\nDisallow: /foo/%e3%83%84", ["/foo/"], ["/foo/%E3%83%84"]],
    [
      "escapes that need not be are undone",
      "User-agent: *\nDisallow: /foo/bar/%62%61%7A",
      ["/foo/bar/"],
      ["/foo/bar/baz", "/foo/bar/%62%61%7A"],
    ],
    ["escapes of reserved characters are not", "User-agent: *\nDisallow: /foo%2Fbar", ["/foo/bar"], ["/foo%2fbar"]],
    ["an escaped star is a star character", "User-agent: *\nDisallow: /a%2Ab", ["/axb"], ["/a%2Ab"]],
  ],
};

describe.each(Object.entries(FACTS))("%s", (_group, facts) => {
  test.each(facts)("%s", (_about, text, allowed, forbidden) => {
    const robots = parseRobots(text, "Carrel");
    expect(allowed.filter((path) => !robots.verdict(path).allowed)).toEqual([]);
    expect(forbidden.filter((path) => robots.verdict(path).allowed)).toEqual([]);
  });
});

test("the verdict names the line", () => {
  const robots = parseRobots("User-agent: *\nDisallow: /x/  # private\nAllow: /x/y", "Carrel");
  expect(robots.verdict("/x/z")).toEqual({ allowed: false, rule: "Disallow: /x/" });
  expect(robots.verdict("/x/y")).toEqual({ allowed: true, rule: "Allow: /x/y" });
  expect(robots.verdict("/")).toEqual({ allowed: true, rule: "" });
});

test("Crawl-delay is our group's, and the longest of several", () => {
  const text =
    "User-agent: *\nCrawl-delay: 10\nUser-agent: carrel\nCrawl-delay: 1.5\nDisallow: /x\nUser-agent: carrel\ncrawl-delay: 2\nAllow: /";
  expect(parseRobots(text, "Carrel").crawlDelayS).toBe(2);
  expect(parseRobots(text, "Other").crawlDelayS).toBe(10);
  expect(parseRobots("User-agent: *\nCrawl-delay: soon", "Carrel").crawlDelayS).toBeUndefined();
});

test("sitemaps belong to everybody", () => {
  const text = "Sitemap: https://a.example/1.xml\nUser-agent: other\nDisallow: /\nsite-map: /2.xml # mine\n";
  expect(parseRobots(text, "Carrel").sitemaps).toEqual(["https://a.example/1.xml", "/2.xml"]);
});

test("no file makes parsing or matching slow", () => {
  const started = performance.now();
  const stars = `User-agent: *\nDisallow: /${"*a".repeat(50_000)}b$\n`.repeat(4);
  const many = `User-agent: *\n${"Disallow: /*x*y*z$\n".repeat(25_000)}`;
  for (const text of [stars, many, " ".repeat(500_000), ":".repeat(500_000), "%".repeat(500_000)]) {
    const robots = parseRobots(text, "Carrel");
    for (let i = 0; i < 10; i++) robots.verdict(`/${"a".repeat(2_000)}${i}`);
  }
  expect(performance.now() - started).toBeLessThan(5_000);
});
