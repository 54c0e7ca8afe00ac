import { describe, expect, test } from "vitest";
import { addMember, memberOf, parseJsonc, valueOf } from "../../src/connect/jsonc.ts";

function add(text: string, key = "carrel", value: unknown = { url: "u" }): string {
  const root = parseJsonc(text);
  if (root.kind !== "object") throw new Error("no object");
  return addMember(text, root, key, value);
}

describe("a text of JSON with comments", () => {
  test("is read with comments, last commas, escapes and a byte order mark", () => {
    const text =
      '\uFEFF// one\n{ "a\\n\\"": [1, -2.5e3, true, null,], /* two // */ "b": { "c": "//no /*comment*/" }, "b": {} }\n// end';
    expect(valueOf(parseJsonc(text))).toEqual({ 'a\n"': [1, -2500, true, null], b: {} });
  });

  test.each([
    "",
    "{",
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":}',
    "{a:1}",
    '{"a":1}x',
    "/* ",
    '{"a":"x',
    "[1",
    '{"a":01}',
    "[".repeat(300),
  ])("%j is refused with its line", (text) => {
    expect(() => parseJsonc(text)).toThrow(/it is not JSON: line 1 should have/);
  });

  test("__proto__ as a key changes nothing", () => {
    const value = valueOf(parseJsonc('{"__proto__": {"polluted": 1}}')) as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect("polluted" in {}).toBe(false);
  });
});

describe("a key is added", () => {
  test.each([
    ["an empty object", "{}", '{\n  "carrel": {\n    "url": "u"\n  }\n}'],
    ["an object with a comment", "{\n  // none yet\n}\n", '{\n  // none yet\n  "carrel": {\n    "url": "u"\n  }\n}\n'],
    ["after others", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "carrel": {\n    "url": "u"\n  }\n}\n'],
    ["after a comma", '{\n  "a": 1,\n}\n', '{\n  "a": 1,\n  "carrel": {\n    "url": "u"\n  },\n}\n'],
    [
      "after a comment that stays where it is",
      '{\n  "a": 1 // one, two\n}\n',
      '{\n  "a": 1, // one, two\n  "carrel": {\n    "url": "u"\n  }\n}\n',
    ],
    ["by tabs", '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"carrel": {\n\t\t"url": "u"\n\t}\n}\n'],
    ["on one line", '{ "a": 1 }', '{ "a": 1,\n  "carrel": {\n    "url": "u"\n  }\n}'],
    [
      "by another way of ending lines",
      '{\r\n  "a": 1\r\n}',
      '{\r\n  "a": 1,\r\n  "carrel": {\r\n    "url": "u"\r\n  }\r\n}',
    ],
  ])("to %s", (_, before, after) => {
    const made = add(before);
    expect(made).toBe(after);
    expect(valueOf(memberOf(parseJsonc(made), "carrel") ?? parseJsonc("{}"))).toEqual({ url: "u" });
  });

  test("to an object within another, which stays as it is", () => {
    const text = '{\n  "servers": {\n    "b": {} /* b, */\n  },\n  "z": [1]\n}';
    const list = memberOf(parseJsonc(text), "servers");
    if (list?.kind !== "object") throw new Error("no object");
    expect(addMember(text, list, "carrel", { a: [1] })).toBe(
      '{\n  "servers": {\n    "b": {}, /* b, */\n    "carrel": {\n      "a": [\n        1\n      ]\n    }\n  },\n  "z": [1]\n}',
    );
  });
});
