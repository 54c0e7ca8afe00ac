import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { AnswerPassage, AnswerWriter } from "../domain/ports.ts";
import { answerIn, messagesFor } from "./prompt.ts";

export interface ChatEndpointOptions {
  /** URL of an OpenAI-compatible server, such as `http://127.0.0.1:11434`; `/v1` and the whole path do as well. */
  readonly endpoint: string;
  readonly model: string;
  /** File that holds the server's key, read anew for each question; "" for a server without keys. */
  readonly keyFile: string;
  /** Longest time of an answer. Default 20 seconds, less than a tool call may take. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_ANSWER_TOKENS = 1_000;
/** A reply with such an answer is nowhere near as long. */
const MAX_REPLY_BYTES = 256 * 1024;

/** A writer of answers behind `/v1/chat/completions`: Ollama, llama.cpp, vLLM. */
export function createChatEndpoint(options: ChatEndpointOptions): AnswerWriter {
  const url = completionsUrl(options.endpoint);
  return {
    async write(question, passages) {
      try {
        return answerIn(await complete(url, options, question, passages));
      } catch (thrown) {
        if (thrown instanceof CarrelError) throw thrown;
        const reason =
          thrown instanceof DOMException && thrown.name === "TimeoutError"
            ? `it took longer than ${(options.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000} seconds`
            : reasonOf(thrown);
        throw unavailable(url, reason, thrown);
      }
    },
  };
}

async function complete(
  url: string,
  { model, keyFile, timeoutMs = DEFAULT_TIMEOUT_MS }: ChatEndpointOptions,
  question: string,
  passages: readonly AnswerPassage[],
): Promise<string> {
  const key = keyFile === "" ? "" : readFileSync(keyFile, "utf8").trim();
  const response = await fetch(url, {
    method: "POST",
    // An endpoint that sends the question on to another address is not the one that was set.
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
    headers: { "content-type": "application/json", ...(key !== "" && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model,
      messages: messagesFor(question, passages, randomBytes(8).toString("hex")),
      temperature: 0,
      max_tokens: MAX_ANSWER_TOKENS,
      stream: false,
    }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw unavailable(url, `it answered with status ${response.status}`);
  }
  return contentOf(url, await textOf(url, response));
}

async function textOf(url: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) throw unavailable(url, `its reply has more than ${MAX_REPLY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What of a reply is read. Source: the OpenAI API, "Create chat completion". */
interface ChatReply {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown }; readonly finish_reason?: unknown }[];
}

function contentOf(url: string, text: string): string {
  let reply: ChatReply | null;
  try {
    reply = JSON.parse(text) as ChatReply | null;
  } catch {
    throw unavailable(url, "its reply is not JSON");
  }
  const choice = reply?.choices?.[0];
  if (typeof choice?.message?.content !== "string") throw unavailable(url, "its reply has no message");
  if (choice.finish_reason === "length") throw unavailable(url, "its answer was cut off");
  return choice.message.content;
}

/** The address of the chat completions below the address of a server. */
function completionsUrl(endpoint: string): string {
  const bare = endpoint.replace(/\/$/, "");
  if (bare.endsWith("/chat/completions")) return bare;
  return bare.endsWith("/v1") ? `${bare}/chat/completions` : `${bare}/v1/chat/completions`;
}

function unavailable(url: string, reason: string, cause?: unknown): CarrelError {
  return new CarrelError("unavailable", `The endpoint ${url} gave no answer: ${reason}.`, { cause });
}
