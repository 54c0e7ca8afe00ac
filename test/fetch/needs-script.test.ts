import { expect, test } from "vitest";
import { holdsText, needsScript } from "../../src/fetch/needs-script.ts";

const TEXT =
  "A page of documentation says a good deal about the thing that it documents, and goes on for a while. ".repeat(4);
const SCRIPT = '<script src="/app.js"></script>';

test.each([
  ["an empty root", `<div id="root"></div>${SCRIPT}`, true],
  [
    "an empty root beside a menu and a footer",
    `<nav>${TEXT}</nav><div id="__next"><div></div></div><footer>${TEXT}</footer>${SCRIPT}`,
    true,
  ],
  ["an element of an application", `<app-root></app-root>${SCRIPT}`, true],
  [
    "a note that scripts are needed, and a note on cookies",
    `<noscript>Please enable JavaScript.</noscript><p>${TEXT}</p>${SCRIPT}`,
    true,
  ],
  ["next to no text", `<h1>Loading</h1>${SCRIPT}`, true],
  ["text, and a script", `<main>${TEXT}</main>${SCRIPT}`, false],
  ["text in its root", `<div id="root"><main>${TEXT}</main></div>${SCRIPT}`, false],
  [
    "much text, and an empty root of some widget",
    `<main>${TEXT}${TEXT}${TEXT}</main><div id="app"></div>${SCRIPT}`,
    false,
  ],
  ["little text, and no script", "<h1>Moved</h1>", false],
  ["little text, and data that is no script", '<h1>Stub</h1><script type="application/ld+json">{}</script>', false],
  ["end tags that are missing, and some too many", `</div><p><main>${TEXT}<ul><li>x<li>y</nav></main>${SCRIPT}`, false],
])("a page with %s needs its scripts: %#", (_, html, expected) => {
  expect(needsScript(html)).toBe(expected);
});

test("a page that only says that it is loading is not built yet", () => {
  expect(holdsText("<main>Loading the manual, one moment</main>")).toBe(false);
  expect(holdsText("<main></main>")).toBe(false);
  expect(holdsText("<main>No such page in this manual.</main>")).toBe(true);
  expect(holdsText(`<main>Loading modules. ${TEXT}</main>`)).toBe(true);
});
