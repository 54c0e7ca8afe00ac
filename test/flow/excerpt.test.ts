import { expect, test } from "vitest";
import { excerpt, jsonLength } from "../../src/flow/excerpt.ts";

const GUIDE = [
  "First paragraph of the guide.",
  "",
  "Second paragraph, a little longer than the first one.",
  "",
  "```sh",
  "carrel refresh",
  "",
  "# a comment, and no heading",
  "carrel serve",
  "```",
  "",
  "Last paragraph.",
  "",
].join("\n");

test("a text that fits is given whole", () => {
  expect(excerpt(GUIDE, 0, jsonLength(GUIDE))).toEqual({ text: GUIDE, start: 0, end: GUIDE.length });
  expect(excerpt(GUIDE, 0, Infinity).text).toBe(GUIDE);
});

test("a cut is made at a block end, and not at a blank line within a fence", () => {
  const beforeFence = GUIDE.indexOf("```sh");
  for (const inFence of ["refresh", "# a comment", "serve"]) {
    const room = jsonLength(GUIDE.slice(0, GUIDE.indexOf(inFence) + inFence.length));
    expect(excerpt(GUIDE, 0, room)).toEqual({ text: GUIDE.slice(0, beforeFence), start: 0, end: beforeFence });
  }
});

test("a heading begins a block also without a blank line before it", () => {
  const text = "Some words about one thing.\n## Another\nMore words about the other thing.\n";
  expect(excerpt(text, 0, 60).text).toBe("Some words about one thing.\n");
});

test("a code block that is longer than the room is closed at a line end, and opened again where reading goes on", () => {
  const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  const code = ["Code:", "", "  ````python", ...lines.map((line) => `  ${line}`), "  ````", "", "Done."].join("\n");
  const first = excerpt(code, 0, 120);
  expect(first.text).toMatch(/line 7\n {2}````\n$/);
  const second = excerpt(code, first.end, 120);
  expect(second.text).toMatch(/^ {2}````python\n {2}line 8\n/);
  expect(second.text).toMatch(/\n {2}````\n$/);
});

test("a backtick run within a longer fence does not close it, nor does inline code open one", () => {
  const text = "````md\n```\ninner\n```\n````\n\nAfter ```not a fence``` here.\n\nEnd of it all.\n";
  const cut = text.indexOf("End of");
  expect(excerpt(text, 0, jsonLength(text) - 1)).toEqual({ text: text.slice(0, cut), start: 0, end: cut });
});

test("a line that is longer than the room is cut between words, and never within a character", () => {
  const words = excerpt("word ".repeat(100), 0, 52);
  expect(words.text).toBe("word ".repeat(10));
  const faces = "😀".repeat(40);
  const first = excerpt(faces, 0, 25);
  expect(first.text).toBe("😀".repeat(12));
  expect(excerpt(faces, 3, 25).start).toBe(2);
});

test("the pieces hold the whole text, each within the room, and no piece leaves a fence open", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const text = randomMarkdown(seed);
    const room = 150 + ((seed * 37) % 900);
    let read = "";
    for (let start = 0; start < text.length;) {
      const piece = excerpt(text, start, room);
      expect(piece.start).toBe(start);
      expect(piece.end).toBeGreaterThan(start);
      expect(jsonLength(piece.text)).toBeLessThanOrEqual(room);
      expect(openFences(piece.text)).toBe(0);
      expect(piece.text).toContain(text.slice(start, piece.end));
      read += text.slice(start, piece.end);
      start = piece.end;
    }
    expect(read).toBe(text);
  }
});

/** Paragraphs, headings, lists and code blocks in an order that the seed decides. */
function randomMarkdown(seed: number): string {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const words = (count: number) => Array.from({ length: count }, () => "abcdefghij".slice(0, 1 + next(9))).join(" ");
  const blocks = Array.from({ length: 12 }, () => {
    switch (next(5)) {
      case 0:
        return `## ${words(3)}`;
      case 1:
        return [
          "```js",
          ...Array.from({ length: next(40) }, () => (next(4) === 0 ? "" : `say("${words(4)}")`)),
          "```",
        ].join("\n");
      case 2:
        return Array.from({ length: 1 + next(10) }, () => `- ${words(6)}`).join("\n");
      case 3:
        return `1. ${words(4)}\n\n   ~~~\n   ${words(8)}\n   ~~~`;
      default:
        return words(1 + next(80));
    }
  });
  return `${blocks.join("\n\n")}\n`;
}

function openFences(text: string): number {
  return (text.match(/^ *(?:```|~~~)/gm) ?? []).length % 2;
}
