import { once } from "node:events";
import { PROBE_NAME } from "../../../src/fetch/soft-404.ts";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

/** One request as the server saw it. */
interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Milliseconds of performance.now when it arrived. */
  readonly at: number;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** An HTML page's source, an answer, or whoever gives it; `nth` counts the requests for this path from 1. */
export type Route =
  | string
  | Answer
  | ((
      request: IncomingMessage,
      response: ServerResponse,
      nth: number,
    ) => Answer | undefined | Promise<Answer | undefined>);

/** A site on a free port of the loopback that keeps a log of what it was asked. */
export interface Site extends AsyncDisposable {
  /** Ends in a slash. */
  readonly url: string;
  readonly seen: readonly Seen[];
  readonly mostInFlight: () => number;
  paths(): string[];
}

/** The route for addresses that nobody has, for sites that answer them with anything but 404. */
export const MADE_UP = "/made-up";

/**
 * Routes are by path and query; what has none is answered by `otherwise`, or with 404. A site without a route for it has no
 * robots.txt and no pages under made-up addresses, and does not count who asks.
 */
export async function startSite(routes: Readonly<Record<string, Route>>, otherwise?: Route): Promise<Site> {
  const seen: Seen[] = [];
  let inFlight = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const isAside = path === "/robots.txt" || (path.includes(PROBE_NAME) && routes[MADE_UP] === undefined);
    if (isAside && routes[path] === undefined) {
      response.writeHead(404).end();
      return;
    }
    seen.push({ path, headers: request.headers, at: performance.now() });
    most = Math.max(most, ++inFlight);
    response.on("close", () => inFlight--);
    const route = (path.includes(PROBE_NAME) ? routes[MADE_UP] : routes[path]) ??
      otherwise ?? { status: 404, body: page("Not found") };
    const nth = seen.filter((other) => other.path === path).length;
    void answerWith(route, request, response, nth);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site has no port");
  const { port } = address;
  return {
    url: `http://127.0.0.1:${port}/`,
    seen,
    mostInFlight: () => most,
    paths: () => seen.map(({ path }) => path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answerWith(
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  nth: number,
): Promise<void> {
  const answer = typeof route === "function" ? await route(request, response, nth) : route;
  if (answer === undefined) return;
  const { status = 200, headers = {}, body = "" } = typeof answer === "string" ? { body: answer } : answer;
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
  response.end(body);
}

/** A small HTML page with links. */
export function page(title: string, ...hrefs: string[]): string {
  const links = hrefs.map((href) => `<li><a href="${href}">${href}</a></li>`).join("");
  return `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><ul>${links}</ul></body></html>`;
}

/** Answers with a redirect. */
export function redirect(location: string, status = 301): Answer {
  return { status, headers: { location } };
}
