import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostNames, isHostAllowed, isOriginAllowed } from "../../src/server/guards.ts";
import { rawConnection, rawRequest } from "./support/raw-http.ts";
import { startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const JSON_TYPE = { "content-type": "application/json" };
const CALL = toolCall("search_documents", { query: "vacuum" });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ allowedHosts: ["docs.lan"] });
});
afterAll(() => server.close());

describe("Host and Origin", () => {
  test.each([
    ["127.0.0.1", 200],
    ["127.0.0.1:9999", 200],
    ["localhost:80", 200],
    ["LOCALHOST", 200],
    ["[::1]:7300", 200],
    ["docs.lan", 200],
    ["docs.lan:443", 200],
    ["evil.example", 403],
    ["localhost.", 403],
    ["localhost.evil.example", 403],
    ["127.0.0.1.evil.com", 403],
    ["evil.docs.lan", 403],
    ["127.0.0.1@evil.example", 403],
    ["127.0.0.1:80:80", 403],
    ["127.0.0.1:x", 403],
    ["[::1", 403],
    ["0.0.0.0", 403],
    ["0x7f000001", 403],
    ["", 403],
  ])("the Host %j is answered %i, on every path", async (host, status) => {
    const paths: [string, string, string][] = [
      ["POST", "/mcp", CALL],
      ["GET", "/healthz", ""],
      ["GET", "/elsewhere", ""],
    ];
    const statuses = await Promise.all(
      paths.map(async ([method, path, body]) => {
        const answer = await rawRequest(server, { method, path, body, headers: { ...JSON_TYPE, host } });
        return answer.status;
      }),
    );
    expect(statuses).toEqual(status === 200 ? [200, 200, 404] : [403, 403, 403]);
  });

  test.each([
    [undefined, 200],
    ["http://localhost:5173", 200],
    ["http://127.0.0.1:7300", 200],
    ["http://[::1]:1", 200],
    ["https://docs.lan", 200],
    ["http://evil.example", 403],
    ["https://localhost.evil.example", 403],
    ["http://127.0.0.1.evil.com", 403],
    ["http://localhost.", 403],
    ["http://localhost@evil.example", 403],
    ["http://localhost/path", 403],
    ["null", 403],
    ["", 403],
    ["file://", 403],
    ["chrome-extension://abcdefghijklmnop", 403],
    ["moz-extension://localhost", 403],
    ["localhost", 403],
  ])("the Origin %j is answered %i", async (origin, status) => {
    const headers = { ...JSON_TYPE, ...(origin !== undefined && { origin }) };
    expect((await rawRequest(server, { headers, body: CALL })).status).toBe(status);
    const allowed = isOriginAllowed(origin, new Set(["localhost", "127.0.0.1", "[::1]", "docs.lan"]));
    expect(allowed).toBe(status === 200);
  });

  test("a refusal says so as JSON-RPC, and is no error of the server", async () => {
    const { status, text, headers } = await rawRequest(server, {
      headers: { ...JSON_TYPE, host: "evil.example" },
      body: CALL,
    });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000 } });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("a request without Host, or for another server as a proxy is asked, is refused", async () => {
    expect(await rawConnection(server, "GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await rawConnection(server, "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    const absolute = "GET http://evil.example/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    expect(await rawConnection(server, absolute)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe("no bind beyond loopback unless it is asked for", () => {
  const binding = { host: "127.0.0.1", allowedHosts: [], insecure: false };

  test.each(["127.0.0.1", "127.8.8.8", "localhost", "::1"])("%s is loopback", (host) => {
    expect(hostNames({ ...binding, host }).has("localhost")).toBe(true);
  });

  test.each(["0.0.0.0", "::", "192.168.1.5", "host.lan", "127.0.0.1.evil.com", "128.0.0.1"])(
    "%s is refused without --insecure",
    async (host) => {
      expect(() => hostNames({ ...binding, host })).toThrow(/--insecure/);
      await expect(startTestServer({ host })).rejects.toMatchObject({ code: "config" });
    },
  );

  test("every address needs the names by which it is called, too", () => {
    expect(() => hostNames({ ...binding, host: "0.0.0.0", insecure: true })).toThrow(/--allowed-host/);
    const names = hostNames({ host: "0.0.0.0", allowedHosts: ["Docs.LAN"], insecure: true });
    expect([isHostAllowed("docs.lan", names), isHostAllowed("0.0.0.0", names), isHostAllowed("x.lan", names)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("an address that is asked for may be called by itself", () => {
    const names = hostNames({ ...binding, host: "192.168.1.5", insecure: true });
    expect([isHostAllowed("192.168.1.5:80", names), isHostAllowed("192.168.1.6", names)]).toEqual([true, false]);
  });
});
