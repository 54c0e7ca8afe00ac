import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { carrel, finished, startCarrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TOKEN = "t0ken-0f-the-private-docs";
const PASSWORD = "p4ssword-0f-the-proxy";
/** All forms in which one of them could be found. */
const SECRETS = [TOKEN, PASSWORD, Buffer.from(`crawler:${PASSWORD}`).toString("base64")];

/** A private site that repeats what it is sent, in pages, addresses and errors; a proxy stands before it. */
async function startEchoingSite(): Promise<{ proxy: string; letIn: () => number }> {
  let letIn = 0;
  const server = createServer((request: IncomingMessage, response) => {
    const { pathname } = new URL(request.url ?? "", "http://docs.corp.test/");
    const sent = String(request.headers.authorization);
    const proxied = String(request.headers["proxy-authorization"]);
    const isLetIn = sent === `Bearer ${TOKEN}` && proxied === `Basic ${SECRETS[2] ?? ""}`;
    if (!isLetIn) {
      response.writeHead(401).end();
      return;
    }
    letIn++;
    const html = { "content-type": "text/html", etag: `"${TOKEN}"`, "x-sent": `${sent} ${proxied}` };
    const text = "The widget is turned by hand until the marks on the wheel and the frame meet. ".repeat(5);
    const links = ["echo", "moved", "away", "fails", `deep?${TOKEN}`]
      .map((to) => `<a href="/${to}">${to}</a>`)
      .join(" ");
    if (pathname === "/") response.writeHead(200, html).end(`<h1>Widget</h1><p>${text}</p>${links}`);
    else if (pathname === "/echo")
      response.writeHead(200, html).end(`<h1>Echo</h1><p>${text} You sent ${sent} and ${proxied}.</p>`);
    else if (pathname === "/moved") response.writeHead(302, { location: `/echo?token=${TOKEN}` }).end();
    else if (pathname === "/away") response.writeHead(302, { location: `https://elsewhere.example/${TOKEN}` }).end();
    else if (pathname === "/fails") response.writeHead(403, `No ${TOKEN}`, html).end(sent);
    else response.writeHead(404, html).end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, letIn: () => letIn };
}

function expectNoSecret(where: string, text: string): void {
  for (const secret of SECRETS) expect([where, text.includes(secret)]).toEqual([where, false]);
}

test(
  "no secret is in logs, errors, stores, results or arguments, whatever the server does with it",
  { timeout: 120_000 },
  async () => {
    const site = await startEchoingSite();
    const folder = tempFolder();
    const pipelines = join(folder, "pipelines");
    const data = join(folder, "data");
    mkdirSync(pipelines);
    writeFileSync(join(folder, "proxy-password"), PASSWORD, { mode: 0o600 });
    writeFileSync(
      join(pipelines, "private.yaml"),
      `title: Private\nseeds: [http://docs.corp.test/]\nproxy: ${site.proxy}\nauth: { bearer: { env: DOCS_TOKEN } }
proxyAuth: { user: crawler, password: { file: ../proxy-password } }\n`,
    );
    writeFileSync(
      join(pipelines, "unset.yaml"),
      "title: Unset\nseeds: [http://other.corp.test/]\nauth: { bearer: { env: NOT_SET_HERE } }\n",
    );
    const where = ["--data", data, "--pipelines", pipelines];

    const refreshing = startCarrel(["refresh", ...where, "--json"], { DOCS_TOKEN: TOKEN });
    refreshing.once("spawn", () => {
      if (process.platform === "linux")
        expectNoSecret("arguments", readFileSync(`/proc/${refreshing.pid ?? 0}/cmdline`, "utf8"));
    });
    const { stdout, stderr } = await finished(refreshing);
    expect(site.letIn()).toBeGreaterThan(4);
    const { runs } = JSON.parse(stdout) as {
      runs: { source: string; status: string; note: string; counts: { fetched: number } }[];
    };
    expect(runs.map(({ source, status }) => [source, status])).toEqual([
      ["private", "partial"],
      ["unset", "failed"],
    ]);
    expect(runs[0]?.counts.fetched).toBeGreaterThanOrEqual(2);
    expect(runs[1]?.note).toContain("auth.bearer: the environment variable NOT_SET_HERE is not set");
    expectNoSecret("refresh", stdout + stderr);

    for (const file of readdirSync(data)) expectNoSecret(file, readFileSync(join(data, file)).toString("latin1"));
    const commands = [
      ["sources", "--json"],
      ["sources", "check", "http://docs.corp.test/echo", "--source", "private", "--json"],
      ["runs", "show", "1", "--json"],
      ["runs", "show", "1"],
      ["show", "http://docs.corp.test/echo"],
      ["try", "http://docs.corp.test/echo"],
      ["doctor", "--json"],
    ];
    const said = new Map<string, string>();
    for (const command of commands) {
      const { stdout: out, stderr: errors } = await carrel([...command, ...where], { DOCS_TOKEN: TOKEN });
      expectNoSecret(command.join(" "), out + errors);
      said.set(command.slice(0, 2).join(" "), out);
    }
    expect(said.get("show http://docs.corp.test/echo")).toContain("You sent Bearer REDACTED and Basic REDACTED");
    expect(said.get("sources --json")).toContain('"env": "DOCS_TOKEN"');
    expect(said.get("sources check")).toContain('"says": "it is there"');
    expect(said.get("doctor --json")).toContain(
      "unset, auth.bearer (env NOT_SET_HERE): the environment variable NOT_SET_HERE is not set",
    );
  },
);
