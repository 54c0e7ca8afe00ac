import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MANUAL = join(ROOT, "data", "manual");

/** The pages under test by their paths from the root. */
export const PAGES = new Map(
  ["README.md", ...readdirSync(MANUAL).map((name) => join("data", "manual", name))].map((path) => [path, read(path)]),
);
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function page(path: string): string {
  const text = PAGES.get(path);
  if (text === undefined) throw new Error(`There is no ${path}.`);
  return text;
}

export interface Fence {
  readonly path: string;
  readonly info: string;
  readonly body: string;
}

/** The fenced code of a page. */
export function fences(path: string): readonly Fence[] {
  return [...page(path).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, info = "", body = ""]) => ({
    path,
    info,
    body,
  }));
}
export const FENCES = [...PAGES.keys()].flatMap(fences);

/** What stands under a heading, up to the next one of the same level. */
export function section(text: string, heading: string): string {
  const start = text.split("\n").indexOf(heading);
  if (start === -1) throw new Error(`There is no heading "${heading}".`);
  const level = heading.slice(0, heading.indexOf(" ") + 1);
  const lines = text.split("\n").slice(start + 1);
  const end = lines.findIndex((line) => line.startsWith(level));
  return lines.slice(0, end === -1 ? undefined : end).join("\n");
}

/** The cells of the table rows of a text, without the heads of the first table, and without back quotes unless they are kept. */
export function rows(text: string, quotes: "`" | "" = ""): readonly (readonly string[])[] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.replaceAll("`", quotes).trim()),
  );
}

/** Anchors of the headings of a page, as GitHub and the manual's own site make them. */
export function anchorsOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The arguments of each call of carrel in a code sample. */
export function commandLines(body: string, isShell: boolean): readonly (readonly string[])[] {
  const call = isShell
    ? /(?:^|\s)(?:carrel|dist\/cli\/main\.js|npm run (?:demo|serve|crawl) --)(?= )(.*)$/
    : /dist\/cli\/main\.js"?,?(?= )(.*)$/;
  return body.split("\n").flatMap((line) => {
    if (/^\s*(?:#|alias |cp |tar |claude mcp add --transport)/.test(line)) return [];
    const rest = call.exec(line.replace("claude mcp add carrel", "").replace("/opt/carrel/", " "))?.[1];
    if (rest === undefined) return [];
    const script = /npm run (\w+) --/.exec(line)?.[1];
    const words = rest.replace(/\s(?:[#;|]|>>?|2>).*$/, "").match(/"[^"]*"|[^\s",\][}]+/g) ?? [];
    const args = words.map((word) => word.replaceAll('"', ""));
    return [script === undefined ? args : [script === "crawl" ? "refresh" : script, ...args]];
  });
}
