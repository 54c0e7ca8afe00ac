import { describe, expect, it } from "vitest";
import { analyse } from "../../src/search/analyser.ts";
import { isUnspaced } from "../../src/search/characters.ts";
import { TermFinder } from "../../src/search/term-finder.ts";
import { randomNumbers } from "./random.ts";

const PIECES =
  "the file files Filing FILES setOnClickListener max_file_size --no-address C++ std::vector dying die skies sky ties y yes naïve Naive стол Straße strasse don't v1.2.3 x a an <=> `@` os.path.join 文件系统 데이터 كتاب डेटाबेस _ __init__ HTTPServer happy happily use using icing ice aged aging Trying try end. end: it's don’t (x) F# g++ a:b [a](https://e.org/b)".split(
    " ",
  );

describe("TermFinder", () => {
  it("finds the terms that the analyser gives, and how often", () => {
    const random = randomNumbers(5);
    const pick = (): string => PIECES[Math.floor(random() * PIECES.length)] ?? "";
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: 30 }, pick).join(round % 3 === 0 ? ", " : " ");
      const terms = [...new Set(Array.from({ length: 4 }, pick).flatMap((piece) => analyse(piece)))];
      const spaced = terms.filter((term) => !isUnspaced(term));
      const found = new TermFinder(spaced).find(text);
      const all = analyse(text);
      expect(spaced.map((_, i) => found[i]?.length)).toEqual(
        spaced.map((term) => all.filter((each) => each === term).length),
      );
    }
  });

  it("finds words of scripts without spaces in the text itself", () => {
    const [positions] = new TermFinder(["系统"]).find("文件系统和系统");
    expect(positions).toEqual([1, 2]);
  });

  it("gives positions that ascend, and are near for words that are", () => {
    const [set, up] = new TermFinder(["set", "up"]).find("Then set it up. Later it is set up again.");
    expect(set).toEqual([1, 7]);
    expect(up).toEqual([3, 8]);
  });
});
