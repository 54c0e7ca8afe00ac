import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { ReadResourceResult, ResourceTemplateType } from "@modelcontextprotocol/server";
import { CarrelError } from "../domain/errors.ts";
import type { Logger } from "../domain/ports.ts";
import type { Queries } from "../flow/queries.ts";
import { callerError } from "./errors.ts";

const SCHEME = "carrel://";

/** Documents are not listed, there are thousands: whoever knows the name of one reads it by this. */
export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: `${SCHEME}{+name}`,
    name: "document",
    title: "Documentation page",
    description:
      "A whole page as Markdown, by its document name: carrel://documents/docs.example.com/guide. A #fragment gives one section.",
    mimeType: "text/markdown",
  },
];

/**
 * Reads the document that a `carrel://` URI names, all of it: a resource goes where its reader puts it.
 * @throws ProtocolError when there is none.
 */
export async function readResource(queries: Queries, uri: string, logger: Logger): Promise<ReadResourceResult> {
  if (!uri.startsWith(SCHEME)) throw new ResourceNotFoundError(uri);
  try {
    const name = uri.slice(SCHEME.length);
    const { documents, failures } = await queries.getDocuments({ names: [name], maxChars: Number.POSITIVE_INFINITY });
    const [document] = documents;
    if (document === undefined) throw failures[0]?.error ?? new ResourceNotFoundError(uri);
    const text = document.section === undefined ? `# ${document.title}\n\n${document.content}` : document.content;
    return { contents: [{ uri, mimeType: "text/markdown", text }] };
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    if (thrown instanceof CarrelError && thrown.code === "not-found")
      throw new ResourceNotFoundError(uri, thrown.message);
    const { status, message } = callerError(thrown, logger);
    throw new ProtocolError(
      status === 400 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      message,
    );
  }
}
