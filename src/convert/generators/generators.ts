import type { Generator } from "./generator.ts";
import { LANGUAGE_GENERATORS } from "./language-generators.ts";
import { REFERENCE_GENERATORS } from "./reference-generators.ts";
import { SITE_GENERATORS } from "./site-generators.ts";

/** The order matters: what is telling before what is general. */
export const GENERATORS: readonly Generator[] = [...SITE_GENERATORS, ...LANGUAGE_GENERATORS, ...REFERENCE_GENERATORS];

/** Where the main content of any other page may be; each is taken only when it is the only one of its kind. */
export const GENERIC: Generator = {
  id: "generic",
  detect: {},
  content: ["main article", "article", "main", "[role=main]", "#main-content", "#content", "body"],
  drop: [
    ".breadcrumb",
    ".breadcrumbs",
    ".sidebar",
    ".pagination",
    ".cookie-banner",
    ".cookie-consent",
    "#cookie-banner",
    "#cookie-consent",
    ".edit-page",
    ".edit-link",
    ".edit-this-page",
    ".feedback",
    ".page-feedback",
    ".share-buttons",
    ".social-share",
    "#footer",
    "#header nav",
  ],
  contents: [".toc", ".table-of-contents", "#toc", "#TOC"],
};

/** Dropped from pages of all generators: what sites add of their own. */
export const DROPPED_EVERYWHERE: readonly string[] = [
  ".cookie-banner",
  ".cookie-consent",
  "#onetrust-consent-sdk",
  "#cookie-banner",
  ".copy-button",
  ".copybtn",
  ".copy-btn",
  ".btn-copy",
  ".clipboard-copy",
  "clipboard-copy",
  ".toolbar-item",
  ".zeroclipboard-container",
  ".edit-this-page",
  ".theme-edit-this-page",
  ".headerlink",
  ".was-this-helpful",
  ".page-helpful",
  ".skip-link",
  "a.skip-nav",
  ".edit-on-github",
  ".back-to-top",
  "#back-to-top",
  "#CybotCookiebotDialog",
  "#__comments",
  ".material-symbols",
  ".material-icons",
  "[data-nosnippet]",
  ".carbonads",
  "#carbonads",
  ".toc-mobile",
  "devsite-feedback",
  "devsite-thumb-rating",
  "devsite-actions",
  "devsite-bookmark",
  "devsite-feature-tooltip",
];
