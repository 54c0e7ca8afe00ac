/** URLs to leave out, and why; the reason is a comment of the pipeline. */
export interface Exclusion {
  readonly pattern: string;
  readonly why: string;
}

/**
 * What generators write besides documentation, by preset. Index pages, pages for searching and prints of the whole are kept
 * out by themselves. A pattern here must match nothing that an author may have written: `search.html` may be a chapter.
 */
const EXCLUSIONS: Readonly<Record<string, readonly Exclusion[]>> = {
  sphinx: [
    { pattern: "**/_modules/**", why: "The program's source in colours" },
    { pattern: "**/_sources/**", why: "The source of the pages" },
    { pattern: "**/_static/**", why: "Files of the theme" },
  ],
  docusaurus: [{ pattern: "/\\/tags(?:\\/|$)/", why: "Lists of pages by their tags" }],
  javadoc: [
    { pattern: "**/class-use/**", why: "Who uses a class: most of the pages, and they explain nothing" },
    { pattern: "**/index-files/**", why: "Lists of all names" },
    { pattern: "**/src-html/**", why: "The program's source in colours" },
  ],
  rustdoc: [{ pattern: "**/src/**", why: "The program's source in colours" }],
  devsite: [
    { pattern: "/^https:\\/\\/[^\\/]+\\/intl\\//", why: "Other languages by their path" },
    { pattern: "/\\/printable(?:[\\/?]|$)/", why: "Print twins" },
    { pattern: "**/s/results**", why: "Searching" },
  ],
  mediawiki: [
    { pattern: "/[?&](?:action|oldid|diff|printable)=/", why: "Editing, and old revisions" },
    { pattern: "/\\/(?:Special|Talk|User|User_talk|File|Template|Category_talk):/", why: "Pages about pages" },
  ],
};

export function exclusionsOf(generator: string): readonly Exclusion[] {
  return EXCLUSIONS[generator] ?? [];
}

/** How generators are called, where their preset does not say it. */
const NAMES: Readonly<Record<string, string>> = {
  material: "Material for MkDocs",
  devsite: "DevSite",
  docbook: "DocBook",
  "gi-docgen": "gi-docgen",
  gitbook: "GitBook",
  mdbook: "mdBook",
  mediawiki: "MediaWiki",
  qdoc: "QDoc",
  rustdoc: "rustdoc",
  typedoc: "TypeDoc",
  vitepress: "VitePress",
  edoc: "EDoc or ExDoc",
  httpd: "that of the Apache documentation",
  go: "that of go.dev",
  nodejs: "that of the Node.js documentation",
  sqlite: "that of the SQLite documentation",
  generic: "none that is known",
};

/** What people call a generator. */
export function generatorName(generator: string): string {
  return NAMES[generator] ?? generator.replace(/^./, (first) => first.toUpperCase());
}
