import { describe, expect, it } from "vitest";
import { documentName } from "../../src/domain/document-name.ts";
import { compileNames } from "../../src/domain/page-names.ts";
import { DEFAULT_NAMES, type NameRules } from "../../src/domain/source.ts";

const names = (rules: Partial<NameRules> = {}) => compileNames({ ...DEFAULT_NAMES, ...rules });

describe("the default rules", () => {
  it.each([
    ["https://a.example/x/?utm_source=n&utm_campaign=m&gclid=1", "a.example/x"],
    ["https://a.example/x?hl=de&authuser=0", "a.example/x"],
    ["https://a.example/x?print=1", "a.example/x"],
    ["https://a.example/x?printable=yes&title=B", "a.example/x?title=B"],
    ["https://a.example/x?view=print", "a.example/x"],
    ["https://a.example/x?view=list", "a.example/x?view=list"],
    ["https://a.example/x?printer=laser", "a.example/x?printer=laser"],
  ])("%s", (url, name) => {
    expect(names().name(url)).toBe(`documents/${name}`);
    expect(documentName(url)).toBe(`documents/${name}`);
  });

  it("ask for an address without what chooses no page, and leave the rest as it was found", () => {
    expect(names().asked("https://a.example/x/index.html?hl=de&b=2&a=1")).toBe(
      "https://a.example/x/index.html?b=2&a=1",
    );
    expect(names().asked("https://a.example/x/?hl=de")).toBe("https://a.example/x/");
    expect(names().asked("https://a.example/x?q=%20+b")).toBe("https://a.example/x?q=%20+b");
  });
});

describe("the rules of a source", () => {
  it("fold other parameters, files and slashes", () => {
    const rules = names({ ignoreParameters: ["lang", "v=*/old"], indexFiles: ["index.php"], trailingSlash: "keep" });
    expect(rules.name("https://a.example/x/index.php?lang=de&v=1/old")).toBe("documents/a.example/x/");
    expect(rules.name("https://a.example/x?v=1&hl=de")).toBe("documents/a.example/x?hl=de&v=1");
    expect(rules.name("https://a.example/x/index.html")).toBe("documents/a.example/x/index.html");
    expect(rules.name("https://a.example/")).toBe("documents/a.example");
    expect(rules.tidy("https://a.example/x/index.php?lang=de")).toBe("https://a.example/x/");
  });

  it("rewrite in their order, with what was matched, and ask for what comes of it", () => {
    const rules = names({
      rewrite: [
        { pattern: "/\\/print\\//", replacement: "/" },
        { pattern: "/\\/node\\/(\\d+)\\/view$/", replacement: "/n$1" },
      ],
    });
    expect(rules.asked("https://a.example/print/node/7/view")).toBe("https://a.example/n7");
    expect(rules.name("https://a.example/print/x?hl=de")).toBe("documents/a.example/x");
    expect(rules.rewritten("https://a.example/print/x?hl=de")).toBe("https://a.example/x?hl=de");
  });

  it("leave an address alone of which they make none", () => {
    const rules = names({ rewrite: [{ pattern: "/^https/", replacement: "nothing" }] });
    expect(rules.name("https://a.example/x")).toBe("documents/a.example/x");
  });
});
