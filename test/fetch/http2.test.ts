import { once } from "node:events";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../src/fetch/exchange.ts";
import { NO_ACCESS } from "../../src/fetch/no-access.ts";
import { crawl, QUICK_RETRY, reason } from "./support/crawl.ts";
import { SELF_SIGNED } from "./support/self-signed.ts";
import { page } from "./support/site.ts";

const TRUSTING = () => ({ ...NO_ACCESS, tls: { ca: [SELF_SIGNED.cert], verify: true } });

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** A site that speaks HTTP/2, and HTTP/1.1 with those who cannot; `seen` has the version of each request. */
async function startSecureSite(handler: Handler): Promise<{ url: string; seen: string[]; server: Http2SecureServer }> {
  const seen: string[] = [];
  const sessions = new Set<{ destroy(): void }>();
  const server = createSecureServer({ ...SELF_SIGNED, allowHTTP1: true }, (request, response) => {
    if (request.url === "/robots.txt" || request.url.includes("carrel-no-such-page")) {
      response.writeHead(404).end();
      return;
    }
    seen.push(request.httpVersion);
    handler(request, response);
  });
  server.on("session", (session) => sessions.add(session));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `https://127.0.0.1:${address.port}/`, seen, server };
}

const html = { "content-type": "text/html" };

test("HTTP/2 is spoken where TLS offers it: pages, compression, validators, refusals and redirects", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
  const { url, seen } = await startSecureSite((request, response) => {
    if (request.url === "/")
      response.writeHead(200, html).end(page("Home", ...names, "gz", "same", "gone", "moved", "zip"));
    else if (request.url === "/gz")
      response.writeHead(200, { ...html, "content-encoding": "gzip" }).end(gzipSync(page("Gz")));
    else if (request.url === "/gone") response.writeHead(410).end();
    else if (request.url === "/moved") response.writeHead(301, { location: "/target" }).end();
    else if (request.url === "/zip")
      response.writeHead(200, { "content-type": "application/zip" }).end(Buffer.alloc(300_000));
    else if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, html).end(page(request.url));
  });
  const crawled = await crawl(url, { fetcher: { access: TRUSTING }, known: [{ url: `${url}same`, etag: '"1"' }] });
  expect(crawled.pages()).toHaveLength(43);
  expect(crawled.outcome("same")).toEqual({ kind: "unchanged" });
  expect(crawled.outcome("gone")).toEqual({ kind: "gone", status: 410 });
  expect(crawled.outcome("moved")?.kind).toBe("moved");
  expect(crawled.outcome("zip")?.kind).toBe("skipped");
  expect(new Set(seen)).toEqual(new Set(["2.0"]));
});

test("over HTTP/2 a stream that hangs or is reset is a failure of that page alone", async () => {
  const { url } = await startSecureSite((request, response) => {
    if (request.url === "/") response.writeHead(200, html).end(page("Home", "hangs", "resets", "half", "a", "b"));
    else if (request.url === "/hangs") return;
    else if (request.url === "/resets") response.stream.close(2);
    else if (request.url === "/half") {
      response.writeHead(200, html);
      response.write("<html>half");
      setImmediate(() => response.stream.close(2));
    } else response.writeHead(200, html).end(page(request.url));
  });
  const timeouts = { ...DEFAULT_TIMEOUTS, headersMs: 300, bodyMs: 300, totalMs: 2_000 };
  const fetcher = { access: TRUSTING, timeouts, retry: { ...QUICK_RETRY, retries: 1 } };
  const crawled = await crawl(url, { fetcher });
  expect(crawled.pages()).toEqual(["", "a", "b"]);
  for (const path of ["hangs", "resets", "half"]) expect([path, crawled.outcome(path)?.kind]).toEqual([path, "failed"]);
  expect(reason(crawled.outcome("hangs"))).toContain("did not begin to answer within 0.3 s");
});

test("a connection that the server ends in the middle is made anew", async () => {
  let answered = 0;
  const names = Array.from({ length: 30 }, (_, n) => `p${n}`);
  const { url } = await startSecureSite((request, response) => {
    response.writeHead(200, html).end(request.url === "/" ? page("Home", ...names) : page(request.url));
    if (++answered % 10 === 0) response.stream.session?.close();
  });
  const crawled = await crawl(url, { fetcher: { access: TRUSTING } });
  expect(crawled.pages()).toHaveLength(31);
});
