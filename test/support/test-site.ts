import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A web site whose pages a test changes while it is served. */
export interface TestSite {
  /** Ends in a slash. */
  readonly url: string;
  /** HTML by path, such as `/guide/start.html`; what is not here is 404. */
  readonly pages: Map<string, string>;
  /** Paths that answer something else, whatever page they have. */
  readonly answers: Map<string, { status: number; body: string; headers?: Readonly<Record<string, string>> }>;
  /** Paths that answer 301, and where to. */
  readonly redirects: Map<string, string>;
  /** Every request since the last `requests.length = 0`. */
  readonly requests: { readonly path: string; readonly status: number }[];
  /** Called before a request is answered. */
  onRequest: (request: IncomingMessage) => void;
}

/** Serves HTML with ETags on a free port until the test ends. */
export async function startTestSite(pages: Readonly<Record<string, string>> = {}): Promise<TestSite> {
  const server = createServer((request, response) => {
    site.onRequest(request);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const answer = site.answers.get(path);
    if (answer !== undefined) {
      site.requests.push({ path, status: answer.status });
      response.writeHead(answer.status, { "content-type": "text/html; charset=utf-8", ...answer.headers });
      response.end(answer.body);
      return;
    }
    const redirect = site.redirects.get(path);
    const body = site.pages.get(path);
    const etag = `"${createHash("sha256")
      .update(body ?? "")
      .digest("hex")
      .slice(0, 16)}"`;
    const isSame = body !== undefined && request.headers["if-none-match"] === etag;
    const status = redirect !== undefined ? 301 : body === undefined ? 404 : isSame ? 304 : 200;
    site.requests.push({ path, status });
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      ...(redirect === undefined ? {} : { location: redirect }),
      ...(body === undefined ? {} : { etag }),
    });
    response.end(status === 200 ? body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const site: TestSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    pages: new Map(Object.entries(pages)),
    answers: new Map(),
    redirects: new Map(),
    requests: [],
    onRequest() {},
  };
  return site;
}

/** A documentation page in the shape that Sphinx gives it. */
export function sphinxPage(title: string, body: string, links: readonly string[] = []): string {
  const menu = links.map((link) => `<li><a class="reference internal" href="${link}">${link}</a></li>`).join("");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Docutils 0.19">
<title>${title} &#8212; Widget documentation</title></head>
<body><div class="related" role="navigation"><a href="/">index</a></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main">
<section id="top"><h1>${title}<a class="headerlink" href="#top" title="Permalink">¶</a></h1>${body}</section>
</div></div></div><div class="sphinxsidebar" role="navigation"><ul>${menu}</ul></div></div></body></html>`;
}
