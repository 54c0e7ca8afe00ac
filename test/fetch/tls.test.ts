import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { createAccessReader } from "../../src/config/credentials.ts";
import type { TlsRules } from "../../src/domain/access.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { crawl, DEFAULT_RULES, reason, webSource, type CrawlOptions } from "./support/crawl.ts";
import { AUTHORITY, CLIENT, SERVER } from "./support/private-authority.ts";
import { SELF_SIGNED } from "./support/self-signed.ts";
import { page } from "./support/site.ts";

interface Seen {
  readonly path: string;
  /** The name in the client's certificate; "" without one. */
  readonly client: string;
}

async function startTlsSite(options: object, home = page("Home")): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(options, (request, response) => {
    const socket = request.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } };
    seen.push({ path: request.url ?? "", client: socket.getPeerCertificate().subject?.CN ?? "" });
    const isThere = request.url === "/";
    response.writeHead(isThere ? 200 : 404, { "content-type": "text/html" }).end(isThere ? home : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${(server.address() as { port: number }).port}/`, seen };
}

/** The files that a pipeline names. */
function files(): { ca: string; cert: string; key: string } {
  const folder = tempFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return { ca: file("ca.pem", AUTHORITY), cert: file("client.pem", CLIENT.cert), key: file("client.key", CLIENT.key) };
}

function withTls(tls: TlsRules, environment: Readonly<Record<string, string>> = {}): CrawlOptions {
  return {
    source: { rules: { ...DEFAULT_RULES, obeyRobots: false }, access: { tls } },
    fetcher: { access: createAccessReader(() => undefined, environment) },
  };
}

const PASSPHRASE = { KEY_PASSPHRASE: CLIENT.passphrase };

test("a certificate of a private authority is trusted with its file alone", async () => {
  const site = await startTlsSite(SERVER);
  expect((await crawl(site.url, withTls({ ca: files().ca }))).pages()).toEqual([""]);
  expect(reason((await crawl(site.url, withTls({}))).outcome(""))).toContain("the certificate is not trusted");
});

test("an authority of Node's own variable is trusted besides that of the pipeline", async () => {
  const site = await startTlsSite(SELF_SIGNED);
  const extra = join(tempFolder(), "extra.pem");
  writeFileSync(extra, SELF_SIGNED.cert);
  const options = withTls({ ca: files().ca }, { NODE_EXTRA_CA_CERTS: extra });
  expect((await crawl(site.url, options)).pages()).toEqual([""]);
});

test("a client certificate lets in, and is shown to no other host", async () => {
  const demanding = { ...SERVER, ca: AUTHORITY, requestCert: true };
  const other = await startTlsSite({ ...demanding, rejectUnauthorized: false });
  const site = await startTlsSite({ ...demanding, rejectUnauthorized: true }, page("Home", other.url));
  const { ca, cert, key } = files();
  const tls = { ca, cert, key, keyPassphrase: { env: "KEY_PASSPHRASE" } };
  const options = withTls(tls, PASSPHRASE);
  const { origin } = new URL(site.url);
  const source = { ...options.source, access: { tls, auth: { origins: [origin] } } };
  const crawled = await crawl([site.url, other.url], { ...options, source });
  expect(crawled.pages()).toContain("");
  expect(site.seen.map(({ client }) => client)).toContain("reader");
  expect(other.seen.length).toBeGreaterThan(0);
  expect(other.seen.map(({ client }) => client)).not.toContain("reader");
  expect((await crawl(site.url, withTls({ ca }))).pages()).toEqual([]);
});

test("any certificate is accepted only where that is asked for, and only of the source's own hosts", async () => {
  const other = await startTlsSite(SELF_SIGNED);
  const site = await startTlsSite(SELF_SIGNED, page("Home", other.url));
  const options = withTls({ verify: false });
  expect((await crawl(site.url, options)).pages()).toEqual([""]);
  const tls = { verify: false };
  const source = { ...options.source, access: { tls, auth: { origins: [new URL(site.url).origin] } } };
  const crawled = await crawl([site.url, other.url], { ...options, source });
  expect(crawled.pages()).toContain("");
  expect(other.seen).toEqual([]);
});

test.each<[string, (of: ReturnType<typeof files>) => TlsRules, RegExp]>([
  [
    "an authority that is not there",
    () => ({ ca: "/nowhere/ca.pem" }),
    /tls\.ca: the file \/nowhere\/ca\.pem cannot be read: it is not there/,
  ],
  [
    "an authority that is no PEM",
    ({ key }) => ({ ca: key }),
    /tls\.ca: the file \S+client\.key holds no certificate in PEM/,
  ],
  [
    "a key without its passphrase",
    ({ cert, key }) => ({ cert, key }),
    /tls\.key: the file \S+client\.key holds no key in PEM that opens without/,
  ],
  [
    "a key with another passphrase",
    ({ cert, key }) => ({ cert, key, keyPassphrase: { env: "WRONG" } }),
    /tls\.key: the file \S+client\.key holds no key in PEM that its passphrase opens/,
  ],
  [
    "a key of another certificate",
    ({ ca, key }) => ({ cert: ca, key, keyPassphrase: { env: "KEY_PASSPHRASE" } }),
    /tls\.key: \S+client\.key is not the key of the certificate in \S+ca\.pem/,
  ],
])("%s is an error that names it", (_, tls, message) => {
  const read = createAccessReader(() => undefined, { ...PASSPHRASE, WRONG: "another-passphrase" });
  const source = webSource(["https://docs.corp.test/"], { source: { access: { tls: tls(files()) } } });
  expect(() => read(source)).toThrow(message);
  expect(() => read(source)).not.toThrow(/another-passphrase/);
});
