import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import { buildConnector } from "undici";
import type { AddressRules } from "./addresses.ts";
import { AddressRefused } from "./failure.ts";

/**
 * Connects only to addresses that the rules let through. What is checked is the address that the socket connects to, so
 * neither a redirect, nor a name, nor a name that changes between two look-ups leads elsewhere.
 * HTTP/2 is spoken where TLS offers it.
 * @param ca a certificate authority that is trusted besides those of Node.
 */
export function guardedConnector(
  rules: AddressRules,
  timeoutMs: number,
  ca: string | undefined,
): buildConnector.connector {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(rules), allowH2: true, ...trusted });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // Literals are connected to without a look-up.
    const kind = isIP(host) === 0 ? undefined : rules.refusal(host);
    if (kind !== undefined) callback(refused(host, kind, undefined), null);
    else connect(options, callback);
  };
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
