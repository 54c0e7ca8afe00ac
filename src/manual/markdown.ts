import markdownIt from "markdown-it";
import type { MarkdownIt, RendererRule } from "markdown-it";
import { START_PAGE } from "./page.ts";

/**
 * Turns Markdown into HTML as documentation sites have it: code with its language as a class, ids and permalinks on
 * headings, tables that scroll, links to other Markdown files as links to their pages. HTML in the Markdown is shown as text.
 */
export function renderMarkdown(markdown: string): string {
  return RENDERER.render(markdown, { slugs: new Set<string>() });
}

const RENDERER = createRenderer();

function createRenderer(): MarkdownIt {
  const renderer = markdownIt({ html: false, linkify: false, typographer: false });

  const headingOpen: RendererRule = (tokens, at, options, env, self) => {
    const slug = freeSlug(slugOf(tokens[at + 1]?.content ?? ""), slugsOf(env));
    tokens[at]?.attrSet("id", slug);
    return self.renderToken(tokens, at, options);
  };
  const headingClose: RendererRule = (tokens, at, options, _env, self) => {
    const id = tokens[at - 2]?.attrGet("id") ?? "";
    const permalink =
      tokens[at]?.tag === "h1" ? "" : `<a class="headerlink" href="#${id}" title="Link to this heading">¶</a>`;
    return permalink + self.renderToken(tokens, at, options);
  };
  const linkOpen: RendererRule = (tokens, at, options, _env, self) => {
    const href = tokens[at]?.attrGet("href");
    if (typeof href === "string") tokens[at]?.attrSet("href", pageLink(href));
    return self.renderToken(tokens, at, options);
  };
  const tableOpen: RendererRule = (tokens, at, options, _env, self) =>
    `<div class="table-wrapper">${self.renderToken(tokens, at, options)}`;
  const tableClose: RendererRule = (tokens, at, options, _env, self) =>
    `${self.renderToken(tokens, at, options)}</div>`;

  Object.assign(renderer.renderer.rules, {
    heading_open: headingOpen,
    heading_close: headingClose,
    link_open: linkOpen,
    table_open: tableOpen,
    table_close: tableClose,
  });
  return renderer;
}

/** The address of a page, relative to the others. */
export function pageHref(id: string): string {
  return id === START_PAGE ? "./" : `${encodeURIComponent(id)}.html`;
}

/** `serving.md#with-curl` is `serving.html#with-curl` on the site; links elsewhere stay. */
function pageLink(href: string): string {
  const found = /^([^:/?#]+)\.md(#.*)?$/.exec(href);
  if (found === null) return href;
  const [, id = "", fragment = ""] = found;
  return pageHref(decodeURIComponent(id)) + fragment;
}

/** As GitHub makes ids of headings, so that links within the manual work there, too. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

function freeSlug(slug: string, taken: Set<string>): string {
  let free = slug;
  for (let n = 1; taken.has(free); n++) free = `${slug}-${n}`;
  taken.add(free);
  return free;
}

function slugsOf(env: unknown): Set<string> {
  const slugs: unknown = typeof env === "object" && env !== null && "slugs" in env ? env.slugs : undefined;
  return slugs instanceof Set ? slugs : new Set();
}
