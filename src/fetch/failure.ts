/**
 * Why a URL could not be fetched, in words for the person who reads the run.
 * `retry` says whether asking again may help; `waitMs` is what the site asked for, when it did.
 */
export class FetchFailure extends Error {
  readonly retry: boolean;
  readonly waitMs: number | undefined;
  /** How often it may be asked again, where that is less than usual. */
  readonly mostRetries: number = Infinity;

  constructor(reason: string, retry: boolean, waitMs?: number, cause?: unknown) {
    super(reason, { cause });
    this.name = "FetchFailure";
    this.retry = retry;
    this.waitMs = waitMs;
  }
}

/** The answer came and is none: a fault on its way, or for good. Asking once more tells. */
export class BrokenAnswer extends FetchFailure {
  override readonly mostRetries = 1;

  constructor(reason: string, cause?: unknown) {
    super(reason, true, undefined, cause);
    this.name = "BrokenAnswer";
  }
}

/** Not asked, for the address is none that the source may reach: no matter of the host's. */
export class AddressRefused extends FetchFailure {
  constructor(reason: string) {
    super(reason, false);
    this.name = "AddressRefused";
  }
}

/** The body goes on beyond the cap. */
export class TooLarge extends FetchFailure {
  /** As sent; what is no document anyway may be as large as it likes. */
  readonly contentType: string;

  constructor(reason: string, contentType: string) {
    super(reason, false);
    this.name = "TooLarge";
    this.contentType = contentType;
  }
}

/** What the codes of Node and undici mean, and whether asking again may help. */
const CODES: Readonly<Record<string, readonly [reason: string, retry: boolean]>> = {
  ECONNREFUSED: ["the host refused the connection", true],
  ECONNRESET: ["the host closed the connection before it had answered", true],
  EPIPE: ["the host closed the connection before it had answered", true],
  UND_ERR_SOCKET: ["the host closed the connection before it had answered in full", true],
  ENOTFOUND: ["no such host", true],
  EAI_AGAIN: ["the name of the host could not be looked up", true],
  ETIMEDOUT: ["the host did not accept a connection in time", true],
  EHOSTUNREACH: ["the host cannot be reached from here", true],
  ENETUNREACH: ["the host's network cannot be reached from here", true],
  UND_ERR_CONNECT_TIMEOUT: ["the host did not accept a connection in time", true],
  UND_ERR_HEADERS_OVERFLOW: ["the answer's headers are too large", false],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["the body is not as long as its Content-Length says", true],
  HPE_INVALID_CONSTANT: ["the answer is not HTTP", false],
};

/** Certificate errors have many codes; each says why in its message, and none goes away by asking again. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;

/** The failure in whatever an HTTP exchange threw. */
export function failureOf(thrown: unknown): FetchFailure {
  if (thrown instanceof FetchFailure) return thrown;
  const code = codeOf(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const known = CODES[code];
  if (known !== undefined) return new FetchFailure(`${known[0]} (${code})`, known[1], undefined, thrown);
  if (CERTIFICATE.test(code))
    return new FetchFailure(`the certificate is not trusted: ${message}`, false, undefined, thrown);
  return new FetchFailure(code === "" ? message : `${message} (${code})`, true, undefined, thrown);
}

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  // Several addresses of one host fail as an AggregateError whose own code is the first one's.
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  if (code !== "" && !code.startsWith("UND_ERR_SOCKET")) return code;
  return codeOf(thrown.cause) || code;
}
