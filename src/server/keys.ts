import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { CarrelError } from "../domain/errors.ts";

/** What is kept of a key: never the key itself. */
export interface StoredKey {
  /** What people call it; in the log in its place. */
  readonly label: string;
  /** SHA-256 of the key, in hexadecimal. */
  readonly sha256: string;
  /** Ids of the sources that it may read; absent for all. */
  readonly sources?: readonly string[];
  /** ISO 8601, UTC: from then on it is refused; absent for never. */
  readonly expires?: string;
  /** ISO 8601, UTC. */
  readonly created: string;
}

/** How every key begins, so that people and scanners for secrets know one when they see it. */
const KEY_PREFIX = "carrel_";
/**
 * A key is random and this long, so no list of likely ones can be tried against its hash, and one round of a plain hash is
 * enough: what slow hashes with salts are for is passwords. It has to be fast, for it is made for every request.
 */
const KEY_BYTES = 32;

/** Only the user who runs Carrel may read it. */
const FILE_MODE = 0o600;
const MAX_LABEL_CHARS = 60;

/** Makes a new key. What is returned as `key` is shown once, and kept nowhere. */
export function makeKey(
  of: { readonly label: string; readonly sources?: readonly string[]; readonly expires?: string },
  now: Date,
): { readonly key: string; readonly stored: StoredKey } {
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString("base64url");
  return { key, stored: { ...of, sha256: hashOf(key).toString("hex"), created: now.toISOString() } };
}

/**
 * The stored key that somebody shows; undefined when it is none of these. Hashes are compared, each of them and each in
 * constant time, so that how long it takes says nothing of how near a guess is.
 */
export function findKey(keys: readonly StoredKey[], shown: string): StoredKey | undefined {
  const hash = hashOf(shown);
  let found: StoredKey | undefined;
  for (const stored of keys) if (timingSafeEqual(hash, Buffer.from(stored.sha256, "hex"))) found = stored;
  return found;
}

export function isExpired({ expires }: StoredKey, now: Date): boolean {
  return expires !== undefined && Date.parse(expires) <= now.getTime();
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** The keys in a file; undefined when there is no such file. @throws CarrelError `config` when it cannot be read. */
export function readKeys(file: string): readonly StoredKey[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CarrelError("config", `The keys in ${file} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  try {
    const { keys } = JSON.parse(text) as { readonly keys: unknown };
    if (Array.isArray(keys) && keys.every(isStoredKey)) return keys;
  } catch {
    // Said below.
  }
  throw new CarrelError(
    "config",
    `${file} is no file of keys as "carrel keys" writes it; restore it, or delete it and add every key again.`,
  );
}

/**
 * Changes the keys in a file, which is made when it is missing. It is replaced in one step, so that a server that reads it
 * meanwhile sees the old ones or the new ones.
 * @throws CarrelError `busy` while another process does the same, `config` when it cannot be written.
 */
export function changeKeys(file: string, change: (keys: readonly StoredKey[]) => readonly StoredKey[]): void {
  const next = `${file}.new`;
  let descriptor: number;
  try {
    mkdirSync(dirname(file), { recursive: true });
    descriptor = openSync(next, "wx", FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notWritten(file, error);
    throw new CarrelError(
      "busy",
      `Another process is changing the keys; try again. If there is none, one was killed: delete ${next}.`,
    );
  }
  try {
    try {
      const text = JSON.stringify({ keys: change(readKeys(file) ?? []) }, undefined, 2);
      writeSync(descriptor, `${text}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(next, FILE_MODE);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error instanceof CarrelError ? error : notWritten(file, error);
  }
}

/** @throws CarrelError `invalid` when it is no label. */
export function checkedLabel(label: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._@-]*$/u.test(label) && label.length <= MAX_LABEL_CHARS) return label;
  throw new CarrelError(
    "invalid",
    `${JSON.stringify(label.slice(0, 100))} is no label; give up to ${MAX_LABEL_CHARS} letters, digits, spaces and ._@-, the first a letter or digit.`,
  );
}

function notWritten(file: string, error: unknown): CarrelError {
  return new CarrelError("config", `The keys in ${file} cannot be written: ${(error as Error).message}.`, {
    cause: error,
  });
}

function isStoredKey(value: unknown): value is StoredKey {
  if (typeof value !== "object" || value === null) return false;
  const { label, sha256, sources, expires, created } = value as Readonly<Record<string, unknown>>;
  return (
    typeof label === "string" &&
    typeof created === "string" &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    (sources === undefined || (Array.isArray(sources) && sources.every((source) => typeof source === "string"))) &&
    (expires === undefined || (typeof expires === "string" && !Number.isNaN(Date.parse(expires))))
  );
}
