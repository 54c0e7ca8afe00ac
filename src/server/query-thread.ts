import type { MessagePort } from "node:worker_threads";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { DocumentsAnswer, Queries } from "../flow/queries.ts";

/** What is asked in a thread of its own: all that reads more than a row. */
export type ThreadMethod = "searchDocuments" | "answerQuery" | "getDocuments";

/** A question for a thread; `sources` are those that its reader may see, undefined for all. */
export interface ThreadCall {
  readonly id: number;
  readonly method: ThreadMethod;
  readonly sources: readonly string[] | undefined;
  readonly request: unknown;
}

/** An error as it can be sent: of its class, code and message alone would arrive the message. */
export interface SentError {
  readonly code: ErrorCode | undefined;
  readonly message: string;
}

/** What a thread says: its answer to a call, or something for the log. */
export type ThreadReply =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: SentError }
  | { readonly kind: "warning"; readonly message: string };

/** Answers what comes through a port. @param queriesOf the queries of a reader; undefined sources are all. */
export function answerThrough(
  port: Pick<MessagePort, "on" | "postMessage">,
  queriesOf: (sources: readonly string[] | undefined) => Queries,
): void {
  const readers = new Map<string, Queries>();
  const readerOf = (sources: readonly string[] | undefined): Queries => {
    const name = JSON.stringify(sources ?? null);
    const queries = readers.get(name) ?? queriesOf(sources);
    readers.set(name, queries);
    return queries;
  };
  const answer = async ({ method, sources, request }: ThreadCall): Promise<unknown> => {
    const queries = readerOf(sources);
    if (method === "getDocuments") return sentDocuments(await queries.getDocuments(request as never));
    return method === "searchDocuments"
      ? queries.searchDocuments(request as never)
      : queries.answerQuery(request as never);
  };
  port.on("message", (call: ThreadCall) => {
    answer(call).then(
      (value) => port.postMessage({ kind: "answer", id: call.id, value } satisfies ThreadReply),
      (thrown: unknown) => {
        port.postMessage({ kind: "error", id: call.id, error: sentError(thrown) } satisfies ThreadReply);
      },
    );
  });
}

function sentError(thrown: unknown): SentError {
  return { code: thrown instanceof CarrelError ? thrown.code : undefined, message: reasonOf(thrown) };
}

/** Failures hold errors, which are sent as what they say. */
function sentDocuments({ documents, failures }: DocumentsAnswer): object {
  return { documents, failures: failures.map((failure) => ({ ...failure, error: sentError(failure.error) })) };
}

/** What was sent, as it was thrown. */
export function receivedError({ code, message }: SentError): Error {
  return code === undefined ? new Error(message) : new CarrelError(code, message);
}

/** What `sentDocuments` made, as it was. */
export function receivedDocuments(value: unknown): DocumentsAnswer {
  const { documents, failures } = value as Omit<DocumentsAnswer, "failures"> & {
    readonly failures: readonly (Omit<DocumentsAnswer["failures"][number], "error"> & { readonly error: SentError })[];
  };
  const received = failures.map((failure) => {
    const { code, message } = failure.error;
    return { ...failure, error: new CarrelError(code ?? "internal", message) };
  });
  return { documents, failures: received };
}
