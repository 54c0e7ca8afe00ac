import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Queries } from "../flow/queries.ts";
import type { KeyRing } from "./key-ring.ts";
import type { StoredKey } from "./keys.ts";
import { callerOfAddress } from "./limiter.ts";
import type { Limiter } from "./limiter.ts";
import { createMcpEndpoint } from "./mcp-endpoint.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import type { McpOptions } from "./mcp.ts";

export interface GateOptions extends McpOptions {
  /** The queries of one who may see these sources only. Without it, a key that is limited to sources sees nothing. */
  readonly queriesOf?: (sources: readonly string[]) => Queries;
}

/** Who asks, and what he may see. */
export interface Caller {
  /** Of the key; "" without one. */
  readonly label: string;
  /** Whether keys are wanted and none was shown: then nothing but the list of tools is answered. */
  readonly isAnonymous: boolean;
  /** Whether some sources are kept from the caller. */
  readonly isLimited: boolean;
  readonly queries: Queries;
  readonly endpoint: McpEndpoint;
}

/** What a request is refused with. */
export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly message: string;
  readonly headers: OutgoingHttpHeaders;
  /** What programs read. Source: google.rpc.ErrorInfo and google.rpc.RetryInfo. */
  readonly details: readonly object[];
}

export type Entry =
  { readonly kind: "in"; readonly caller: Caller } | { readonly kind: "out"; readonly refusal: Refusal };

/** Source of the form: RFC 6750, section 3. */
const CHALLENGE = 'Bearer realm="carrel"';

const NO_KEY: Refusal = {
  status: 401,
  message: "This server wants a key: send it as Authorization: Bearer KEY or X-Goog-Api-Key: KEY.",
  headers: { "www-authenticate": CHALLENGE },
  details: [errorInfo("CREDENTIALS_MISSING")],
};

/** Decides who is let in, from the keys that are shown and how often somebody asks. */
export class Gate {
  readonly #options: GateOptions;
  readonly #ring: KeyRing;
  readonly #limiter: Limiter | undefined;
  /** Endpoints by what they show: all, nothing, or a list of sources. */
  readonly #views = new Map<string, Pick<Caller, "queries" | "endpoint">>();

  constructor(options: GateOptions, ring: KeyRing, limiter: Limiter | undefined) {
    this.#options = options;
    this.#ring = ring;
    this.#limiter = limiter;
  }

  get areKeysWanted(): boolean {
    return this.#ring.areWanted;
  }

  /** @param query the query of the URL, where a key may be in it: REST only, for it ends in the logs of proxies. */
  enter(request: IncomingMessage, query = ""): Entry {
    const admission = this.#ring.admit(keysShown(request, query));
    const key = admission.kind === "key" ? admission.key : undefined;
    const waitSeconds = this.#limiter?.take(
      key === undefined ? callerOfAddress(request.socket.remoteAddress ?? "") : key.sha256,
    );
    if (waitSeconds !== undefined && waitSeconds > 0) return { kind: "out", refusal: tooMany(waitSeconds) };
    switch (admission.kind) {
      case "open":
        return { kind: "in", caller: { label: "", isAnonymous: false, isLimited: false, ...this.#view("all") } };
      case "key":
        return { kind: "in", caller: this.#callerOf(admission.key) };
      case "missing":
        return { kind: "in", caller: { label: "", isAnonymous: true, isLimited: true, ...this.#view("none") } };
      case "refused":
        return { kind: "out", refusal: badKey(admission.expired) };
    }
  }

  /** As `enter`, for what is answered to nobody without a key. */
  enterWithKey(request: IncomingMessage, query = ""): Entry {
    const entry = this.enter(request, query);
    return entry.kind === "in" && entry.caller.isAnonymous ? { kind: "out", refusal: NO_KEY } : entry;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#views.values()].map(({ endpoint }) => endpoint.close()));
  }

  #callerOf({ label, sources }: StoredKey): Caller {
    const view = this.#view(sources === undefined ? "all" : [...sources].sort());
    return { label, isAnonymous: false, isLimited: sources !== undefined, ...view };
  }

  #view(shown: "all" | "none" | readonly string[]): Pick<Caller, "queries" | "endpoint"> {
    const name = JSON.stringify(shown);
    const known = this.#views.get(name);
    if (known !== undefined) return known;
    const { queries: all, queriesOf } = this.#options;
    const queries =
      shown === "all" ? all : shown === "none" ? withoutCoverage(all) : (queriesOf?.(shown) ?? withoutCoverage(all));
    const made = { queries, endpoint: createMcpEndpoint({ ...this.#options, queries }) };
    this.#views.set(name, made);
    return made;
  }
}

/** @returns what a refused anonymous caller is told, or undefined when anyone may ask that. */
export function refusalOfMessage(caller: Caller, message: unknown): Refusal | undefined {
  if (!caller.isAnonymous) return undefined;
  // Proxies ask for the list of tools before they ask their user for a key.
  const isListing =
    typeof message === "object" && message !== null && "method" in message && message.method === "tools/list";
  return isListing ? undefined : NO_KEY;
}

export const ONLY_WHOLE_KEYS: Refusal = {
  status: 403,
  message: "This key is limited to some sources, and the metrics name all of them.",
  headers: {},
  details: [errorInfo("KEY_LIMITED")],
};

/** What is told of tools to those of whom it is not known what they may see; nothing else of these queries is asked. */
function withoutCoverage(queries: Queries): Queries {
  const refuse = () => Promise.reject(new Error("Asked without a key."));
  return {
    answers: queries.answers,
    describeCorpus: () => "what the key lets you read",
    searchDocuments: refuse,
    getDocuments: refuse,
    answerQuery: refuse,
    documentInfo: () => undefined,
    status: () => ({ documents: 0, revision: 0, indexRevision: 0, sources: [] }),
  };
}

function keysShown({ headers }: IncomingMessage, query: string): readonly string[] {
  const named = headers["x-goog-api-key"];
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  const inUrl = query.includes("key=") ? (new URLSearchParams(query).get("key") ?? undefined) : undefined;
  return [Array.isArray(named) ? named[0] : named, bearer, inUrl].filter(
    (one): one is string => one !== undefined && one !== "",
  );
}

function badKey(expired: boolean): Refusal {
  return {
    status: 401,
    message: expired
      ? "The key has expired; ask the server's operator for another."
      : "The key is none of this server's; check it, or ask the server's operator for one.",
    headers: { "www-authenticate": `${CHALLENGE}, error="invalid_token"` },
    details: [errorInfo(expired ? "API_KEY_EXPIRED" : "API_KEY_INVALID")],
  };
}

function tooMany(seconds: number): Refusal {
  return {
    status: 429,
    message: `Too many requests; the next one is answered in ${seconds} s.`,
    headers: { "retry-after": String(seconds) },
    details: [
      errorInfo("RATE_LIMIT_EXCEEDED"),
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` },
    ],
  };
}

function errorInfo(reason: string): object {
  return { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "carrel" };
}
