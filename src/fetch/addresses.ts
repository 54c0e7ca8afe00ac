import { BlockList, isIP } from "node:net";

/** Ranges that are no part of the public internet, and what they are. Source: the IANA special-purpose registries. */
const RANGES: readonly (readonly [range: string, kind: string])[] = [
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  // Where clouds hand out credentials
  ["168.63.129.16/32", "cloud metadata"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "special"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["::1/128", "loopback"],
  ["::ffff:0:0/96", "IPv4-mapped"],
  ["::/96", "IPv4-compatible"],
  ["64:ff9b::/96", "NAT64"],
  ["64:ff9b:1::/48", "NAT64"],
  ["100::/64", "discard"],
  ["2001::/32", "Teredo"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["3fff::/20", "documentation"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"],
];

const SPECIAL = RANGES.map(([range, kind]) => ({ list: listOf([range]), kind, family: range.includes(":") ? 6 : 4 }));

/**
 * What kind of special address this is, such as "private"; undefined for a public one.
 * @param address a literal IPv4 or IPv6 address, without brackets.
 */
export function specialKind(address: string): string | undefined {
  const plain = withoutZone(address);
  const family = isIP(plain);
  if (family === 0) return "invalid";
  return SPECIAL.find((range) => range.family === family && contains(range.list, plain))?.kind;
}

/** Whether a public source may be fetched from an address. */
export interface AddressRules {
  /** Undefined when it may, else what kind of address it is. */
  refusal(address: string): string | undefined;
}

/**
 * Public addresses are open, and of the others those in `allow`, and those that the source names itself: who lists
 * `http://127.0.0.1:9001/` means it. A name that leads to a private address is not enough, for names are in other hands.
 * @param allow addresses and ranges such as `10.1.0.0/16`.
 * @param named URLs that the source lists.
 */
export function addressRules(allow: readonly string[], named: readonly string[]): AddressRules {
  const literals = named.flatMap((url) => {
    const { hostname } = new URL(url);
    // RFC 6761 section 6.3: these names are the loopback by definition.
    if (hostname === "localhost" || hostname.endsWith(".localhost")) return ["127.0.0.0/8", "::1"];
    const address = hostname.replace(/^\[|\]$/g, "");
    return isIP(address) === 0 ? [] : [address];
  });
  const open = listOf([...allow, ...literals]);
  return {
    refusal(address) {
      const kind = specialKind(address);
      return kind === undefined || contains(open, withoutZone(address)) ? undefined : kind;
    },
  };
}

/** Whether a text is an address or a range as `allowAddresses` takes them. */
export function isAddressRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** `fe80::1%eth0` → `fe80::1`. */
function withoutZone(address: string): string {
  const zone = address.indexOf("%");
  return zone === -1 ? address : address.slice(0, zone);
}
