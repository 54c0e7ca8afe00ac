import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Twin } from "./google-twins.ts";

/** A twin that is served. */
export interface ServedTwin {
  /** Ends in a slash. */
  readonly url: string;
  /** Paths with queries, in the order in which they were asked for. */
  readonly asked: readonly string[];
}

/** Serves a twin on a free port of the loopback until the test ends. */
export async function serveTwin(twin: Twin): Promise<ServedTwin> {
  const files = filesOf(twin);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    const file = files.get(path);
    // As static hosts do: a directory without its slash leads to the one with it.
    if (file === undefined && files.has(`${path}/`)) {
      response.writeHead(301, { location: `${path}/` }).end();
      return;
    }
    response.writeHead(file === undefined ? 404 : 200, { "content-type": file?.type ?? "text/html; charset=utf-8" });
    response.end(file?.body ?? "<!doctype html><title>Not found</title><h1>Not found</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

interface ServedFile {
  readonly type: string;
  readonly body: string;
}

function filesOf(twin: Twin): ReadonlyMap<string, ServedFile> {
  const { host, pages, out, sitemap, robots = "Disallow:", hasLlmsTxt = false } = twin;
  const files = new Map<string, ServedFile>();
  const links = [...pages, ...out];
  for (const path of links) {
    const shape = twin.shapes?.[path] ?? twin.shape;
    const language = path.includes("hl=de") || path.startsWith("/intl/de") ? "de" : "en";
    const title = `Page ${links.indexOf(path)}`;
    const body =
      path.endsWith(".md") || path.endsWith(".md.txt") ? `# ${title}\n` : shape({ host, path, title, language, links });
    files.set(path, { type: path.includes(".md") ? "text/markdown" : "text/html; charset=utf-8", body });
  }
  const named = sitemap === "" ? "" : `\nSitemap: https://${host}${sitemap}`;
  files.set("/robots.txt", { type: "text/plain", body: `User-agent: *\n${robots}${named}\n` });
  if (sitemap !== "") {
    const part = sitemap.replace(/(?:-index)?\.xml$/, "_0_of_1.xml");
    const index = `<sitemap><loc>https://${host}${part}</loc></sitemap>`;
    files.set(
      sitemap,
      xml(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${index}</sitemapindex>`),
    );
    const entries = links.map((path) => `<url><loc>https://${host}${path}</loc><lastmod>2026-01-05</lastmod></url>`);
    files.set(part, xml(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</urlset>`));
  }
  if (hasLlmsTxt) {
    const lines = pages.map((path) => `- [${path}](https://${host}${path.replace(/\/$/, "") || "/index"}.md)`);
    files.set("/llms.txt", { type: "text/plain", body: `# Twin\n\n${lines.join("\n")}\n` });
  }
  return files;
}

function xml(body: string): ServedFile {
  return { type: "application/xml", body: `<?xml version="1.0" encoding="UTF-8"?>${body}` };
}
