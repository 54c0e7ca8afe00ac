import { createHash } from "node:crypto";
import { CarrelError } from "../domain/errors.ts";

/** What a page token is good for: the same search, on the same documents. */
export interface Searched {
  readonly query: string;
  readonly filter: string;
  readonly source: string;
  /** Of the corpus and of the index: when one of them changes, so may the order of the passages. */
  readonly revision: string;
}

/** The token with which a search goes on at the passage of that rank, counted from 0. Opaque to clients. */
export function pageToken(searched: Searched, rank: number): string {
  return Buffer.from(`${rank} ${searched.revision} ${digest(searched)}`).toString("base64url");
}

/**
 * The rank at which a search goes on.
 * @throws CarrelError `invalid` for a token of another search, one from before the documents changed, and any other text.
 */
export function rankOf(token: string, searched: Searched): number {
  const text = Buffer.from(token, "base64url").toString("latin1");
  const [, rank, revision, search] = /^(\d{1,6}) (\S{1,60}) (\S+)$/.exec(text) ?? [];
  if (rank === undefined || Buffer.from(text, "latin1").toString("base64url") !== token) {
    throw new CarrelError(
      "invalid",
      "The page token is none of this server's; leave it out to begin at the first page.",
    );
  }
  if (search !== digest(searched)) {
    throw new CarrelError(
      "invalid",
      "The page token belongs to another search; send it with the query, filter and source that it was given for.",
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

function digest({ query, filter, source }: Searched): string {
  return createHash("sha256")
    .update(JSON.stringify([query, filter, source]))
    .digest("base64url")
    .slice(0, 16);
}
