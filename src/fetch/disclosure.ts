import type { OpenedAccess } from "../domain/access.ts";

/** What is looked at of an answer. */
interface Sent {
  readonly headers: SentHeaders;
  readonly body: Buffer;
}

type SentHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Who is told the secrets of a source: its own origins and no other; and nothing that they send back is kept with one in it. */
export interface Disclosure {
  /** The headers that go with a request to this URL. */
  headersFor(url: URL): Readonly<Record<string, string>>;
  /** The answer, with each secret that it repeats replaced: pages that show what they were sent are kept, logged and cited. */
  withoutSecrets<T extends Sent>(answer: T): T;
}

const IN_PLACE = "REDACTED";
const NO_HEADERS = {};

export function createDisclosure({ headers, origins, secrets }: OpenedAccess): Disclosure {
  // The longest first: a shorter one may be a part of it.
  const needles = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const bytes = needles.map((needle) => Buffer.from(needle, "utf8"));

  function cleanHeaders(given: SentHeaders): SentHeaders {
    const clean = (text: string): string => needles.reduce((rest, needle) => rest.replaceAll(needle, IN_PLACE), text);
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        value === undefined || typeof value === "string" ? value && clean(value) : value.map(clean),
      ]),
    );
  }

  return {
    headersFor: ({ origin }) => (origins.has(origin) ? headers : NO_HEADERS),
    withoutSecrets(answer) {
      if (needles.length === 0) return answer;
      return { ...answer, headers: cleanHeaders(answer.headers), body: bytes.reduce(withoutBytes, answer.body) };
    },
  };
}

function withoutBytes(body: Buffer, needle: Buffer): Buffer {
  let at = body.indexOf(needle);
  if (at === -1) return body;
  const pieces: Buffer[] = [];
  let from = 0;
  for (; at !== -1; at = body.indexOf(needle, from)) {
    pieces.push(body.subarray(from, at), Buffer.from(IN_PLACE));
    from = at + needle.length;
  }
  return Buffer.concat([...pieces, body.subarray(from)]);
}
