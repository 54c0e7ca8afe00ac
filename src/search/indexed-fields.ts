import type { DocumentWrite } from "./document-table.ts";
import { headsOf } from "./heads.ts";
import type { OramaChunk } from "./orama.ts";

/** The chunks of a document, with the texts of the fields that they are found by. */
export function chunksOf(change: DocumentWrite): OramaChunk[] {
  return change.chunks.map((chunk) => ({
    id: String(chunk.rowId),
    document: change.documentId,
    body: chunk.content,
    headings: [...chunk.headings, ...headsOf(chunk.content)].join("\n"),
    title: change.title,
    path: pathText(change),
  }));
}

/** The words of an address that say where a page belongs: source, host and path without its ending. */
function pathText({ uri, source }: DocumentWrite): string {
  const parsed = URL.canParse(uri) ? new URL(uri) : undefined;
  const path = parsed === undefined ? uri : decode(parsed.pathname).replace(/\.(?:html?|md|php|aspx?)$/i, "");
  return [source, ...(parsed?.hostname.split(".") ?? []), ...path.split("/")].join(" ");
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
