import { expect, test } from "vitest";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { addressRules, isAddressRange, specialKind } from "../../src/fetch/addresses.ts";
import {
  DEFAULT_RULES,
  crawl,
  QUICK_RETRY,
  reason,
  USER_AGENT,
  webSource,
  type CrawlOptions,
} from "./support/crawl.ts";
import { memoryFrontier, type MemoryFrontier } from "./support/memory-frontier.ts";
import { page, redirect, startSite } from "./support/site.ts";

test.each([
  ["0.0.0.0", "unspecified"],
  ["10.255.0.1", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.100.100.200", "carrier-grade NAT"],
  ["127.0.0.1", "loopback"],
  ["127.8.9.10", "loopback"],
  ["168.63.129.16", "cloud metadata"],
  ["169.254.169.254", "link-local"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["198.18.0.1", "benchmarking"],
  ["203.0.113.7", "documentation"],
  ["224.0.0.1", "multicast"],
  ["255.255.255.255", "reserved"],
  ["::", "IPv4-compatible"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "IPv4-mapped"],
  ["::ffff:8.8.8.8", "IPv4-mapped"],
  ["::7f00:1", "IPv4-compatible"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["64:ff9b:1::1", "NAT64"],
  ["2001::1", "Teredo"],
  ["2002:7f00:1::", "6to4"],
  ["fd00:ec2::254", "private"],
  ["fe80::1%eth0", "link-local"],
  ["ff02::1", "multicast"],
  ["nonsense", "invalid"],
  ["8.8.8.8", undefined],
  ["172.32.0.1", undefined],
  ["100.128.0.1", undefined],
  ["192.169.0.1", undefined],
  ["2606:4700::1111", undefined],
  ["2001:4860:4860::8888", undefined],
])("%s is %s", (address, kind) => {
  expect(specialKind(address)).toBe(kind);
});

test("what a source names by address is open, and so are its ranges; a name opens nothing but the loopback", () => {
  const rules = addressRules(
    ["10.1.0.0/16", "fd00::5"],
    ["http://192.168.0.7:8080/", "https://intranet.example/", "http://[fd00::9]/"],
  );
  for (const open of ["10.1.2.3", "fd00::5", "192.168.0.7", "fd00::9", "1.1.1.1"])
    expect(rules.refusal(open)).toBeUndefined();
  for (const shut of ["10.2.0.1", "fd00::6", "192.168.0.8", "127.0.0.1", "::ffff:10.2.0.1"])
    expect(rules.refusal(shut)).toBeDefined();
  const local = addressRules([], ["http://localhost:3000/"]);
  expect(local.refusal("127.0.0.1")).toBeUndefined();
  expect(local.refusal("::1")).toBeUndefined();
  expect(local.refusal("10.0.0.1")).toBe("private");
});

test("an address range is told from what is none", () => {
  for (const good of ["10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8"]) expect(isAddressRange(good)).toBe(true);
  for (const bad of ["", "10.0.0.0/33", "10.0.0/8", "localhost", "::/129", "10.0.0.0/8/9", "10.0.0.0/"]) {
    expect(isAddressRange(bad)).toBe(false);
  }
});

/** What comes of URLs that a source which names no address is led to. */
async function ledTo(urls: readonly string[], options: CrawlOptions = {}): Promise<MemoryFrontier> {
  const frontier = memoryFrontier(urls);
  await crawl("https://docs.example.org/", { ...options, frontier });
  return frontier;
}

test("a public source reaches no loopback, by literal or by name, and asks nothing of it", async () => {
  await using inside = await startSite({ "/robots.txt": page("Inside") }, page("Inside"));
  const { port } = new URL(inside.url);
  const urls = [
    inside.url,
    `http://localhost:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0x7f.1:${port}/b`,
  ];
  const { outcomes } = await ledTo(urls);
  expect(inside.seen).toEqual([]);
  expect(outcomes.size).toBe(4);
  expect(reason(outcomes.get(`127.0.0.1:${port}`))).toContain("127.0.0.1 is a loopback address");
  expect(reason(outcomes.get(`localhost:${port}`))).toMatch(
    /localhost is (127\.0\.0\.1|::1), and that is a loopback address, which a source reaches only when it lists it/,
  );
  expect(reason(outcomes.get(`127.0.0.1:${port}/b`))).toContain("loopback");
});

test("no redirect leads to an address that is not listed, of a page, of robots.txt or of a sitemap", async () => {
  const log: string[] = [];
  const logger = { info: (line: string) => log.push(line), warn: (line: string) => log.push(line) };
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger, retry: QUICK_RETRY });
  await using site = await startSite({
    "/page": redirect("http://[::1]:9/page"),
    "/map.xml": redirect("http://169.254.169.254/latest/meta-data"),
  });
  const source = webSource([site.url], {
    source: { rules: { ...DEFAULT_RULES, sitemaps: [`${site.url}map.xml`] } },
  });
  const frontier = memoryFrontier([`${site.url}page`]);
  const { signal } = new AbortController();
  await fetcher.discover(source, signal);
  await fetcher.crawl(source, frontier, signal);
  expect(log).toEqual([
    expect.stringContaining("map.xml cannot be read: 169.254.169.254 is a link-local address"),
    expect.stringContaining("redirects out of scope, to http://[::1]:9/page"),
  ]);

  await using mean = await startSite({ "/robots.txt": redirect("http://[::1]:9/robots.txt"), "/": page("Home") });
  const crawled = await crawl(mean.url);
  expect(reason(crawled.outcome(""))).toContain("::1 is a loopback address");
});

test("allowAddresses opens a range", async () => {
  await using site = await startSite({ "/": page("Home") });
  const rules = { ...DEFAULT_RULES, allowAddresses: ["127.0.0.0/8"] };
  const { outcomes } = await ledTo([site.url], { source: { rules } });
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(["page"]);
});
