import { describe, expect, it } from "vitest";
import { parseFilter } from "../../src/domain/filter.ts";
import type { Filter } from "../../src/domain/filter.ts";

const A = 'data_source = "a.example"';
const B = 'data_source = "b.example"';
const C = 'data_source = "c.example"';

/** A filter as a fully parenthesised text. */
function shape(filter: Filter | undefined): string {
  if (filter === undefined) return "";
  switch (filter.kind) {
    case "and":
    case "or":
      return `(${filter.parts.map(shape).join(` ${filter.kind} `)})`;
    case "not":
      return `not ${shape(filter.part)}`;
    case "text":
      return filter.field === "data_source"
        ? (filter.value[0] ?? "")
        : `${filter.field}${filter.operator}${filter.value}`;
    case "time":
    case "number":
      return `${filter.field}${filter.operator}${filter.value}`;
  }
}

describe("parseFilter", () => {
  it.each([
    [A, "a"],
    [`${A} AND ${B} OR ${C}`, "(a and (b or c))"],
    [`${A} OR ${B} AND ${C}`, "((a or b) and c)"],
    [`(${A} AND ${B}) OR ${C}`, "((a and b) or c)"],
    [`NOT ${A} AND -${B}`, "(not a and not b)"],
    [`-(${A} OR ${B})`, "not (a or b)"],
    [`NOT NOT ${A}`, "not not a"],
    [`((${A}))`, "a"],
    [`${A} AND ${B} AND ${C}`, "(a and b and c)"],
  ])("reads %s, OR before AND", (text, expected) => {
    expect(shape(parseFilter(text))).toBe(expected);
  });

  it.each([
    ["content_length_bytes>=100", "content_length_bytes>=100"],
    ["content_length_bytes != -5", "content_length_bytes!=-5"],
    ["uri='https://x.example/a'", "uri=https://x.example/a"],
    [String.raw`uri != "a\"b\\c"`, String.raw`uri!=a"b\c`],
    ['update_time < "2026-01-02T03:04:05Z"', "update_time<2026-01-02T03:04:05.000"],
    ['update_time = "2026-01-02t03:04:05.25+02:00"', "update_time=2026-01-02T01:04:05.250"],
    ['update_time > "2026-01-02T03:04:05.123456000Z"', "update_time>2026-01-02T03:04:05.123456"],
    ["", ""],
    ["  \n ", ""],
  ])("reads %s", (text, expected) => {
    expect(shape(parseFilter(text))).toBe(expected);
  });

  it.each([
    ['title = "x"', 1, /"title": a field is expected: data_source, uri, update_time, content_length_bytes/],
    ['__proto__ = "x"', 1, /a field is expected/],
    ["toString = 1", 1, /a field is expected/],
    ['data_source : "x"', 13, /":": it has no meaning here/],
    ['data_source > "x"', 13, /after data_source one of = != is expected/],
    ['update_time != "2026-01-01T00:00:00Z"', 13, /after update_time one of = < <= > >=/],
    ["data_source = x", 15, /a text in quotation marks: data_source = "x"/],
    [
      "NOT (data_source = docs.x.example)",
      20,
      /"docs\.x\.example": data_source .* marks: data_source = "docs\.x\.example"\./,
    ],
    ["uri = https://x.example/a?b=1 AND data_source = x", 7, /marks: uri = "https:\/\/x\.example\/a\?b=1"\./],
    ["update_time > 2026-01-01", 15, /marks: update_time > "2026-01-01T00:00:00Z"/],
    ["data_source =", undefined, /At its end: data_source is compared to a text in quotation marks\./],
    ['dataSource = "x"', 1, /Did you mean "data_source"/],
    [`${A} && ${B}`, 27, /written as words/],
    [`not ${A}`, 1, /NOT is written in capitals/],
    ['data_source = "x', 15, /quotation mark is not closed/],
    ['content_length_bytes = "5"', 24, /a whole number, unquoted: content_length_bytes = 5\./],
    ["content_length_bytes > 1.5", 24, /a whole number, unquoted/],
    ["content_length_bytes > 99999999999999999999", 24, /a whole number/],
    ['update_time > "yesterday"', 15, /RFC 3339/],
    ['update_time > "2026-02-30T00:00:00Z"', 15, /RFC 3339/],
    ['update_time > "2026-01-01"', 15, /RFC 3339 is expected, such as 2026-01-01T00:00:00Z/],
    [`${A} ${B}`, 27, /AND or OR is missing before it/],
    [`${A} and ${B}`, 27, /"and": AND is written in capitals/],
    [`(${A}`, undefined, /At its end: the parenthesis at 1 is not closed/],
    [`${A})`, 26, /no parenthesis is open/],
    [`${A} AND`, undefined, /At its end: a field is expected/],
    ["NOT", undefined, /At its end/],
    ["AND", 1, /a field is expected/],
    ["🙂", 1, /"🙂": it has no meaning/],
  ])("refuses %s and names the place", (text, at, message) => {
    let said = "";
    try {
      parseFilter(text);
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid" });
      said = String(error);
    }
    expect(said).toMatch(message);
    if (at !== undefined) expect(said).toContain(`At character ${at},`);
  });

  it("refuses more than 500 characters, and is fast with what nests deepest", () => {
    expect(() => parseFilter(`${A} AND ${"x".repeat(500)}`)).toThrow(/at most 500/);
    expect(() => parseFilter("(".repeat(500))).toThrow(/At its end/);
    expect(() => parseFilter("-".repeat(500))).toThrow(/At its end/);
  });
});
