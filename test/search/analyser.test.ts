import { describe, expect, it } from "vitest";
import { analyse } from "../../src/search/analyser.ts";

describe("analyse", () => {
  it.each([
    ["The files are closed.", "the file are close"],
    ["setOnClickListener", "setonclicklisten set on click listen"],
    ["HTTPServer", "httpserver http server"],
    ["foo.bar_baz", "foo bar_baz bar baz foo.bar_baz"],
    ["std::vector<int>", "std vector std::vector int"],
    ["node:fs/promises", "node fs promis node:fs/promises"],
    ["git --no-address", "git no address no-address --no-address"],
    ["ls -v", "ls v -v"],
    ["ERR_CONN_42", "err_conn_42 err conn 42"],
    ["v1.2.3", "v1 1 2 3 v1.2.3"],
    ["C++, C# and g++", "c c++ c c# and g g++"],
    [".NET or .gitignore", "net .net or gitignor .gitignore"],
    ["@property $HOME %Y", "properti @property home $home y %y"],
    ["a->next", "a next a->next"],
    ["__init__", "__init__ init"],
    ["sha256", "sha256 sha 256"],
    ["max\\_file\\_size", "max_file_size max file size"],
    ["don't, page’s, l'eau", "don dont page l eau"],
    ["a <=> b, `@`, - x, | y |, # z", "a <=> b @ x y z"],
    ['[open](https://docs.example.org/io.html#open "I/O") it', "open it"],
    ["![A plot](plot.png) and handlers[name](event)", "a plot plot png plot.png and handler name event"],
    ["[x](<https://e.org/a b>) y", "x y"],
    ["naïve Straße ŒUVRE", "naïve naiv straße strass œuvre oeuvr"],
    ["ＣＯＮＦＩＧ ﬁle", "config file"],
    ["конфигурация ёлка", "конфигурация ёлка елка"],
    ["ΒΆΣΗ Βάσης", "βάση βαση βάσης βασησ"],
    ["文件系统", "文件 系统"],
    ["データベース", "データベース デー ータ タベ ベー ース"],
    ["데이터베이스", "데이터베이스 데이 이터 터베 베이 이스"],
    ["डेटाबेस", "डेटाबेस"],
    ["১২ তথ্য", "১২ তথ্য"],
    ["والكتاب", "كتاب"],
    ["𝒳𝒴 𠮷野家", "xy 𠮷 野家"],
    ["constructor __proto__ toString", "constructor __proto__ proto tostr to string"],
  ])("%s → %s", (text, terms) => {
    expect(new Set(analyse(text))).toEqual(new Set(terms.split(" ")));
  });

  it("keeps repetitions and order", () => {
    expect(analyse("one two one")).toEqual(["one", "two", "one"]);
  });

  it.each(["", " \n\t ", "?!…", "()[]{}", "---", "***", "___", "\u0000\u200b", "\ud800 \udc00", "🙂"])(
    "finds nothing in %j",
    (text) => {
      expect(analyse(text)).toEqual([]);
    },
  );

  it("clips no character in two", () => {
    for (const term of analyse(`a${"\u{20000}".repeat(80)} ${"\u{1e900}".repeat(80)} b${"\u{1e900}".repeat(80)}`)) {
      expect(term.length).toBeLessThanOrEqual(64);
      expect(Buffer.from(term).toString()).toBe(term);
    }
  });

  it("clips a word of any length, and takes time in proportion to the text", () => {
    expect(analyse("x".repeat(100_000))).toEqual(["x".repeat(64)]);
    for (const unit of ["](", "[a](", "](http://", "a.", "a-", "'s", "--", "](/", "\\_", "和"]) {
      const started = process.cpuUsage();
      analyse(unit.repeat(50_000));
      expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
    }
  });
});
