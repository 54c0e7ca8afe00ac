import { readFileSync, statSync } from "node:fs";
import type { SecretReference } from "../domain/access.ts";
import { fileReasonOf } from "../domain/file-errors.ts";
import type { Environment } from "./proxy-environment.ts";

/** A secret, or why it is not there. The reason holds no part of it. */
export type Secret = { readonly value: string; readonly warning?: string } | { readonly missing: string };

/** What is larger is some other file. */
const MAX_SECRET_BYTES = 65_536;
/** Permissions of the group and of all others. */
const OTHERS = 0o077;

/** Reads what a reference leads to. The end of the last line of a file is no part of the secret. */
export function readSecret(reference: SecretReference, environment: Environment): Secret {
  if ("env" in reference) {
    const value = environment[reference.env];
    if (value === undefined) return { missing: `the environment variable ${reference.env} is not set` };
    if (value === "") return { missing: `the environment variable ${reference.env} is empty` };
    return usable(value, `the environment variable ${reference.env}`);
  }
  const { file } = reference;
  try {
    if (statSync(file).size > MAX_SECRET_BYTES) return { missing: `the file ${file} is too large to be a secret` };
    const value = readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .replace(/\r?\n$/, "");
    if (value === "") return { missing: `the file ${file} is empty` };
    const read = usable(value, `the file ${file}`);
    const warning = readableByOthers(file);
    return "value" in read && warning !== undefined ? { ...read, warning } : read;
  } catch (error) {
    return { missing: `the file ${file} cannot be read: ${fileReasonOf(error)}` };
  }
}

/** A line break in a header would begin another one. */
function usable(value: string, where: string): Secret {
  return /\p{Cc}/u.test(value) ? { missing: `${where} holds line breaks or control characters` } : { value };
}

/** What is wrong with the permissions of a file that holds a secret; undefined when nothing is. */
export function readableByOthers(file: string): string | undefined {
  // Windows has no such bits, and Node makes some up.
  if (process.platform === "win32" || (statSync(file).mode & OTHERS) === 0) return undefined;
  return `${file} holds a secret and can be read by others than its owner; run chmod 600 on it`;
}

/** How a reference is shown: `env DOCS_TOKEN`, `file /etc/docs/token`. */
export function referenceText(reference: SecretReference): string {
  return "env" in reference ? `env ${reference.env}` : `file ${reference.file}`;
}
