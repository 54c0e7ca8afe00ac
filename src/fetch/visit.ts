import { STATUS_CODES } from "node:http";
import { fetchUrl, publicUrl } from "../domain/source.ts";
import { header, type Answer, type Headers } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import { isWorthReading } from "./media.ts";
import { retryAfterMs } from "./politeness.ts";
import type { Session } from "./session.ts";

/** Where asking for one URL led. */
export type Visit =
  /** An answer that is no redirect; `networkUrl` is the address that gave it, for links are relative to that. */
  | { readonly kind: "answer"; readonly networkUrl: string; readonly answer: Answer }
  /** A redirect to another document, which has its own place in the frontier. `to` is public. */
  | { readonly kind: "redirect"; readonly to: string }
  /** Not asked, for robots.txt forbids it; `rule` is its line. */
  | { readonly kind: "forbidden"; readonly rule: string };

/** Asks for a public URL; see `visit`. */
export type Look = (url: string, validators: Readonly<Record<string, string>>, isAsked?: boolean) => Promise<Visit>;

/** RFC 9110 section 15.4 leaves the limit open; ten is more than honest sites use. */
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses that come and go: timeouts, "too early", "slow down", and all of 5xx. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Asks for a public URL. Redirects are followed one by one as long as they lead to another spelling of the same document.
 * @param isAsked whether the pipeline asks for this very URL, so that data is read too.
 * @throws FetchFailure when there is no answer, or one that may be better next time.
 */
export async function visit(
  session: Session,
  url: string,
  validators: Readonly<Record<string, string>>,
  isAsked = false,
): Promise<Visit> {
  const { exchange, pace, robots, signal, source, urls } = session;
  const { aliases, limits } = source;
  const name = urls.names.name(url);
  const seen = new Set<string>();
  let networkUrl = fetchUrl(aliases, url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (seen.has(networkUrl))
      throw new FetchFailure(`redirects in a loop: back to ${publicUrl(aliases, networkUrl)}`, false);
    seen.add(networkUrl);
    const { host } = new URL(networkUrl);
    const { allowed, rule } = await robots.verdict(networkUrl);
    if (!allowed) return { kind: "forbidden", rule };
    await pace.turn(host, signal);
    const answer = await exchange.get(networkUrl, {
      headers: validators,
      maxBytes: limits.maxPageBytes,
      capName: "limits.maxPageBytes",
      signal,
      wants: (status, headers) =>
        status === 200 && isWorthReading(header(headers, "content-type"), networkUrl, urls.media, isAsked),
    });
    if (answer.status >= 500 || PASSING.has(answer.status)) throw passing(session, host, answer);
    pace.release(host);
    if (!REDIRECTS.has(answer.status)) return { kind: "answer", networkUrl, answer };
    const to = publicUrl(aliases, target(answer.headers, answer.status, networkUrl));
    // A mirror that redirects to the public site is asked again, and not the public site.
    networkUrl = fetchUrl(aliases, to);
    if (urls.names.name(to) !== name) return { kind: "redirect", to };
  }
  throw new FetchFailure(`more than ${MAX_REDIRECTS} redirects, the last to ${publicUrl(aliases, networkUrl)}`, false);
}

/** How a status is called in a message: `403 Forbidden`. */
export function statusText(status: number): string {
  const phrase = STATUS_CODES[status];
  return phrase === undefined ? String(status) : `${status} ${phrase}`;
}

/** A redirect's target, without fragment. */
function target(headers: Headers, status: number, from: string): string {
  const location = headers["location"];
  if (typeof location !== "string" || location === "") {
    throw new FetchFailure(`answered ${statusText(status)} without saying where to`, false);
  }
  // Node reads header bytes as Latin-1, but a path that is not escaped is sent as UTF-8.
  const text = Buffer.from(location, "latin1").toString("utf8");
  const url = URL.parse(text.includes("\uFFFD") ? location : text, from);
  if (url === null)
    throw new FetchFailure(`redirects to ${JSON.stringify(location.slice(0, 200))}, which is no URL`, false);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchFailure(`redirects to ${url.href.slice(0, 200)}, and only http and https are read`, false);
  }
  url.hash = "";
  return url.href;
}

/** The failure for a status that may pass. A host that says "slow down" is left alone as a whole, not only for this URL. */
function passing(session: Session, host: string, answer: Answer): FetchFailure {
  const { pace, retry } = session;
  const wait = retryAfterMs(header(answer.headers, "retry-after"), Date.now());
  if (answer.status === 429 || answer.status === 503) pace.hold(host, wait);
  const asked = wait === undefined ? "" : `, and to wait ${Math.ceil(wait / 1000)} s`;
  const tooLong = wait !== undefined && wait > retry.maxWaitMs;
  return new FetchFailure(
    `answered ${statusText(answer.status)}${asked}${tooLong ? `, which is longer than a run waits (${retry.maxWaitMs / 1000} s)` : ""}`,
    !tooLong,
    wait,
  );
}
