import { createHmac, timingSafeEqual } from "node:crypto";
import { CarrelError } from "../domain/errors.ts";

/** What a page token is good for: the same search, on the same documents. */
export interface Searched {
  readonly query: string;
  readonly filter: string;
  readonly source: string;
  /** Of the corpus and of the index: when one of them changes, so may the order of the passages. */
  readonly revision: string;
  /** What no client knows, and the corpus' own: tokens are signed with it, and outlive a restart. */
  readonly secret: string;
}

/** Bytes of the signature, and of what binds a token to its search. */
const SIGNATURE_BYTES = 12;
const DIGEST_CHARS = 16;

/** The token with which a search goes on at the passage of that rank, counted from 0. Opaque to clients. */
export function pageToken(searched: Searched, rank: number): string {
  const text = Buffer.from(`${rank} ${searched.revision} ${digest(searched)}`);
  return Buffer.concat([signature(searched.secret, text), text]).toString("base64url");
}

/**
 * The rank at which a search goes on.
 * @throws CarrelError `invalid` for a token of another search, one from before the documents changed, and any other text.
 */
export function rankOf(token: string, searched: Searched): number {
  const bytes = Buffer.from(token, "base64url");
  const text = bytes.subarray(SIGNATURE_BYTES);
  const [, rank, revision, search] = /^(\d{1,6}) (\S{1,60}) (\S+)$/.exec(text.toString("latin1")) ?? [];
  const isOurs =
    rank !== undefined &&
    bytes.toString("base64url") === token &&
    timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signature(searched.secret, text));
  if (!isOurs) {
    throw new CarrelError(
      "invalid",
      "The page token is none of this server's; leave it out to begin at the first page.",
    );
  }
  if (search !== digest(searched)) {
    throw new CarrelError(
      "invalid",
      "The page token belongs to another search; send it with the same query, and what else narrowed the search that it was given for.",
    );
  }
  if (revision !== searched.revision) {
    throw new CarrelError(
      "invalid",
      "The page token is stale: the documents have changed since it was given. Search again from the first page.",
    );
  }
  return Number(rank);
}

function signature(secret: string, text: Buffer): Buffer {
  return createHmac("sha256", secret).update(text).digest().subarray(0, SIGNATURE_BYTES);
}

function digest({ query, filter, source, secret }: Searched): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([query, filter, source]))
    .digest("base64url")
    .slice(0, DIGEST_CHARS);
}
