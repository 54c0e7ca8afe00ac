import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_TIMEOUTS } from "../../src/fetch/exchange.ts";
import { crawl, DEFAULT_RULES, linkUrls, QUICK_RETRY, reason, type CrawlOptions } from "./support/crawl.ts";
import { page, startSite } from "./support/site.ts";

const OWN: CrawlOptions = {
  source: { rules: { ...DEFAULT_RULES, obeyRobots: false } },
  fetcher: { retry: { ...QUICK_RETRY, retries: 0 } },
};

/** A server that writes bytes as a path wants them, HTTP or not, and knows no made-up address. */
async function startWire(paths: Readonly<Record<string, (socket: Socket) => void>>): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      const [, path = ""] = /^GET (\S+) /.exec(data.toString("latin1")) ?? [];
      const answer = paths[path];
      if (answer === undefined) socket.write("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      else answer(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}/`;
}

const whole = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** What becomes of a page that is answered so, beside one that is answered well. */
async function outcomeOfWire(answer: (socket: Socket) => void, timeouts = DEFAULT_TIMEOUTS): Promise<string> {
  const url = await startWire({
    "/": (socket) => socket.write(whole(page("Home", "odd", "fine"))),
    "/odd": answer,
    "/fine": (socket) => socket.write(whole(page("Fine"))),
  });
  const crawled = await crawl(url, { ...OWN, fetcher: { ...OWN.fetcher, timeouts }, limits: { concurrency: 1 } });
  // A page beside it is as it should be.
  expect(crawled.outcome("fine")).toMatchObject({ page: { body: Buffer.from(page("Fine")) } });
  const outcome = crawled.outcome("odd");
  return outcome?.kind === "failed" ? reason(outcome) : (outcome?.kind ?? "nothing");
}

test("a server that drips its headers is given up after the time for headers", async () => {
  const timeouts = { ...DEFAULT_TIMEOUTS, headersMs: 300, totalMs: 5_000 };
  const failed = await outcomeOfWire((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const drip = setInterval(() => socket.write("x-a: b\r\n"), 20);
    socket.on("close", () => clearInterval(drip));
  }, timeouts);
  expect(failed).toBe("the host did not begin to answer within 0.3 s");
});

test("a flood of headers is cut off", async () => {
  const flood = "x-flood: ".concat("y".repeat(1_000), "\r\n").repeat(200);
  const failed = await outcomeOfWire((socket) => socket.write(`HTTP/1.1 200 OK\r\n${flood}\r\nx`));
  expect(failed).toContain("the answer's headers are too large");
});

test.each([
  [
    "a body shorter than its Content-Length",
    "content-length: 500\r\n\r\n<html>short",
    /before it had answered in full/,
  ],
  ["two different lengths", "content-length: 5\r\ncontent-length: 9\r\n\r\n<html>bod", /./],
  ["a length that is no number", "content-length: many\r\n\r\n<html>", /./],
  ["a chunk whose size is no number", "transfer-encoding: chunked\r\n\r\nzz\r\n<html>\r\n0\r\n\r\n", /./],
  [
    "chunks that end in the middle",
    "transfer-encoding: chunked\r\n\r\n50\r\n<html>half",
    /before it had answered in full/,
  ],
])("%s is a failure", async (_, rest, message) => {
  const failed = await outcomeOfWire((socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${rest}`));
  expect(failed).toMatch(message);
  expect(["page", "nothing"]).not.toContain(failed);
});

test.each([
  ["no HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n"],
  ["nothing", ""],
  ["a status that is no number", "HTTP/1.1 OK\r\n\r\n"],
  ["a header without a name", "HTTP/1.1 200 OK\r\n: nothing\r\n\r\n"],
])("an answer that is %s is a failure", async (_, bytes) => {
  expect(["page", "nothing", "gone"]).not.toContain(await outcomeOfWire((socket) => socket.end(bytes)));
});

test("what is sent beyond the Content-Length is no part of the page, nor the answer to another", async () => {
  const odd = await outcomeOfWire((socket) =>
    socket.write(`${whole(page("Odd"))}HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n<smugg>`),
  );
  expect(odd).not.toContain("smugg");
});

const E_ACUTE = { latin: Buffer.from([0xe9]), utf8: Buffer.from("é") };

test.each([
  ["UTF-8 labelled ISO-8859-1", "text/html; charset=ISO-8859-1", E_ACUTE.utf8],
  ["ISO-8859-1 labelled UTF-8", "text/html; charset=utf-8", E_ACUTE.latin],
  ["ISO-8859-1 labelled so", "text/html; charset=iso-8859-1", E_ACUTE.latin],
  ["UTF-8 without a label", "text/html", E_ACUTE.utf8],
])("links are right, and bytes kept, in %s", async (_, type, letter) => {
  const body = Buffer.concat([Buffer.from(`<html><body><a href="/caf`), letter, Buffer.from(`">x</a>`)]);
  await using site = await startSite({ "/": { body, headers: { "content-type": type } }, "/caf%C3%A9": page("Café") });
  const crawled = await crawl(site.url);
  expect(linkUrls(crawled.outcome(""))).toEqual([`${site.url}caf%C3%A9`]);
  expect(crawled.outcome("")).toMatchObject({ page: { body: Buffer.from(body) } });
});

test("a page of UTF-8 with one damaged letter stays UTF-8", async () => {
  const body = Buffer.concat([Buffer.from(`<a href="/日本">日本</a> caf`), E_ACUTE.latin]);
  await using site = await startSite({ "/": { body, headers: { "content-type": "text/html; charset=utf-8" } } });
  expect(linkUrls(await crawl(site.url).then((crawled) => crawled.outcome("")))).toEqual([
    `${site.url}${encodeURIComponent("日本")}`,
  ]);
});

test("Markdown that is sent as HTML is Markdown, and HTML at such an address is HTML", async () => {
  await using site = await startSite({
    "/": page("Home", "a.md", "b.md"),
    "/a.md": { body: "# A\n\n[C](c.html)" },
    "/b.md": page("B"),
    "/c.html": page("C"),
  });
  const crawled = await crawl(site.url);
  expect(crawled.outcome("a.md")).toMatchObject({ page: { contentType: "text/markdown; charset=utf-8" } });
  expect(crawled.outcome("b.md")).toMatchObject({ page: { contentType: "text/html; charset=utf-8" } });
  expect(crawled.pages()).toContain("c.html");
});
