import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAccessReader } from "../../src/config/credentials.ts";
import type { Access } from "../../src/domain/access.ts";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { proxyOf } from "../../src/fetch/proxy.ts";
import { tempFolder } from "../support/temp-folder.ts";
import {
  crawl,
  DEFAULT_RULES,
  QUICK_RETRY,
  reason,
  USER_AGENT,
  webSource,
  type CrawlOptions,
} from "./support/crawl.ts";
import { AUTHORITY, SERVER } from "./support/private-authority.ts";
import { startProxy } from "./support/proxy-server.ts";
import { page, startSite } from "./support/site.ts";

function by(access: Access, environment: Readonly<Record<string, string>> = {}): CrawlOptions {
  const retry = { ...QUICK_RETRY, retries: 0 };
  return { source: { access }, fetcher: { access: createAccessReader(() => undefined, environment), retry } };
}

const portOf = (url: string): number => Number(new URL(url).port);
const LOGIN = `Basic ${Buffer.from("crawler:pr0xy-p4ssword").toString("base64")}`;

test("an http site is asked by way of the proxy, which looks its name up", async () => {
  await using site = await startSite({ "/": page("Home", "a?b=c"), "/a?b=c": page("A") });
  const proxy = await startProxy(() => portOf(site.url));
  const crawled = await crawl("http://docs.corp.test/", by({ proxy: proxy.url }));
  expect(crawled.pages()).toEqual(["", "a?b=c"]);
  expect(proxy.seen).toContain("GET http://docs.corp.test/a?b=c");
  expect(site.seen[0]?.headers.host).toBe("docs.corp.test");
});

test("an https site is asked through a tunnel, in which its certificate is checked, and the proxy learns no secret", async () => {
  const seen: string[] = [];
  const server = createSecureServer({ ...SERVER, allowHTTP1: true }, (request, response) => {
    seen.push(`${request.httpVersion} ${request.headers.authorization ?? ""}`);
    if (request.url !== "/") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html" }).end(page("Home"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const proxy = await startProxy(() => (server.address() as { port: number }).port, LOGIN);
  const ca = join(tempFolder(), "ca.pem");
  writeFileSync(ca, AUTHORITY);
  const access = {
    proxy: proxy.url,
    proxyAuth: { user: "crawler", password: { env: "PROXY_PASSWORD" } },
    auth: { bearer: { env: "TOKEN" } },
  };
  const environment = { PROXY_PASSWORD: "pr0xy-p4ssword", TOKEN: "t0ken-of-docs" };
  const crawled = await crawl("https://docs.corp.test/", by({ ...access, tls: { ca } }, environment));
  expect(crawled.pages()).toEqual([""]);
  expect(seen).toContain("2.0 Bearer t0ken-of-docs");
  expect(proxy.seen[0]).toBe("CONNECT docs.corp.test:443");
  expect(proxy.headers.join()).not.toContain("t0ken");
  const untrusted = await crawl("https://docs.corp.test/", by(access, environment));
  expect(reason(untrusted.outcome(""))).toContain("the certificate is not trusted");
  const elsewhere = await crawl("https://unnamed.corp.test/", by({ ...access, tls: { ca } }, environment));
  expect(reason(elsewhere.outcome(""))).toContain("the certificate is not trusted");
});

test("a proxy that wants a password gets it by reference, and the site does not", async () => {
  await using site = await startSite({ "/": page("Home") });
  const proxy = await startProxy(() => portOf(site.url), LOGIN);
  const proxyAuth = { user: "crawler", password: { env: "PROXY_PASSWORD" } };
  const environment = { PROXY_PASSWORD: "pr0xy-p4ssword" };
  expect((await crawl("http://docs.corp.test/", by({ proxy: proxy.url, proxyAuth }, environment))).pages()).toEqual([
    "",
  ]);
  expect(JSON.stringify(site.seen)).not.toContain("proxy-authorization");
  const refused = await crawl("http://docs.corp.test/", by({ proxy: proxy.url }));
  expect(reason(refused.outcome(""))).toContain("407 Proxy Authentication Required");
  const tunnel = await crawl("https://docs.corp.test/", by({ proxy: proxy.url }));
  expect(reason(tunnel.outcome(""))).toContain("it wants a user and a password (407); say them in proxyAuth");
});

test("the environment's proxy is used with the login in its URL, unless the pipeline says none", async () => {
  await using site = await startSite({ "/": page("Home") });
  const proxy = await startProxy(() => portOf(site.url), LOGIN);
  const variable = proxy.url.replace("http://", "crawler:pr0xy-p4ssword@");
  expect((await crawl("http://docs.corp.test/", by({}, { HTTP_PROXY: variable }))).pages()).toEqual([""]);
  expect((await crawl("http://docs.corp.test/", by({}, { http_proxy: variable }))).pages()).toEqual([""]);
  const before = proxy.seen.length;
  const without = await crawl("http://docs.corp.test/", by({ proxy: "none" }, { HTTP_PROXY: variable }));
  expect(reason(without.outcome(""))).toMatch(/no such host|could not be looked up/);
  expect(proxy.seen).toHaveLength(before);
});

test("a variable that names no usable proxy is an error that does not repeat it", async () => {
  const crawling = crawl("http://docs.corp.test/", by({}, { HTTPS_PROXY: "socks5://me:hidden@10.0.0.1:1080" }));
  const error: unknown = await crawling.catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("HTTPS_PROXY is no http or https URL of a proxy");
  expect(String(error)).not.toContain("hidden");
});

test.each(["http://10.9.8.7/s.xml", "https://10.9.8.7/s.xml", "http://localhost/s.xml", "http://[::1]/s.xml"])(
  "behind a proxy %s is refused as without one, for the proxy would ask it",
  async (sitemap) => {
    const proxy = await startProxy(() => 9);
    const options = by({ proxy: proxy.url });
    const log: string[] = [];
    const logger = { info() {}, warn: (message: string) => log.push(message) };
    const fetcher = createFetcher({ userAgent: USER_AGENT, logger, ...options.fetcher });
    const rules = { ...DEFAULT_RULES, obeyRobots: false, sitemaps: [sitemap] };
    const source = webSource(["http://docs.corp.test/"], { source: { ...options.source, rules } });
    await fetcher.discover(source, new AbortController().signal);
    expect(log.join()).toMatch(/is a (?:private|loopback) address, which a source reaches only when it lists it/);
    expect(proxy.seen.filter((line) => !line.includes("docs.corp.test"))).toEqual([]);
  },
);

test("a proxy that is not there is named", async () => {
  const crawled = await crawl("https://docs.corp.test/", by({ proxy: "http://127.0.0.1:9" }));
  expect(reason(crawled.outcome(""))).toContain("the proxy 127.0.0.1:9: the host refused the connection");
});

const RULES = { http: { url: "http://p:1/" }, https: { url: "http://q:1/" }, except: [] };

test.each([
  ["docs.example.com", "https://docs.example.com/", true],
  ["example.com", "https://docs.example.com/", true],
  [".example.com", "https://docs.example.com/", true],
  ["*.example.com", "https://docs.example.com/", true],
  ["ample.com", "https://example.com/", false],
  ["example.com:8443", "https://example.com:8443/", true],
  ["example.com:8443", "https://example.com/", false],
  ["example.com:443", "https://example.com/", true],
  ["*", "http://anything.test/", true],
  ["10.0.0.0/8", "http://10.2.3.4/", true],
  ["10.0.0.0/8", "http://11.2.3.4/", false],
  ["10.2.3.4", "http://10.2.3.4:81/", true],
  ["[2001:db8::1]", "http://[2001:db8::1]/", true],
  ["2001:db8::/32", "http://[2001:db8::1]/", true],
  ["10.0.0.0/99", "http://10.2.3.4/", false],
  ["", "http://127.0.0.1:3000/", true],
  ["", "http://localhost:3000/", true],
  ["", "http://docs.example.com/", false],
])("NO_PROXY=%s: %s is asked directly: %s", (entry, url, isDirect) => {
  const except = entry === "" ? [] : [entry];
  expect(proxyOf({ ...RULES, except }, new URL(url)) === undefined).toBe(isDirect);
});

test("each scheme has its proxy", () => {
  expect(proxyOf(RULES, new URL("http://a.test/"))?.url).toBe("http://p:1/");
  expect(proxyOf(RULES, new URL("https://a.test/"))?.url).toBe("http://q:1/");
});
