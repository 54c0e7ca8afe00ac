import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type Socket } from "node:net";
import { buildConnector } from "undici";
import type { Proxy, ProxyRules } from "../domain/access.ts";
import { FetchFailure, failureOf } from "./failure.ts";

/** The proxy that is in the way to a URL; undefined when it is asked directly. */
export function proxyOf({ http, https, except }: ProxyRules, url: URL): Proxy | undefined {
  const proxy = url.protocol === "https:" ? https : http;
  if (proxy === undefined || isLoopback(url.hostname)) return undefined;
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return except.some((entry) => excepts(entry, bare(url.hostname), port)) ? undefined : proxy;
}

/**
 * One's own machine is never asked by way of another, for there it would be that one's.
 * Source: Go's httpproxy, which has the same exception.
 */
function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    (isIP(host) === 4 && host.startsWith("127."))
  );
}

/** An entry of NO_PROXY: `*`, a host and those below it (with a dot before it or not), an address, a range; each with a port or without. */
function excepts(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, name = "", only] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  const [wanted, wantedPort] = name === "" ? [entry, undefined] : [bare(name), only];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const [address = "", bits] = wanted.split("/");
  const family = isIP(address);
  if (family !== 0) {
    if (isIP(host) !== family) return false;
    const kind = family === 4 ? "ipv4" : "ipv6";
    const list = new BlockList();
    if (bits === undefined) list.addAddress(address, kind);
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
      list.addSubnet(address, Number(bits), kind);
    return list.check(host, kind);
  }
  const suffix = wanted.replace(/^\*?\./, "");
  return suffix !== "" && (host === suffix || host.endsWith(`.${suffix}`));
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

/**
 * Connects to proxies. For an http URL the connection is one to the proxy, which is asked for whole URLs; for an https URL it
 * is a tunnel through the proxy (CONNECT, RFC 9110 section 9.3.6), in which `secure` speaks TLS with the host itself.
 * @param ca authorities that are trusted, for a proxy that is called by https; those of Node when undefined.
 */
export function proxyConnector(timeoutMs: number, ca: readonly string[] | undefined) {
  const trusted = ca === undefined ? {} : { ca: [...ca] };
  const plain = buildConnector({ timeout: timeoutMs, allowH2: false, ...trusted });
  return (
    proxy: Proxy,
    options: buildConnector.Options,
    secure: buildConnector.connector,
    callback: buildConnector.Callback,
  ): void => {
    const url = new URL(proxy.url);
    const failed = (thrown: unknown): void => callback(proxyFailure(url, thrown), null);
    if (options.protocol === "https:") {
      const target = (options.host ?? options.hostname).replace(/^(\[[^\]]*\]|[^:]*)$/, "$1:443");
      openTunnel({ proxy, url, target, timeoutMs, trusted }).then(
        (httpSocket) => secure({ ...options, httpSocket }, callback),
        failed,
      );
      return;
    }
    const { hostname, protocol, port, host } = url;
    plain({ hostname: bare(hostname), host, protocol, port }, (error, socket) => {
      if (error === null) callback(null, socket);
      else failed(error);
    });
  };
}

interface Tunnel {
  readonly proxy: Proxy;
  readonly url: URL;
  /** Host and port. */
  readonly target: string;
  readonly timeoutMs: number;
  readonly trusted: { readonly ca?: string[] };
}

function openTunnel({ proxy, url, target, timeoutMs, trusted }: Tunnel): Promise<Socket> {
  const authorization = proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)({
      method: "CONNECT",
      host: bare(url.hostname),
      port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      ...trusted,
    });
    const timer = setTimeout(
      () => request.destroy(new FetchFailure(`no tunnel to ${target} within ${timeoutMs / 1000} s`, true)),
      timeoutMs,
    );
    request.on("connect", ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(refusal(statusCode, target));
    });
    // A proxy that answers CONNECT with a page of its own.
    request.on("response", (response) => {
      clearTimeout(timer);
      response.resume();
      request.destroy();
      reject(refusal(response.statusCode ?? 0, target));
    });
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end();
  });
}

function refusal(status: number, target: string): FetchFailure {
  if (status === 407) return new FetchFailure("it wants a user and a password (407); say them in proxyAuth", false);
  return new FetchFailure(`it answered ${status} when asked for ${target}`, status >= 500);
}

function proxyFailure(url: URL, thrown: unknown): FetchFailure {
  const { message, retry } = failureOf(thrown);
  return new FetchFailure(`the proxy ${url.host}: ${message}`, retry, undefined, thrown);
}
