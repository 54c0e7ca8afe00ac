import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../src/fetch/exchange.ts";
import { DEFAULT_RULES, crawl, reason } from "./support/crawl.ts";
import { page, startSite } from "./support/site.ts";

const ONCE = { retry: { retries: 0, firstMs: 1, maxWaitMs: 1_000 } };

test("compressed pages are archived expanded", async () => {
  const encoded: Record<string, [string, Buffer]> = {
    "/gzip": ["gzip", gzipSync(page("gzip"))],
    "/deflate": ["deflate", deflateSync(page("deflate"))],
    "/raw": ["deflate", deflateRawSync(page("raw"))],
    "/br": ["br", brotliCompressSync(page("br"))],
    "/twice": ["gzip, br", brotliCompressSync(gzipSync(page("twice")))],
  };
  await using site = await startSite({ "/": page("Home", ...Object.keys(encoded)) }, (request) => {
    const [encoding, body] = encoded[request.url ?? ""] ?? ["", Buffer.alloc(0)];
    return { body, headers: { "content-encoding": encoding } };
  });
  const crawled = await crawl(site.url);
  for (const path of Object.keys(encoded)) {
    const outcome = crawled.outcome(path.slice(1));
    expect(outcome?.kind === "page" && Buffer.from(outcome.page.body).toString()).toBe(page(path.slice(1)));
  }
});

test("a decompression bomb, a large body and an endless body fail at the cap, and are asked once", async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000, 32), { level: 1 });
  await using site = await startSite({
    "/": page("Home", "bomb", "large", "endless"),
    "/bomb": { body: bomb, headers: { "content-encoding": "gzip" } },
    "/large": { body: page("x".repeat(1_100_000)) },
    "/endless": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 65)));
      };
      response.on("drain", more);
      more();
      return undefined;
    },
  });
  const crawled = await crawl(site.url);
  for (const path of ["bomb", "large", "endless"]) {
    expect(crawled.outcome(path)).toEqual({
      kind: "failed",
      reason: "larger than 1000000 bytes (limits.maxPageBytes)",
    });
  }
  expect(site.paths()).toHaveLength(4);
});

test("what is no document may be of any size, and its connection is done with", async () => {
  const large = "x".repeat(3_000_000);
  await using site = await startSite({
    "/": page("Home", "log", "image", "bytes", "missing", "typeless"),
    "/log": { body: large, headers: { "content-type": "text/plain" } },
    "/image": { body: large, headers: { "content-type": "image/png" } },
    "/bytes": { body: large, headers: { "content-type": "application/octet-stream" } },
    "/typeless": { body: large, headers: { "content-type": "" } },
    "/missing": { status: 404, body: page(large) },
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("missing")).toEqual({ kind: "gone", status: 404 });
  expect(reason(crawled.outcome("image"))).toBe("image/png is no document");
  expect(reason(crawled.outcome("log"))).toBe("text/plain, larger than 1000000 bytes (limits.maxPageBytes)");
  for (const path of ["log", "image", "bytes", "typeless"]) expect(crawled.outcome(path)?.kind).toBe("skipped");
});

test("a body that is cut short or damaged is a failure, however it was sent", async () => {
  const whole = gzipSync(page("x".repeat(1000)));
  await using site = await startSite({
    "/": page("Home", "length", "chunks", "gzip", "notgzip", "unknown"),
    "/length": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
      response.write("<html>half of it");
      setImmediate(() => response.destroy());
      return undefined;
    },
    "/chunks": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<html>half of it");
      setImmediate(() => response.destroy());
      return undefined;
    },
    "/gzip": { body: whole.subarray(0, whole.length - 20), headers: { "content-encoding": "gzip" } },
    "/notgzip": { body: page("plain"), headers: { "content-encoding": "gzip" } },
    "/unknown": { body: page("plain"), headers: { "content-encoding": "zebra" } },
  });
  const crawled = await crawl(site.url, { fetcher: ONCE });
  expect(reason(crawled.outcome("length"))).toContain("closed the connection before it had answered in full");
  expect(reason(crawled.outcome("chunks"))).toContain("closed the connection before it had answered in full");
  expect(reason(crawled.outcome("gzip"))).toBe("the gzip body is damaged or cut short");
  expect(reason(crawled.outcome("notgzip"))).toBe("the gzip body is damaged or cut short");
  expect(reason(crawled.outcome("unknown"))).toContain('compressed as "zebra"');
  expect(crawled.pages()).toEqual([""]);
});

test("what is empty or damaged is asked for once more, and no oftener", async () => {
  await using site = await startSite({
    "/": page("Home", "empty", "notgzip"),
    "/empty": "",
    "/notgzip": { body: page("plain"), headers: { "content-encoding": "gzip" } },
  });
  const crawled = await crawl(site.url);
  expect(reason(crawled.outcome("empty"))).toBe("answered 200 OK with an empty body (asked 2 times)");
  expect(reason(crawled.outcome("notgzip"))).toBe("the gzip body is damaged or cut short (asked 2 times)");
  expect(site.paths().filter((path) => path !== "/")).toHaveLength(4);
});

test("an empty page is a failure, not an empty success", async () => {
  await using site = await startSite({
    "/": page("Home", "empty", "blank", "nothing"),
    "/empty": "",
    "/blank": " \n\t ",
    "/nothing": { status: 204 },
  });
  const crawled = await crawl(site.url, { fetcher: ONCE });
  expect(reason(crawled.outcome("empty"))).toBe("answered 200 OK with an empty body");
  expect(reason(crawled.outcome("blank"))).toBe("answered 200 OK with an empty body");
  expect(reason(crawled.outcome("nothing"))).toBe("answered 204 No Content");
});

test("each phase of an exchange has its limit", async () => {
  await using site = await startSite({
    "/": page("Home", "silent", "stalls", "drips"),
    "/silent": () => undefined,
    "/stalls": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<html>");
      return undefined;
    },
    "/drips": (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
      return undefined;
    },
  });
  const timeouts = { ...DEFAULT_TIMEOUTS, headersMs: 150, bodyMs: 150, totalMs: 600 };
  const crawled = await crawl(site.url, { fetcher: { ...ONCE, timeouts } });
  expect(reason(crawled.outcome("silent"))).toBe("the host did not begin to answer within 0.15 s");
  expect(reason(crawled.outcome("stalls"))).toBe(
    "the host stopped sending in the middle of the page: nothing within 0.15 s",
  );
  expect(reason(crawled.outcome("drips"))).toBe("not answered in full within 0.6 s");
});

test("a host that refuses connections, or is none, is a failure that says so", async () => {
  const site = await startSite({});
  await site[Symbol.asyncDispose]();
  const crawled = await crawl(site.url, { fetcher: ONCE });
  const why = `${site.url}robots.txt could not be read (the host refused the connection (ECONNREFUSED))`;
  expect(reason(crawled.outcome(""))).toBe(`not asked: ${why}`);
  expect(crawled.log).toEqual([`warning: ${why}: nothing is asked of this host`]);
  const own = await crawl(site.url, {
    fetcher: ONCE,
    source: { rules: { ...DEFAULT_RULES, obeyRobots: false } },
  });
  expect(reason(own.outcome(""))).toBe("the host refused the connection (ECONNREFUSED)");
});
