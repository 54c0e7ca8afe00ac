import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the site has sent so far. */
export interface Served {
  readonly pages: number;
  /** Of these, the times that a page was sent again. */
  readonly again: number;
  readonly unchanged: number;
}

/** Links down: the site is a tree of this many branches, so that no page is deep. */
const BRANCHES = 10;
const PARAGRAPH =
  "The widget is put together from parts that are described in this section, each with its options and defaults. ".repeat(
    12,
  );

/**
 * Serves so many pages of about 8 kB with ETags on loopback, made up as they are asked for, in a process of its own; says
 * where, and answers each message with what it has sent.
 */
const pages = Number(process.argv[2] ?? "1000");
const sent = new Uint8Array(pages);
let unchanged = 0;
let times = 0;
let different = 0;

const server = createServer((request, response) => {
  const path = request.url ?? "";
  const page = path === "/" ? 0 : Number(/^\/p(\d+)\.html$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(page) || page >= pages) {
    response.writeHead(404, { "content-type": "text/html" }).end("<h1>404</h1>");
    return;
  }
  const etag = `"${page}"`;
  if (request.headers["if-none-match"] === etag) {
    unchanged++;
    response.writeHead(304, { etag }).end();
    return;
  }
  times++;
  if (sent[page] === 0) different++;
  sent[page] = 1;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", etag }).end(htmlOf(page));
});
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
process.on("message", () => {
  const served: Served = { pages: times, again: times - different, unchanged };
  process.send?.(served);
});

function htmlOf(page: number): string {
  const further = Array.from({ length: BRANCHES }, (_, i) => page * BRANCHES + i + 1);
  const near = [Math.floor((page - 1) / BRANCHES), page - 1, page + 1, (page * 7919) % pages, (page * 104_729) % pages];
  const links = [0, ...near, ...further].filter((to) => to >= 0 && to < pages);
  const menu = links.map((to) => `<li><a href="${to === 0 ? "./" : `p${to}.html`}#top">Page ${to}</a></li>`).join("\n");
  const sections = [1, 2, 3, 4, 5].map((n) => `<h2 id="s${n}">Part ${n} of ${page}</h2>\n<p>${PARAGRAPH}</p>`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title></head>
<body><nav><ul>${menu}</ul></nav><main><h1>Page ${page}</h1>${sections.join("\n")}</main></body></html>`;
}
