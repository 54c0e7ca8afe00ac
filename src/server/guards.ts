import { CarrelError } from "../domain/errors.ts";

/** The names by which a machine calls itself. */
const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];
const ANY_ADDRESS = new Set(["0.0.0.0", "::", ""]);

/** Where a server listens, and the names by which it may be called. */
export interface Binding {
  /** An address or name of this machine, as `listen` takes it. */
  readonly host: string;
  /** Host names besides the loopback ones, without ports. */
  readonly allowedHosts: readonly string[];
  /** Says that a server without keys may be reached from other machines. */
  readonly insecure: boolean;
  /** Whether requests need a key. */
  readonly hasKeys?: boolean;
}

/**
 * The host names that requests may name. Beyond loopback anyone on the network can read the whole corpus, so it has to be
 * asked for by name, and the names have to be known: a page in a browser can otherwise reach the server by a name of its own.
 * @throws CarrelError `config` when that is not said.
 */
export function hostNames({ host, allowedHosts, insecure, hasKeys = false }: Binding): ReadonlySet<string> {
  const own = host.includes(":") && !host.startsWith("[") ? `[${host.toLowerCase()}]` : host.toLowerCase();
  if (!isLoopback(host) && !insecure && !hasKeys) {
    throw new CarrelError(
      "config",
      `Listening on ${host} lets every machine that can reach it read all documents, for there are no keys; make one with "carrel keys add", or listen on 127.0.0.1, or say --insecure to accept that.`,
    );
  }
  if (ANY_ADDRESS.has(host) && allowedHosts.length === 0) {
    throw new CarrelError(
      "config",
      `Listening on ${host} needs the names by which clients call this machine; list each with --allowed-host.`,
    );
  }
  const names = [...LOOPBACK_NAMES, ...allowedHosts.map((name) => name.toLowerCase())];
  return new Set(ANY_ADDRESS.has(host) ? names : [...names, own]);
}

/** Whether other machines cannot reach a server that listens there. */
export function isLoopback(host: string): boolean {
  const own = host.includes(":") && !host.startsWith("[") ? `[${host.toLowerCase()}]` : host.toLowerCase();
  return LOOPBACK_NAMES.includes(own) || /^127(?:\.\d{1,3}){3}$/.test(own);
}

/**
 * Whether a Host header names this server. A page of another site whose name leads to this machine (DNS rebinding) sends
 * that name, so nothing but an exact match passes: not `localhost.`, not `127.0.0.1.example`.
 */
export function isHostAllowed(header: string | undefined, names: ReadonlySet<string>): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(header ?? "")?.[1];
  return name !== undefined && names.has(name.toLowerCase());
}

/** Whether a request comes from a page of this server or from no page at all; `null` and extensions are pages of others. */
export function isOriginAllowed(header: string | undefined, names: ReadonlySet<string>): boolean {
  if (header === undefined) return true;
  const host = /^https?:\/\/([^/?#@\\]+)$/i.exec(header)?.[1];
  return host !== undefined && isHostAllowed(host, names);
}
