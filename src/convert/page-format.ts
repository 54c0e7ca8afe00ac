/**
 * How the bytes of a page are read. `description` is data in which a notebook or an OpenAPI description may be, which only its
 * content tells.
 */
export type Format = "html" | "markdown" | "text" | "notebook" | "description" | "rst" | "asciidoc" | "pdf";

const BY_TYPE: Readonly<Record<string, Format>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/xml": "html",
  "text/xml": "html",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "text/mdx": "markdown",
  "text/x-rst": "rst",
  "text/prs.fallenstein.rst": "rst",
  "text/asciidoc": "asciidoc",
  "text/x-asciidoc": "asciidoc",
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/x-ipynb+json": "notebook",
  "application/json": "description",
  "text/json": "description",
  "application/yaml": "description",
  "application/x-yaml": "description",
  "text/yaml": "description",
  "text/x-yaml": "description",
  "application/vnd.oai.openapi": "description",
  "application/vnd.oai.openapi+json": "description",
  "application/vnd.oai.openapi+yaml": "description",
};

const BY_ENDING: readonly (readonly [ending: RegExp, format: Format])[] = [
  [/\.(?:md|mdx|markdown|mdown|md\.txt)$/i, "markdown"],
  [/\.ipynb$/i, "notebook"],
  [/\.(?:json|ya?ml)$/i, "description"],
  [/\.(?:rst|rst\.txt)$/i, "rst"],
  [/\.(?:adoc|asciidoc)$/i, "asciidoc"],
  [/\.pdf$/i, "pdf"],
  [/\.x?html?$/i, "html"],
  [/\.txt$/i, "text"],
];

/** Types that servers send for files that they do not know. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/**
 * How a page is read, by its Content-Type, and where that says little, by the ending of its URL.
 * @returns undefined when nothing reads it.
 */
export function formatOf(contentType: string, url: string): Format | undefined {
  const type = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  const { pathname } = new URL(url);
  const byEnding = BY_ENDING.find(([ending]) => ending.test(pathname))?.[1];
  if (UNKNOWN_TYPES.has(type)) return byEnding ?? (type === "" ? "html" : undefined);
  const byType = BY_TYPE[type];
  if (byType === "description" && byEnding === "notebook") return "notebook";
  if (byType !== undefined) return byType;
  if (!type.startsWith("text/")) return undefined;
  return byEnding === undefined || byEnding === "html" || byEnding === "pdf" ? "text" : byEnding;
}
