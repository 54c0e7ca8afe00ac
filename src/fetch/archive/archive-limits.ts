import { CarrelError } from "../../domain/errors.ts";
import { MAX_FILE_BYTES } from "../local-documents.ts";

/** How much of an archive is read before it is taken for an attack. */
export interface ArchiveLimits {
  /** Largest document, expanded. */
  readonly maxMemberBytes: number;
  /** Most bytes that all of it may come to, expanded. */
  readonly maxExpandedBytes: number;
  /** Most bytes that one byte of the file may become, once `ratioFromBytes` have come out of it. */
  readonly maxRatio: number;
  readonly ratioFromBytes: number;
  readonly maxMembers: number;
}

/**
 * HTML of generators becomes 5 to 20 times smaller, and deflate can make nothing more than 1,032 times smaller: what comes near
 * to that over its whole length holds nothing to read.
 */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxMemberBytes: MAX_FILE_BYTES,
  maxExpandedBytes: 200 * 1024 ** 3,
  maxRatio: 200,
  ratioFromBytes: 256 * 1024 ** 2,
  maxMembers: 2_000_000,
};

/** Counts what comes out of a file. @throws CarrelError `invalid` beyond a limit. */
export function createMeter(limits: ArchiveLimits): {
  /** @param compressed bytes of the file that have gone in so far. */
  out(bytes: number, compressed: number): void;
  member(): void;
} {
  let expanded = 0;
  let members = 0;
  return {
    out(bytes, compressed) {
      expanded += bytes;
      if (expanded > limits.maxExpandedBytes) throw refused(`it expands to more than ${limits.maxExpandedBytes} bytes`);
      if (expanded > limits.ratioFromBytes && expanded > compressed * limits.maxRatio)
        throw refused(`it expands to more than ${limits.maxRatio} times its size, as a zip bomb does`);
    },
    member() {
      if (++members > limits.maxMembers) throw refused(`there are more than ${limits.maxMembers} members in it`);
    },
  };
}

function refused(reason: string): CarrelError {
  return new CarrelError("invalid", reason);
}
