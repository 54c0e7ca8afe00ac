import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { pageHtml, STYLE_SHEET } from "./layout.ts";
import { pageHref, renderMarkdown } from "./markdown.ts";
import { readManual, START_PAGE } from "./page.ts";
import { STYLE } from "./style.ts";

/** One file of a site, as it is sent. */
export interface SiteFile {
  readonly contentType: string;
  readonly body: string;
  readonly etag: string;
  readonly lastModified: Date;
}

export interface RunningManual {
  /** Where the start page is; ends in a slash. */
  readonly url: string;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";

/** The site loads its own style sheet, and runs, embeds and sends nothing. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};

/**
 * Makes a documentation site of the Markdown files of a folder: its files by their paths. The title of the start page is the
 * title of the site.
 * @throws CarrelError `not-found` when the folder holds no pages.
 */
export function buildSite(dir: string): ReadonlyMap<string, SiteFile> {
  const pages = readManual(dir);
  const siteTitle = pages.find((page) => page.id === START_PAGE)?.title ?? "Manual";
  const files = new Map<string, SiteFile>();
  for (const page of pages) {
    const html = pageHtml(page, renderMarkdown(page.markdown), pages, siteTitle);
    const path = page.id === START_PAGE ? "/" : `/${pageHref(page.id)}`;
    files.set(path, siteFile("text/html; charset=utf-8", html, page.changed));
  }
  const newest = new Date(Math.max(...pages.map((page) => page.changed.getTime())));
  files.set(`/${STYLE_SHEET}`, siteFile("text/css; charset=utf-8", STYLE, newest));
  return files;
}

/**
 * Serves the site of a folder to this machine only. What changes in the folder is not seen.
 * @param options `port` 0 for any free one
 * @throws CarrelError `not-found` as `buildSite` does, `busy` when the port is taken.
 */
export async function serveManual(options: { readonly dir: string; readonly port: number }): Promise<RunningManual> {
  const files = buildSite(options.dir);
  const server = createServer((request, response) => answer(files, request, response));
  await listen(server, options.port);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://${HOST}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(files: ReadonlyMap<string, SiteFile>, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { ...HEADERS, allow: "GET, HEAD", "content-length": 0 }).end();
    return;
  }
  const path = request.url?.split("?", 1)[0] ?? "";
  const file = files.get(path === `/${START_PAGE}.html` ? "/" : path);
  if (file === undefined) {
    const body =
      '<!doctype html>\n<html lang="en"><title>Not found</title><h1>Not found</h1><p><a href="/">Start page</a></p></html>\n';
    const length = Buffer.byteLength(body);
    response.writeHead(404, { ...HEADERS, "content-type": "text/html; charset=utf-8", "content-length": length });
    response.end(request.method === "HEAD" ? undefined : body);
    return;
  }
  const validators = { etag: file.etag, "last-modified": file.lastModified.toUTCString() };
  if (isUnchanged(file, request)) {
    response.writeHead(304, { ...HEADERS, ...validators }).end();
    return;
  }
  const length = Buffer.byteLength(file.body);
  response.writeHead(200, { ...HEADERS, ...validators, "content-type": file.contentType, "content-length": length });
  response.end(request.method === "HEAD" ? undefined : file.body);
}

/** Source: RFC 9110, section 13.2.2: the date counts only where no tag is sent. */
function isUnchanged(file: SiteFile, request: IncomingMessage): boolean {
  const tags = request.headers["if-none-match"];
  if (tags !== undefined) {
    return tags === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === file.etag);
  }
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  // HTTP dates have no fractions of a second.
  return Math.floor(file.lastModified.getTime() / 1_000) * 1_000 <= since;
}

function siteFile(contentType: string, body: string, lastModified: Date): SiteFile {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return { contentType, body, etag, lastModified };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const reason = taken ? "another program listens there; choose another port" : reasonOf(error);
      const message = `The manual cannot be served on port ${port} of ${HOST}: ${reason}.`;
      reject(new CarrelError(taken ? "busy" : "config", message, { cause: error }));
    });
    server.listen(port, HOST, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}
