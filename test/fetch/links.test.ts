import { expect, test } from "vitest";
import { htmlLinks, markdownLinks } from "../../src/fetch/links.ts";
import { binaryEnding, isBlank, mediaOf } from "../../src/fetch/media.ts";
import { compileUrlRules } from "../../src/fetch/url-rules.ts";
import { webSource } from "./support/crawl.ts";

test.each([
  ["a and area", `<a href="a">x</a><map><area HREF='b'></map>`, ["a", "b"]],
  ["entities are decoded", `<a href="x?a=1&amp;b=2&#x26;c">x</a>`, ["x?a=1&b=2&c"]],
  ["unquoted, spaced and repeated attributes", `<a class=k href = a href=b>x</a><a\nhref=" c ">y</a>`, ["a", "c"]],
  ["fragments of the page itself", `<a href="#top">x</a><a href="">y</a><a name=z>z</a>`, []],
  [
    "frames",
    `<frameset><frame src="toc.html"><frame src="main.html"></frameset><iframe src="demo.html"></iframe>`,
    ["toc.html", "main.html", "demo.html"],
  ],
  [
    "link elements that lead to documents",
    `<link rel="next" href="n"><link href="p" rel="Prev"><link rel="stylesheet" href="s.css"><link rel=icon href=i>`,
    ["n", "p"],
  ],
  [
    "not in comments, scripts and styles",
    `<!-- <a href="a"> --><script>"<a href='b'>"</script><style><a href="c"></style><a href="d">`,
    ["d"],
  ],
  ["an element that is never closed", `<p><a href="a">x<p><a href="b"`, ["a", "b"]],
  ["a page that ends in a tag", `<a href="a">`, ["a"]],
])("links of HTML: %s", (_, html, hrefs) => {
  expect(htmlLinks(html, "Carrel").hrefs).toEqual(hrefs);
});

test("the first base, canonical and refresh count", () => {
  const found = htmlLinks(
    `<head><base href="/b/"><base href="/c/"><link rel="canonical" href="k"><meta content="0;url=r" http-equiv="refresh"></head>`,
    "Carrel",
  );
  expect(found).toEqual({
    hrefs: ["k", "r"],
    base: "/b/",
    language: "",
    canonical: "k",
    markdown: undefined,
    refresh: "r",
    robots: [],
  });
});

test.each([
  ["0; url=a", "a"],
  ["0;URL='a b'", "a b"],
  ["0, a", "a"],
  ['0 ; url = "a"', "a"],
  ["0.0; url=a", "a"],
  ["1; url=a", undefined],
  ["0", undefined],
  ["", undefined],
  ["x; url=a", undefined],
])("a refresh of %j leads to %j", (content, target) => {
  expect(htmlLinks(`<meta http-equiv="refresh" content='${content.replaceAll("'", "&#39;")}'>`, "Carrel").refresh).toBe(
    target,
  );
});

test("links of Markdown: inline, by reference, automatic", () => {
  const text = "[a](a.md) ![i](i.png) [b](<b c.md> 't') [d]\n\n[d]: d.md#x \"D\"\n<https://e.example/f>\n[top](#top)\n";
  expect(new Set(markdownLinks(text).hrefs)).toEqual(new Set(["a.md", "b", "d.md#x", "https://e.example/f", "i.png"]));
});

test("finding links takes time linear in the page", () => {
  const hostile = [
    "[".repeat(200_000),
    "<".repeat(200_000),
    "](".repeat(100_000),
    "[x]:".repeat(50_000),
    "<a ".repeat(70_000),
    `<meta http-equiv=refresh content="0${" ".repeat(200_000)}`,
  ];
  const started = performance.now();
  for (const text of hostile) {
    htmlLinks(text, "Carrel");
    markdownLinks(text);
  }
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each([
  ["https://a.example/x.png", "png"],
  ["https://a.example/x.tar.gz#top", "gz"],
  ["https://a.example/x.DOCX?download=1", "docx"],
  ["https://a.example/x.PDF?download=1", undefined],
  ["https://a.example/_sources/x.rst.txt", "rst.txt"],
  ["https://a.example/x.txt", undefined],
  ["https://a.example/x.html", undefined],
  ["https://a.example/1.2.so/", undefined],
  ["https://a.example/.zip", undefined],
  ["https://a.example/", undefined],
  ["https://a.example/?f=x.png", undefined],
])("the ending of %s is %s", (url, ending) => {
  expect(binaryEnding(url)).toBe(ending);
});

test("why a link is not followed is said", () => {
  const source = webSource(["https://a.example/docs/", "https://a.example/docs/all.pdf"], {
    scope: { exclude: ["**/old/**"] },
  });
  const { verdict } = compileUrlRules(source);
  expect(verdict("https://a.example/docs/x.html").follow).toBe(true);
  expect(verdict("https://a.example/docs/x.png")).toEqual({ follow: false, rule: ".png is no document" });
  expect(verdict("https://a.example/docs/old/x.html")).toEqual({
    follow: false,
    rule: "exclude **/old/**",
  });
  expect(verdict("https://a.example/docs/all.pdf").follow).toBe(true);
});

test.each([
  ["text/html", "<p>x", "html"],
  ["text/html", "plain", "html"],
  ["application/xhtml+xml; charset=x", "x", "html"],
  ["TEXT/MARKDOWN; variant=GFM", "x", "markdown"],
  ["text/plain", "x", "text"],
  ["text/plain", "\n<!-- c --><!DOCTYPE HTML>", "html"],
  ["text/plain", "see <html> there", "text"],
  ["application/xml", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "html"],
  ["application/xml", '<?xml version="1.0"?><urlset>', undefined],
  ["application/json", "<html>", "json"],
  ["", "x", undefined],
])("%s with %j is %s", (type, body, media) => {
  expect(mediaOf(type, "https://a.example/x", Buffer.from(body))).toBe(media);
});

test("blank is blank", () => {
  expect(isBlank(Buffer.from(" \r\n\t"))).toBe(true);
  expect(isBlank(Buffer.from(" x"))).toBe(false);
});
