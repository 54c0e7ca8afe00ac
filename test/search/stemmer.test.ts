import { describe, expect, it } from "vitest";
import { stemEnglish } from "../../src/search/stemmer.ts";

describe("stemEnglish", () => {
  // From the sample vocabulary of the algorithm's description.
  it.each([
    ["consign", "consign"],
    ["consigned", "consign"],
    ["consistency", "consist"],
    ["consolation", "consol"],
    ["consolidating", "consolid"],
    ["conspicuously", "conspicu"],
    ["conspiracies", "conspiraci"],
    ["constancy", "constanc"],
    ["knaves", "knave"],
    ["kneeling", "kneel"],
    ["knightly", "knight"],
    ["knocking", "knock"],
    ["knots", "knot"],
    ["knotted", "knot"],
    ["generate", "generat"],
    ["general", "general"],
    ["hopping", "hop"],
    ["hoping", "hope"],
    ["falling", "fall"],
    ["agreed", "agre"],
    ["proceeding", "proceed"],
    ["ties", "tie"],
    ["cries", "cri"],
    ["by", "by"],
    ["say", "say"],
    ["gas", "gas"],
    ["gaps", "gap"],
    ["kiwis", "kiwi"],
    ["skies", "sky"],
    ["news", "news"],
    ["relational", "relat"],
    ["sensibility", "sensibl"],
    ["analogy", "analog"],
    ["hopefulness", "hope"],
    ["formative", "format"],
    ["replacement", "replac"],
    ["adoption", "adopt"],
    ["controlling", "control"],
    ["luxuriated", "luxuri"],
    ["youth", "youth"],
    ["boyish", "boyish"],
    ["flying", "fli"],
  ])("%s → %s", (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
  });

  it("brings the forms of a word together", () => {
    for (const forms of ["index indexes indexed indexing", "configure configures configured configuring"]) {
      expect(new Set(forms.split(" ").map(stemEnglish)).size).toBe(1);
    }
  });
});
