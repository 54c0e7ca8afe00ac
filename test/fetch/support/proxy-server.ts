import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy that takes every host for one on the loopback, and keeps a log. */
export interface ProxyServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** `CONNECT host:port`, `GET http://host/path`. */
  readonly seen: string[];
  /** The headers of all requests, tunnels and others. */
  readonly headers: string[];
}

/** @param to the port that each host name stands for. @param login what Proxy-Authorization must hold. */
export async function startProxy(to: (host: string) => number, login?: string): Promise<ProxyServer> {
  const seen: string[] = [];
  const headers: string[] = [];
  const sockets = new Set<Socket>();
  const isLetIn = (given: string | undefined): boolean => login === undefined || given === login;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    headers.push(JSON.stringify(request.headers));
    if (!isLetIn(request.headers["proxy-authorization"])) {
      response.writeHead(407).end();
      return;
    }
    const { hostname, pathname, search, host } = new URL(request.url ?? "");
    const { "proxy-authorization": _, ...rest } = request.headers;
    const onward = httpRequest(
      { host: "127.0.0.1", port: to(hostname), path: pathname + search, headers: { ...rest, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.writeHead(502).end());
    onward.end();
  });
  server.on("connect", (request, client: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    headers.push(JSON.stringify(request.headers));
    sockets.add(client);
    client.on("error", () => undefined);
    if (!isLetIn(request.headers["proxy-authorization"])) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const onward = connect(to((request.url ?? "").split(":")[0] ?? ""), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(client);
      client.pipe(onward);
    });
    sockets.add(onward);
    onward.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, seen, headers };
}
