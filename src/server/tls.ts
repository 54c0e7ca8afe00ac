import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:https";
import type { Server, ServerOptions } from "node:https";
import type { RequestListener } from "node:http";
import { createSecureContext } from "node:tls";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { Logger } from "../domain/ports.ts";

/** Files in PEM form. */
export interface TlsFiles {
  /** The certificate, and those between it and its root. */
  readonly cert: string;
  readonly key: string;
}

/** Source: Mozilla's recommendation for servers; older clients of ours there are none. */
const MIN_VERSION = "TLSv1.2";

/**
 * A server over TLS. The two files are looked at for each new connection, so that a certificate that was renewed is used from
 * then on; while the new pair cannot be read or does not fit together, the old one stays.
 * @throws CarrelError `config` when there is nothing to begin with.
 */
export function createTlsServer(
  files: TlsFiles,
  options: ServerOptions,
  logger: Logger,
  listener: RequestListener,
): Server {
  let stamp = stampOf(files);
  const server = createServer({ ...options, ...readPair(files), minVersion: MIN_VERSION }, listener);
  // Before the server's own listener, which takes the certificate for this connection.
  server.prependListener("connection", () => {
    const now = stampOf(files);
    if (now === stamp) return;
    stamp = now;
    try {
      server.setSecureContext({ ...readPair(files), minVersion: MIN_VERSION });
      logger.info("The certificate was read again.");
    } catch (error) {
      logger.warn(`The certificate of before stays in use: ${reasonOf(error)}`);
    }
  });
  return server;
}

function readPair({ cert, key }: TlsFiles): { readonly cert: Buffer; readonly key: Buffer } {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new CarrelError(
      "config",
      `The certificate ${cert} and its key ${key} cannot be used: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** Other when one of the files is. */
function stampOf({ cert, key }: TlsFiles): string {
  return [cert, key]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false, bigint: true });
      return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.size}`;
    })
    .join(", ");
}
