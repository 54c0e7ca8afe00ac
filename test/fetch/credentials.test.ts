import { writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAccessReader } from "../../src/config/credentials.ts";
import type { Credentials } from "../../src/domain/access.ts";
import { createFetcher } from "../../src/fetch/fetcher.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { crawl, QUICK_RETRY, reason, USER_AGENT, webSource, type CrawlOptions } from "./support/crawl.ts";
import { page, redirect, startSite, type Route, type Site } from "./support/site.ts";

const SECRET = "s3cr3t-of-the-reader";
const ENVIRONMENT = { DOCS_SECRET: SECRET };
const REFERENCE = { env: "DOCS_SECRET" } as const;

function as(auth: Credentials, environment: Readonly<Record<string, string>> = ENVIRONMENT): CrawlOptions {
  return { source: { access: { auth } }, fetcher: { access: createAccessReader(() => undefined, environment) } };
}

/** A site that lets in who brings a header, and answers everyone else with 401. */
function startPrivateSite(header: string, value: string, routes: Readonly<Record<string, Route>>): Promise<Site> {
  const guarded = Object.entries(routes).map(([path, route]): [string, Route] => [
    path,
    (request, response, nth) =>
      request.headers[header] !== value
        ? { status: 401, body: page("Who are you?") }
        : typeof route === "function"
          ? route(request, response, nth)
          : typeof route === "string"
            ? { body: route }
            : route,
  ]);
  return startSite(Object.fromEntries(guarded));
}

test.each<[string, Credentials, string, string]>([
  ["a bearer token", { bearer: REFERENCE }, "authorization", `Bearer ${SECRET}`],
  [
    "basic auth",
    { basic: { user: "réader", password: REFERENCE } },
    "authorization",
    `Basic ${Buffer.from(`réader:${SECRET}`).toString("base64")}`,
  ],
  ["a header", { headers: { "X-Api-Key": REFERENCE } }, "x-api-key", SECRET],
  ["a cookie", { cookies: { session: REFERENCE } }, "cookie", `session=${SECRET}`],
])("a site that demands %s is fetched with it, and not without", async (_, auth, header, value) => {
  await using site = await startPrivateSite(header, value, { "/": page("Home", "a"), "/a": page("A") });
  expect((await crawl(site.url, as(auth))).pages()).toEqual(["", "a"]);
  expect(reason((await crawl(site.url)).outcome(""))).toBe("answered 401 Unauthorized");
});

test("a secret in a file is read without the end of its line", async () => {
  const file = join(tempFolder(), "token");
  writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
  await using site = await startPrivateSite("authorization", `Bearer ${SECRET}`, { "/": page("Home") });
  expect((await crawl(site.url, as({ bearer: { file } }))).pages()).toEqual([""]);
});

test.skipIf(process.platform === "win32")("a file that others can read is warned of once", async () => {
  const file = join(tempFolder(), "token");
  writeFileSync(file, SECRET);
  chmodSync(file, 0o644);
  const warnings: string[] = [];
  const read = createAccessReader((message) => warnings.push(message), {});
  const source = webSource(["https://docs.corp.test/"], { source: { access: { auth: { bearer: { file } } } } });
  read(source);
  read(source);
  expect(warnings).toEqual([expect.stringMatching(/token holds a secret and can be read by others/)]);
});

test.each<[string, Credentials, string]>([
  [
    "a variable that is not set",
    { bearer: { env: "NOT_SET" } },
    "auth.bearer: the environment variable NOT_SET is not set",
  ],
  ["a variable that is empty", { bearer: { env: "EMPTY" } }, "auth.bearer: the environment variable EMPTY is empty"],
  [
    "a file that is not there",
    { cookies: { sid: { file: "/nowhere/token" } } },
    "auth.cookies.sid: the file /nowhere/token cannot be read: it is not there",
  ],
  [
    "a secret of two lines",
    { bearer: { env: "LINES" } },
    "auth.bearer: the environment variable LINES holds line breaks",
  ],
  [
    "a secret that no header can hold",
    { bearer: { env: "WIDE" } },
    "auth.bearer: what env WIDE holds is no plain ASCII",
  ],
])("%s ends the crawl before it asks, and is named without its value", async (_, auth, message) => {
  await using site = await startSite({ "/": page("Home") });
  const crawling = crawl(site.url, as(auth, { EMPTY: "", LINES: "one\nhidden", WIDE: "hidden-ü" }));
  const error: unknown = await crawling.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "config", message: expect.stringContaining(message) as string });
  expect(String(error)).not.toContain("hidden");
  expect(site.seen).toEqual([]);
});

test("no other host gets them: by a redirect, a link, a sitemap, or in its robots.txt", async () => {
  await using thief = await startSite({}, { status: 200, body: page("Give it to me") });
  await using robots = await startSite({ "/robots.txt": { body: "" } });
  const home = page(
    "Home",
    "away",
    `${thief.url}linked`,
    `${robots.url}page`,
    `${thief.url.replace("http://", "http://reader:pw@")}login`,
  );
  await using site = await startPrivateSite("authorization", `Bearer ${SECRET}`, {
    "/": { body: home },
    "/away": redirect(`${thief.url}redirected`),
    "/robots.txt": { body: `Sitemap: ${thief.url}sitemap.xml\nSitemap: /moved.xml` },
    "/moved.xml": redirect(`${thief.url}moved.xml`),
  });
  // The thief is in scope, as a host whose pages the source lists by mistake may be.
  const options = as({ bearer: REFERENCE, origins: [new URL(site.url).origin] });
  const seeds = [site.url, thief.url, robots.url];
  const source = webSource(seeds, { source: { ...options.source }, scope: { type: "host" } });
  const fetcher = createFetcher({
    userAgent: USER_AGENT,
    logger: { info() {}, warn() {} },
    retry: QUICK_RETRY,
    ...options.fetcher,
  });
  await fetcher.discover(source, new AbortController().signal);
  await crawl(seeds, { ...options, scope: { type: "host" } });
  expect(thief.paths()).toEqual(expect.arrayContaining(["/redirected", "/linked", "/sitemap.xml", "/moved.xml"]));
  expect(site.paths()).toContain("/away");
  for (const { headers } of [...thief.seen, ...robots.seen]) expect(JSON.stringify(headers)).not.toContain(SECRET);
});

test("the public site of a mirror is not told what opens the mirror", async () => {
  const read = createAccessReader(() => undefined, ENVIRONMENT);
  const source = webSource(["https://docs.example.com/guide/"], {
    source: {
      aliases: [{ fetch: "https://mirror.corp.test/", name: "https://docs.example.com/" }],
      access: { auth: { bearer: REFERENCE } },
    },
  });
  expect([...read(source).origins]).toEqual(["https://mirror.corp.test"]);
});

test("what a server repeats of a secret is kept nowhere", async () => {
  const echo: Route = (request) => ({
    status: 200,
    headers: { etag: `"${SECRET}"` },
    body: page("You sent", `/next?with=${request.headers.authorization ?? ""}`),
  });
  await using site = await startSite(
    {
      "/": page("Home", "echo", "moved", "away"),
      "/echo": echo,
      "/moved": redirect(`/echo?token=${SECRET}`),
      "/away": redirect(`https://elsewhere.example/?token=${SECRET}`),
    },
    { status: 500, body: SECRET },
  );
  const crawled = await crawl(site.url, as({ bearer: REFERENCE }));
  const kept = JSON.stringify([...crawled.frontier.outcomes], (_key, value: unknown) =>
    value instanceof Uint8Array ||
    (typeof value === "object" && value !== null && "type" in value && value.type === "Buffer")
      ? Buffer.from((value as { data?: number[] }).data ?? (value as Uint8Array)).toString("utf8")
      : value,
  );
  expect(kept).toContain("with=Bearer%20REDACTED");
  expect(kept).toContain("https://elsewhere.example/?token=REDACTED");
  expect(`${kept}${crawled.log.join("\n")}`).not.toContain(SECRET);
});

test("what URLs a check is asked of is told even when a secret is missing", async () => {
  const access = createAccessReader(() => undefined, {});
  const fetcher = createFetcher({ userAgent: USER_AGENT, logger: { info() {}, warn() {} }, access });
  const source = webSource(["https://docs.corp.test/"], { source: { access: { auth: { bearer: REFERENCE } } } });
  const [verdict] = await fetcher.check(source, ["https://docs.corp.test/a"], new AbortController().signal);
  expect(verdict).toMatchObject({
    isAsked: false,
    robots: "not asked: auth.bearer: the environment variable DOCS_SECRET is not set",
  });
});
