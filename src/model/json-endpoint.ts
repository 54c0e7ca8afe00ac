import { readFileSync } from "node:fs";
import { CarrelError, reasonOf } from "../domain/errors.ts";

/** Where a model is served on one's own network. */
export interface ModelServer {
  /** URL of the server; `/v1` and the whole path do as well. */
  readonly endpoint: string;
  readonly model: string;
  /** File that holds the server's key, read anew for each request; "" for a server without keys. */
  readonly keyFile: string;
}

/** That a server gave nothing of use; `status` is what it answered with, 0 when it did not answer. */
export class EndpointError extends CarrelError {
  readonly status: number;

  constructor(url: string, reason: string, status = 0, cause?: unknown) {
    super("unavailable", `The endpoint ${url} gave nothing of use: ${reason}.`, { cause });
    this.status = status;
  }
}

/**
 * Posts JSON and reads JSON.
 * @param maxBytes a longer reply is not read.
 * @throws EndpointError in any other case, also when it takes longer than `timeoutMs`; CarrelError `stopped` when `signal` aborts.
 */
export async function postJson(
  url: string,
  keyFile: string,
  body: unknown,
  limits: { readonly timeoutMs: number; readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<unknown> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const key = keyFile === "" ? "" : readFileSync(keyFile, "utf8").trim();
    const response = await fetch(url, {
      method: "POST",
      // An endpoint that sends texts on to another address is not the one that was set.
      redirect: "error",
      signal: limits.signal === undefined ? timeout : AbortSignal.any([timeout, limits.signal]),
      headers: { "content-type": "application/json", ...(key !== "" && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new EndpointError(url, `it answered with status ${response.status}`, response.status);
    }
    return parsed(url, await textOf(url, response, limits.maxBytes));
  } catch (thrown) {
    if (limits.signal?.aborted === true) throw new CarrelError("stopped", `Stopped while asking ${url}.`);
    if (thrown instanceof EndpointError) throw thrown;
    const reason = timeout.aborted ? `it took longer than ${limits.timeoutMs} ms` : reasonOf(thrown);
    throw new EndpointError(url, reason, 0, thrown);
  }
}

/** The address of an operation below the address of a server. */
export function operationUrl(endpoint: string, operation: "embeddings" | "rerank"): string {
  const bare = endpoint.replace(/\/$/, "");
  if (bare.endsWith(`/${operation}`)) return bare;
  return bare.endsWith("/v1") ? `${bare}/${operation}` : `${bare}/v1/${operation}`;
}

async function textOf(url: string, response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new EndpointError(url, `its reply has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EndpointError(url, "its reply is not JSON");
  }
}
