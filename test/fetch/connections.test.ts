import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { crawl, reason } from "./support/crawl.ts";
import { SELF_SIGNED } from "./support/self-signed.ts";
import { page, startSite } from "./support/site.ts";

async function listen(server: Server, host: string): Promise<AsyncDisposable & { readonly port: number }> {
  server.listen(0, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

test("a certificate that nobody vouches for is a failure, not an empty success", async () => {
  let asked = 0;
  const server = createSecureServer(SELF_SIGNED, (_request, response) => {
    asked++;
    response.end(page("Secret"));
  });
  await using secure = await listen(server, "127.0.0.1");
  const crawled = await crawl(`https://127.0.0.1:${secure.port}/`);
  expect(reason(crawled.outcome(""))).toMatch(/the certificate is not trusted: self-signed certificate/);
  expect(crawled.frontier.counts().failed).toBe(1);
  expect(asked).toBe(0);
});

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));

test.runIf(hasIpv6)("a site at an IPv6 address is crawled", async () => {
  const server = createServer((request, response) => {
    const isThere = request.url === "/" || request.url === "/a.html";
    response.writeHead(isThere ? 200 : 404, { "content-type": "text/html" });
    response.end(request.url === "/" ? page("Home", "a.html") : page("A"));
  });
  await using site = await listen(server, "::1");
  expect((await crawl(`http://[::1]:${site.port}/`)).pages()).toEqual(["", "a.html"]);
});

test("connections are used again", async () => {
  const sockets = new Set<unknown>();
  const hrefs = Array.from({ length: 30 }, (_, n) => `p${n}`);
  await using site = await startSite({ "/": page("Home", ...hrefs) }, (request) => {
    sockets.add(request.socket);
    return { body: page("P") };
  });
  expect((await crawl(site.url, { limits: { concurrency: 2 } })).pages()).toHaveLength(31);
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test("a password in a link is not passed on", async () => {
  await using site = await startSite({}, (request) => {
    const { host = "" } = request.headers;
    return { body: page("Home", `http://user:secret@${host}/a`) };
  });
  const crawled = await crawl(site.url);
  expect(crawled.pages()).toEqual(["", "a"]);
  expect(site.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  expect(JSON.stringify(crawled.outcome(""))).not.toContain("secret@127.0.0.1");
});
