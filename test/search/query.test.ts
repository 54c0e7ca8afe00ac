import { describe, expect, it } from "vitest";
import { parseQuery } from "../../src/search/query.ts";

function parse(text: string, terms: readonly string[] = []) {
  return parseQuery(text, (term) => terms.includes(term));
}

function words(text: string, role: string): string[] {
  return parse(text).terms.flatMap((each) => (each.role === role ? [each.term] : []));
}

describe("parseQuery", () => {
  it("tells words from those that only hold a question together", () => {
    expect(words("How do I close a file?", "word")).toEqual(["close", "file"]);
    expect(words("How do I close a file?", "glue")).toEqual(["how", "do", "i", "a"]);
  });

  it("takes all words when there are no others", () => {
    expect(words("to be or not to be", "word")).toContain("not");
    expect(words("how to", "word")).toEqual(["how", "to"]);
  });

  it("asks for other words of the same meaning as well, for less", () => {
    const { terms } = parse("delete folder");
    const weight = (term: string): number | undefined => terms.find((each) => each.term === term)?.weight;
    expect(weight("delet")).toBe(1);
    expect(weight("directori")).toBeLessThan(0.5);
    expect(weight("remov")).toBeLessThan(0.5);
  });

  it("takes phrases, and their words too", () => {
    const query = parse('"connection refused" nginx');
    expect(query.passage.phrases).toEqual(["connection refused"]);
    expect(query.terms.map(({ term }) => term)).toEqual(expect.arrayContaining(["connect", "refus", "nginx"]));
  });

  it("only prefers a phrase that a question quotes", () => {
    const query = parse('which server answers "connection refused" when upstream workers restart');
    expect(query.passage.phrases).toEqual([]);
    expect(query.preferred).toEqual(["connection refused"]);
  });

  it.each(['a "', '"" b', '"?!" c'])("takes %j for words", (text) => {
    expect(parse(text).passage.phrases).toEqual([]);
    expect(parse(text).terms).toHaveLength(1);
  });

  it("takes sources and sites", () => {
    const query = parse("source:python-3.11 pickle site:docs.example.org/a Site:example.org");
    expect(query.page).toEqual({ sources: ["python-3.11"], sites: ["docs.example.org/a", "example.org"] });
    expect(query.text).toBe("pickle");
  });

  it("keeps a source without a name as a word", () => {
    expect(parse("source: roads").terms.map(({ term }) => term)).toEqual(["sourc", "road"]);
  });

  it("excludes a word after a minus, but for flags that the documentation names", () => {
    expect(parse("router -angular").passage.excluded).toEqual(["angular"]);
    expect(parse("find -exec", ["-exec"])).toMatchObject({ passage: { excluded: [] }, text: "find -exec" });
    expect(parse("--no-address well-known a - b").passage.excluded).toEqual([]);
  });

  it("takes an exclusion alone for a word", () => {
    expect(parse("-angular")).toMatchObject({ passage: { excluded: [] }, text: "angular" });
  });

  it("pairs neighbours, over words that only hold a question together", () => {
    const { terms, pairs } = parse("position of the cursor on screen");
    expect(pairs.map(([a, b]) => [terms[a]?.term, terms[b]?.term])).toEqual([
      ["posit", "cursor"],
      ["cursor", "screen"],
    ]);
  });

  it("has a bounded number of terms", () => {
    expect(parse(Array.from({ length: 5000 }, (_, i) => `word${i}`).join(" ")).terms.length).toBeLessThan(200);
  });
});
