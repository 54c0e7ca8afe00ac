import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import type { OpenedAccess, TlsRules } from "../domain/access.ts";
import { reasonOf } from "../domain/errors.ts";
import { fileReasonOf } from "../domain/file-errors.ts";
import type { Environment } from "./proxy-environment.ts";
import { readableByOthers } from "./secret.ts";

const CERTIFICATE = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Reads the files that a source's `tls` names.
 * @param passphrase of the key; undefined for a key without.
 * @param problems is told of each that cannot be used.
 */
export function openTls(
  rules: TlsRules = {},
  passphrase: string | undefined,
  environment: Environment,
  problems: string[],
  warn: (message: string) => void,
): OpenedAccess["tls"] {
  const verify = rules.verify !== false;
  const own = rules.ca === undefined ? [] : certificatesOf("tls.ca", rules.ca, problems);
  // An authority of its own takes the place of those that Node trusts, and with them of what this variable adds.
  const extra = environment["NODE_EXTRA_CA_CERTS"] ?? "";
  const ca =
    own.length === 0 || extra === "" ? own : [...own, ...certificatesOf("NODE_EXTRA_CA_CERTS", extra, problems)];
  if (rules.cert === undefined || rules.key === undefined) return { ca, verify };
  const [leaf, ...above] = certificatesOf("tls.cert", rules.cert, problems);
  const opened = openKey(rules.key, passphrase, problems, warn);
  if (leaf === undefined || opened === undefined) return { ca, verify };
  if (!new X509Certificate(leaf).checkPrivateKey(opened.key)) {
    problems.push(`tls.key: ${rules.key} is not the key of the certificate in ${rules.cert}`);
  }
  const cert = [leaf, ...above].join("\n");
  return { ca, verify, cert, key: opened.pem, ...(passphrase === undefined ? {} : { passphrase }) };
}

function certificatesOf(key: string, file: string, problems: string[]): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    problems.push(`${key}: the file ${file} cannot be read: ${fileReasonOf(error)}`);
    return [];
  }
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) {
    problems.push(
      `${key}: the file ${file} holds no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----`,
    );
  }
  try {
    // It throws for one that is none.
    void found.map((pem) => new X509Certificate(pem));
  } catch (error) {
    problems.push(`${key}: the file ${file} holds a certificate that cannot be read: ${reasonOf(error)}`);
    return [];
  }
  return found;
}

function openKey(
  file: string,
  passphrase: string | undefined,
  problems: string[],
  warn: (message: string) => void,
): { readonly pem: string; readonly key: KeyObject } | undefined {
  try {
    const pem = readFileSync(file, "utf8");
    const warning = readableByOthers(file);
    if (warning !== undefined) warn(warning);
    return { pem, key: createPrivateKey(passphrase === undefined ? pem : { key: pem, passphrase }) };
  } catch (error) {
    const isFile = error instanceof Error && "syscall" in error;
    const reason = isFile
      ? `cannot be read: ${fileReasonOf(error)}`
      : `holds no key in PEM that ${passphrase === undefined ? "opens without a passphrase (see keyPassphrase)" : "its passphrase opens"}`;
    problems.push(`tls.key: the file ${file} ${reason}`);
    return undefined;
  }
}
