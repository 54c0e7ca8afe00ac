import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import * as tls from "node:tls";
import { buildConnector } from "undici";
import type { OpenedAccess } from "../domain/access.ts";
import type { AddressRules } from "./addresses.ts";
import { AddressRefused } from "./failure.ts";
import { proxyConnector, proxyOf } from "./proxy.ts";

/**
 * Connects only to addresses that the rules let through. What is checked is the address that the socket connects to, so
 * neither a redirect, nor a name, nor a name that changes between two look-ups leads elsewhere. Behind a proxy, which looks
 * names up itself, only addresses that stand in the URL can be judged; the proxy itself may be anywhere.
 * HTTP/2 is spoken where TLS offers it. The client certificate is shown, and an unverified one accepted, by the source's own
 * origins alone.
 */
export function guardedConnector(
  rules: AddressRules,
  timeoutMs: number,
  { proxies, tls: { ca, cert, key, passphrase, verify }, origins }: OpenedAccess,
): buildConnector.connector {
  const authorities = ca.length === 0 ? undefined : [...builtIn(), ...ca];
  const common = { timeout: timeoutMs, lookup: guardedLookup(rules), allowH2: true };
  const trusted = authorities === undefined ? {} : { ca: authorities };
  const other = buildConnector({ ...common, ...trusted });
  const own = buildConnector({
    ...common,
    ...trusted,
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(passphrase === undefined ? {} : { passphrase }),
    rejectUnauthorized: verify,
  });
  const throughProxy = proxyConnector(timeoutMs, authorities);
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    const proxy = proxyOf(proxies, url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    // Literals are connected to without a look-up.
    const literal = isIP(host) === 0 ? (proxy === undefined ? undefined : loopbackOf(host)) : host;
    const kind = literal === undefined ? undefined : rules.refusal(literal);
    const direct = origins.has(url.origin) ? own : other;
    if (literal !== undefined && kind !== undefined) callback(refused(literal, kind, undefined), null);
    else if (proxy === undefined) direct(options, callback);
    else throughProxy(proxy, options, direct, callback);
  };
}

/** What a proxy would take these names for: itself. */
function loopbackOf(name: string): string | undefined {
  return name === "localhost" || name.endsWith(".localhost") ? "127.0.0.1" : undefined;
}

/** The authorities that Node trusts when it is told of none: newer ones also know those of the system and of NODE_EXTRA_CA_CERTS. */
function builtIn(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  return getCACertificates?.("default") ?? tls.rootCertificates;
}

function guardedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const open = found.filter(({ address }) => rules.refusal(address) === undefined);
      const [first] = open;
      if (first === undefined) {
        const { address = "" } = found[0] ?? {};
        callback(refused(address, rules.refusal(address) ?? "missing", hostname), "");
      } else if (options.all === true) {
        callback(null, open);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}

function refused(address: string, kind: string, hostname: string | undefined): AddressRefused {
  const what = hostname === undefined ? address : `${hostname} is ${address}, and that`;
  return new AddressRefused(
    `${what} is a ${kind} address, which a source reaches only when it lists it: see allowAddresses`,
  );
}
