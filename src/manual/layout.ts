import type { ManualPage } from "./page.ts";
import { pageHref } from "./markdown.ts";

/** Where the style sheet is, relative to the pages. */
export const STYLE_SHEET = "style.css";

/** A whole page: head, navigation in the order of `pages`, the article, and the pages before and after it. */
export function pageHtml(page: ManualPage, article: string, pages: readonly ManualPage[], siteTitle: string): string {
  const at = pages.indexOf(page);
  const title = page.title === siteTitle ? siteTitle : `${page.title} — ${siteTitle}`;
  const description =
    page.description === "" ? "" : `\n<meta name="description" content="${escapeHtml(page.description)}">`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>${description}
<link rel="stylesheet" href="${STYLE_SHEET}">
</head>
<body>
<a class="skip-link" href="#content">Skip to the content</a>
<header class="site-header"><a href="./">${escapeHtml(siteTitle)}</a></header>
<div class="site">
<nav class="sidebar" aria-label="Pages">
<ul>
${pages.map((other) => `<li>${navLink(other, other === page)}</li>`).join("\n")}
</ul>
</nav>
<main id="content">
<article>
${article}</article>
<nav class="pager" aria-label="Page before and after">${pagerLink(pages[at - 1], "prev")}${pagerLink(pages[at + 1], "next")}</nav>
</main>
</div>
</body>
</html>
`;
}

function navLink(page: ManualPage, current: boolean): string {
  return `<a href="${pageHref(page.id)}"${current ? ' aria-current="page"' : ""}>${escapeHtml(page.title)}</a>`;
}

function pagerLink(page: ManualPage | undefined, rel: "prev" | "next"): string {
  if (page === undefined) return "";
  return `<a rel="${rel}" href="${pageHref(page.id)}"><span>${rel === "prev" ? "Before" : "Next"}</span> ${escapeHtml(page.title)}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
