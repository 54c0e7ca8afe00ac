import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CarrelError } from "../domain/errors.ts";

/** One Markdown file of a manual. */
export interface ManualPage {
  /** The file's name without its ending. */
  readonly id: string;
  /** Its place among the pages; pages without one come last, by their names. */
  readonly order: number;
  /** Its first heading. */
  readonly title: string;
  /** One line for search engines and link previews; "" when it has none. */
  readonly description: string;
  /** Without the front matter. */
  readonly markdown: string;
  readonly changed: Date;
}

/** The page that is the site's start. */
export const START_PAGE = "index";

/**
 * Reads the Markdown files of a folder, in the order of the site's navigation.
 * @throws CarrelError `not-found` when there is no such folder, or no page in it.
 */
export function readManual(dir: string): readonly ManualPage[] {
  const pages = filesOf(dir)
    .filter((file) => file.endsWith(".md"))
    .map((file) => readPage(join(dir, file), file.slice(0, -".md".length)));
  if (pages.length === 0)
    throw new CarrelError("not-found", `There are no Markdown files in ${dir} to make a manual of.`);
  return pages.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

function filesOf(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    throw new CarrelError("not-found", `The manual's folder ${dir} cannot be read; install Carrel again.`, {
      cause: error,
    });
  }
}

function readPage(file: string, id: string): ManualPage {
  const { fields, markdown } = splitFrontMatter(readFileSync(file, "utf8"));
  const order = Number(fields.get("order"));
  return {
    id,
    order: fields.has("order") && Number.isFinite(order) ? order : Infinity,
    title: /^#[ \t]+(\S.*)$/m.exec(markdown)?.[1]?.replaceAll("`", "").trim() ?? id,
    description: fields.get("description") ?? "",
    markdown,
    changed: statSync(file).mtime,
  };
}

/** Front matter is `key: value` lines between two lines of dashes at the start of a file. */
function splitFrontMatter(text: string): { readonly fields: ReadonlyMap<string, string>; readonly markdown: string } {
  const normal = text.replaceAll("\r\n", "\n");
  const end = normal.startsWith("---\n") ? normal.indexOf("\n---\n") : -1;
  if (end === -1) return { fields: new Map(), markdown: normal };
  const lines = normal.slice("---\n".length, end).split("\n");
  const fields = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(":");
    return colon === -1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  return { fields: new Map(fields), markdown: normal.slice(end + "\n---\n".length) };
}
