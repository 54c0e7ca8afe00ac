import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildSite } from "../../src/manual/site.ts";

const SITE = buildSite(fileURLToPath(new URL("../../data/manual", import.meta.url)));
const PAGES = [...SITE].filter(([path]) => path !== "/style.css");

test("every link within the bundled manual leads to a page and a heading that are there", () => {
  const base = "http://manual.example";
  const broken = PAGES.flatMap(([path, { body }]) =>
    [...body.matchAll(/ href="([^"]*)"/g)].flatMap(([, href = ""]) => {
      const target = new URL(href.replaceAll("&amp;", "&"), base + path);
      if (target.origin !== base) return [];
      const file = SITE.get(target.pathname);
      const id = decodeURIComponent(target.hash.slice(1));
      const there = file !== undefined && (id === "" || file.body.includes(` id="${id}"`));
      return there ? [] : [`${path} -> ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every page of the bundled manual has one first heading, a title and a description", () => {
  expect(PAGES.length).toBeGreaterThan(5);
  for (const [path, { body }] of PAGES) {
    expect([path, body.match(/<h1/g)?.length]).toEqual([path, 1]);
    expect(body).toMatch(/<title>[^<]+<\/title>\n<meta name="description" content="[^"]+">/);
  }
});
