import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findReferences } from "../../src/config/credentials.ts";
import { loadPipeline } from "../../src/config/pipelines.ts";
import { readSettings } from "../../src/config/settings.ts";
import { tempFolder } from "../support/temp-folder.ts";

function pipeline(text: string): string {
  const folder = join(tempFolder(), "pipelines");
  mkdirSync(folder);
  const file = join(folder, "wiki.yaml");
  writeFileSync(file, `title: Wiki\nseeds: [https://wiki.corp.test/]\n${text}`);
  return file;
}

test("what a pipeline says of access is read, its files beside the pipeline's own", () => {
  const file = pipeline(`proxy: http://proxy.corp.test:3128
proxyAuth: { user: { env: PROXY_USER }, password: { file: secrets/proxy } }
tls: { ca: ca.pem, cert: me.pem, key: me.key, keyPassphrase: { env: PASSPHRASE } }
auth:
  bearer: { env: TOKEN }
  headers: { X-Tenant: { file: /run/secrets/tenant } }
  cookies: { sid: { env: SID } }
  origins: [https://wiki.corp.test/]
`);
  const beside = (name: string): string => join(file, "..", name);
  expect(loadPipeline(file)).toMatchObject({
    access: {
      proxy: "http://proxy.corp.test:3128/",
      proxyAuth: { user: { env: "PROXY_USER" }, password: { file: beside("secrets/proxy") } },
      tls: { ca: beside("ca.pem"), cert: beside("me.pem"), key: beside("me.key"), verify: true },
      auth: {
        bearer: { env: "TOKEN" },
        headers: { "X-Tenant": { file: "/run/secrets/tenant" } },
        cookies: { sid: { env: "SID" } },
        origins: ["https://wiki.corp.test"],
      },
    },
  });
  expect(loadPipeline(pipeline(""))).not.toHaveProperty("access");
});

test.each([
  [
    "auth:\n  bearer: hunter2-secret",
    /:4: "auth\.bearer": a secret may not stand in a pipeline; write \{ env: NAME \}/,
  ],
  ["auth:\n  basic: { user: me, password: hunter2-secret }", /:4: "auth\.basic\.password": a secret may not stand/],
  ["auth:\n  basic: hunter2-secret", /:4: "auth\.basic" must be keys with values\./],
  ["auth: hunter2-secret", /:3: "auth" must be keys with values\./],
  ["auth:\n  cookies: sid=hunter2-secret", /:4: "auth\.cookies" must be keys with values\./],
  ["auth:\n  bearer: { value: hunter2-secret }", /:4: "auth\.bearer": expected one of the keys env and file/],
  ["auth:\n  bearer: { env: hunter2-secret }", /:4: "auth\.bearer": expected the name of an environment variable/],
  [
    "auth:\n  bearer: { env: CARREL_TOKEN }",
    /CARREL_TOKEN cannot hold a secret: variables that begin with CARREL_ are settings/,
  ],
  ["auth:\n  bearer:\n", /:4: "auth\.bearer": a secret is missing/],
  ["auth: {}", /:3: "auth": nothing is sent: expected bearer, basic, headers or cookies/],
  ["auth:\n  bearer: { env: A }\n  basic: { user: u, password: { env: B } }", /are the same header; keep one of them/],
  ["auth:\n  headers: { Authorization: { env: A }, Host: { env: B } }", /the key "Host": this header cannot be set/],
  ["auth:\n  headers: { Cookie: { env: A } }", /the key "Cookie": use cookies/],
  ["auth:\n  bearer: { env: A }\n  origins: [wiki.corp.test]", /:5: "auth\.origins\[0\]": expected an origin/],
  ["auth:\n  token: { env: A }", /unknown key "auth\.token"/],
  [
    "proxy: http://me:hunter2-secret@proxy.corp.test:3128",
    /:3: "proxy": a proxy's URL may hold no user or password; say them in proxyAuth/,
  ],
  ["proxy: me:hunter2-secret@proxy.corp.test", /:3: "proxy": expected none, or the http or https URL of a proxy/],
  ["proxy: socks5://proxy.corp.test:1080", /:3: "proxy": expected none, or the http or https URL/],
  ["proxy: none\nproxyAuth: { user: a, password: { env: B } }", /:4: "proxyAuth" is for a proxy, and proxy is none/],
  ["tls: { cert: me.pem }", /:3: "tls": a client certificate has two files: cert and key/],
  ["tls: { keyPassphrase: { env: A } }", /:3: "tls": keyPassphrase opens a key, and there is none/],
  ["tls: { verify: never }", /:3: "tls\.verify" must be boolean, not "never"/],
  ["render: chrome", /:3: "render" must be one of off, auto, browser/],
  ["renderOrigins: [https://cdn.example.com/lib/]", /:3: "renderOrigins\[0\]": expected an origin/],
])("%s is refused, on its line, and no secret is repeated", (text, message) => {
  const file = pipeline(text);
  expect(() => loadPipeline(file)).toThrow(message);
  expect(() => loadPipeline(file)).not.toThrow(/hunter2/);
});

test("a variable of a secret does not pass for a setting", () => {
  expect(() => readSettings({}, { WIKI_TOKEN: "x" })).not.toThrow();
});

test("whether references lead to something is told without what", () => {
  const file = pipeline("auth: { bearer: { env: TOKEN }, cookies: { sid: { env: SID } } }\n");
  expect(findReferences([loadPipeline(file)], { TOKEN: "hunter2-secret" })).toEqual([
    { source: "wiki", key: "auth.bearer", reference: "env TOKEN", ok: true, says: "it is there" },
    {
      source: "wiki",
      key: "auth.cookies.sid",
      reference: "env SID",
      ok: false,
      says: "the environment variable SID is not set",
    },
  ]);
});
