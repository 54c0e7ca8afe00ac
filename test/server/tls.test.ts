import { copyFileSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import type { TLSSocket } from "node:tls";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { startTestServer } from "./support/running-server.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures/", import.meta.url));

function pairIn(folder: string) {
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const use = (name: string) => {
    copyFileSync(join(FIXTURES, `${name}-cert.pem`), files.cert);
    copyFileSync(join(FIXTURES, `${name}-key.pem`), files.key);
  };
  return { files, use };
}

/** Asks on a connection of its own. @returns the status, and whose certificate was shown. */
function ask(url: string): Promise<{ status: number | undefined; name: unknown }> {
  return new Promise((resolve, reject) => {
    // The certificates of this test are signed by themselves.
    get(`${url}healthz`, { rejectUnauthorized: false, agent: false }, (response) => {
      const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
      response.resume().on("end", () => resolve({ status: response.statusCode, name }));
    }).on("error", reject);
  });
}

test("a certificate is used, its successor from the next connection on, and a broken one never", async () => {
  const { files, use } = pairIn(tempFolder());
  use("first");
  const server = await startTestServer({ tls: files });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^https:/);
  expect(await ask(server.url)).toEqual({ status: 200, name: "first.carrel.test" });
  writeFileSync(files.cert, "half a certif");
  expect((await ask(server.url)).name).toBe("first.carrel.test");
  expect(server.warnings.join()).toContain("The certificate of before stays in use");
  use("second");
  expect((await ask(server.url)).name).toBe("second.carrel.test");
  await expect(fetch(server.url.replace("https", "http"))).rejects.toThrow("fetch failed");
});

test("a certificate that cannot be used is said before anything is served", async () => {
  const { files, use } = pairIn(tempFolder());
  await expect(startTestServer({ tls: files })).rejects.toMatchObject({ code: "config" });
  use("first");
  copyFileSync(join(FIXTURES, "second-key.pem"), files.key);
  await expect(startTestServer({ tls: files })).rejects.toThrow(/cannot be used: .*mismatch/);
});
