import type { Document } from "../domain/document.ts";

/** What a document is told to be, as agents are given it; what a page does not say is absent. `kind` is as in filters. */
export interface StatedFacts {
  readonly kind: Document["pageKind"];
  readonly breadcrumbs?: readonly string[];
  readonly product?: string;
  readonly version?: string;
  readonly language?: string;
  /** ISO 8601. */
  readonly lastModified?: string;
}

export function statedFacts({
  pageKind,
  breadcrumbs,
  product,
  version,
  language,
  lastModified,
}: Omit<Document, "content">): StatedFacts {
  return {
    kind: pageKind,
    ...(breadcrumbs.length > 0 && { breadcrumbs }),
    ...(product !== "" && { product }),
    ...(version !== "" && { version }),
    ...(language !== "" && { language }),
    ...(lastModified !== "" && { lastModified }),
  };
}
