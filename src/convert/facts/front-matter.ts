import { parse as parseYaml } from "yaml";
import { PAGE_KINDS, type PageKind } from "../../domain/document.ts";
import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";
import { isoDate } from "./dates.ts";

/** What the front matter of a Markdown page says; "" and undefined where it does not. */
export interface FrontMatter {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  readonly breadcrumbs: readonly string[];
  readonly product: string;
  readonly version: string;
  /** ISO 8601. */
  readonly lastModified: string;
  readonly canonical: string;
  readonly pageKind: PageKind | undefined;
}

const NO_FRONT_MATTER: FrontMatter = {
  title: "",
  description: "",
  language: "",
  breadcrumbs: [],
  product: "",
  version: "",
  lastModified: "",
  canonical: "",
  pageKind: undefined,
};

/** Words for kinds of pages, besides our own. Source: the templates of Hugo's Docsy, Diátaxis, and Microsoft's `ms.topic`. */
const KINDS: Readonly<Record<string, PageKind>> = {
  task: "guide",
  concept: "guide",
  conceptual: "guide",
  explanation: "guide",
  "how-to": "guide",
  howto: "guide",
  overview: "guide",
  quickstart: "tutorial",
  codelab: "tutorial",
  "tool-reference": "reference",
  api: "reference",
  post: "blog",
  "release notes": "release-notes",
};

/** Takes the front matter off a Markdown page whose lines end in a newline. Front matter that is no YAML is no text either. */
export function takeFrontMatter(text: string): { readonly front: FrontMatter; readonly body: string } {
  if (!text.startsWith("---\n")) return { front: NO_FRONT_MATTER, body: text };
  const end = text.indexOf("\n---\n", 3);
  if (end === -1) return { front: NO_FRONT_MATTER, body: text };
  const body = text.slice(end + 5);
  try {
    return { front: read(fieldsOf(parseYaml(text.slice(4, end)))), body };
  } catch {
    return { front: NO_FRONT_MATTER, body };
  }
}

function read(fields: Fields): FrontMatter {
  const field = (...names: readonly string[]): string =>
    names.map((name) => textIn(fields[name]).trim()).find((text) => text !== "") ?? "";
  const kind = field("page_kind", "content_type", "page_type", "doc_type", "ms.topic", "type").toLowerCase();
  const listed = listOf(fields["breadcrumbs"]).map(textIn);
  const above = listed.length > 0 ? listed : [field("grand_parent"), field("parent")];
  return {
    title: field("title"),
    description: field("description", "summary"),
    language: field("lang", "language"),
    breadcrumbs: above.filter((title) => title !== ""),
    product: field("product"),
    version: field("version"),
    lastModified: isoDate(
      // Docusaurus has it in an object.
      textIn(fieldsOf(fields["last_update"])["date"]) ||
        field(
          "lastUpdated",
          "last_updated",
          "lastmod",
          "last_modified_at",
          "last_modified",
          "dateModified",
          "updated",
          "ms.date",
        ),
    ),
    canonical: field("canonical_url", "canonical"),
    pageKind: PAGE_KINDS.find((one) => one === kind) ?? KINDS[kind],
  };
}
