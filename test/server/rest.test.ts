import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createQueries } from "../../src/flow/query.ts";
import { memoryCorpus, SMALL_PAGES, SMALL_TITLES } from "./support/memory-corpus.ts";
import type { MemoryPage } from "./support/memory-corpus.ts";
import { rawRequest } from "./support/raw-http.ts";
import { startTestServer } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const FILES = "documents/docs.kestrel.example/3/library/files.html";
const VACUUM = "documents/www.heron.example/docs/15/sql-vacuum.html";

/** Pages with odd names. */
const ODD_PAGES: readonly MemoryPage[] = [
  { uri: "https://wiki.example/view?page=7", title: "Seven", content: "Page seven." },
  { uri: "https://wiki.example/c++/operator%2B", title: "Plus", content: "Of plus signs." },
  { uri: "https://wiki.example/a%2Fb", title: "Slash", content: "An encoded slash." },
  { uri: "https://wiki.example/gr%C3%B6%C3%9Fe", title: "Größe", content: "Of größe — 🙂." },
  { uri: "https://wiki.example/", title: "Root", content: "The root." },
  { uri: "https://wiki.example/v1/documents:batchGet", title: "Verb", content: "A verb in a name." },
];

/** The parts of replies that these tests look at. */
interface Reply {
  readonly results?: readonly Record<string, unknown>[];
  readonly documents?: readonly Record<string, unknown>[];
  readonly nextPageToken?: string;
  readonly answer?: {
    readonly answerText: string;
    readonly citations: readonly {
      readonly startIndex: number;
      readonly endIndex: number;
      readonly sources: unknown[];
    }[];
    readonly references: readonly { readonly documentReference: { readonly documentChunk: Record<string, unknown> } }[];
  };
  readonly error?: { readonly code: number; readonly message: string; readonly status: string };
  readonly [key: string]: unknown;
}

/** A token of this server that says another rank. */
function forgedRank(token: string): string {
  const bytes = Buffer.from(token, "base64url");
  const digit = bytes.indexOf(" ") - 1;
  bytes[digit] = (bytes[digit] ?? 0) + 1;
  return bytes.toString("base64url");
}

let server: TestServer;

beforeAll(async () => {
  const pages = [...SMALL_PAGES, ...ODD_PAGES];
  server = await startTestServer({ queries: createQueries(memoryCorpus(pages, SMALL_TITLES)) });
});
afterAll(() => server.close());

async function get(path: string, on = server): Promise<{ readonly status: number; readonly body: Reply }> {
  // Sent as it is written: `fetch` would tidy the path.
  const { status, text, headers } = await rawRequest(on, { method: "GET", path });
  expect(headers["content-type"]).toBe("application/json");
  const body: Reply = JSON.parse(text);
  if (status !== 200)
    expect(body.error).toEqual({ code: status, message: expect.any(String), status: expect.any(String) });
  return { status, body };
}

async function answer(body: unknown, path = "/v1:answerQuery", on = server): Promise<{ status: number; body: Reply }> {
  const { status, text } = await rawRequest(on, {
    path,
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status, body: JSON.parse(text) };
}

describe.each(["v1", "v1alpha"])("%s", (version) => {
  test("finds passages in the contract's shape", async () => {
    const { status, body } = await get(`/${version}/documents:searchDocumentChunks?query=read+file%20lines`);
    expect(status).toBe(200);
    expect(body.results?.[0]).toEqual({
      parent: FILES,
      id: "c2",
      content: expect.stringContaining("for line in open(path)"),
      document: {
        name: FILES,
        uri: "https://docs.kestrel.example/3/library/files.html",
        description: "How to open, read and write files.",
        dataSource: "docs.kestrel.example",
        title: "files — reading and writing",
        updateTime: "2026-01-02T03:04:05.000Z",
        view: "DOCUMENT_VIEW_BASIC",
        contentLengthBytes: Buffer.byteLength(SMALL_PAGES[0]?.content ?? ""),
      },
      relevanceScore: expect.any(Number),
    });
    for (const { relevanceScore } of body.results ?? []) {
      expect(relevanceScore).toBeGreaterThanOrEqual(0);
      expect(relevanceScore).toBeLessThanOrEqual(1);
    }
  });

  test("gives a document, several, and an answer", async () => {
    const one = await get(`/${version}/${FILES}`);
    expect(one.body).toMatchObject({ name: FILES, view: "DOCUMENT_VIEW_CONTENT", content: SMALL_PAGES[0]?.content });
    const two = await get(`/${version}/documents:batchGet?names=${VACUUM}&names=${FILES}&names=${VACUUM}`);
    expect(two.body.documents?.map((document) => document["name"])).toEqual([VACUUM, FILES, VACUUM]);
    const answered = await answer({ query: "what does vacuum full do?" }, `/${version}:answerQuery`);
    expect(answered.body.answer?.answerText).toContain("rewrites the table");
  });
});

describe("documents", () => {
  test.each([
    ["", "DOCUMENT_VIEW_CONTENT", true],
    ["?view=DOCUMENT_VIEW_UNSPECIFIED", "DOCUMENT_VIEW_CONTENT", true],
    ["?view=0", "DOCUMENT_VIEW_CONTENT", true],
    ["?view=DOCUMENT_VIEW_BASIC", "DOCUMENT_VIEW_BASIC", false],
    ["?view=1", "DOCUMENT_VIEW_BASIC", false],
    ["?view=2", "DOCUMENT_VIEW_FULL", true],
    ["?view=3&$alt=json%3Benum-encoding=int", 3, true],
    ["?view=1&%24alt=json;enum-encoding=int", 1, false],
    ["?view=1&alt=json", "DOCUMENT_VIEW_BASIC", false],
  ])("the view %s is %s", async (query, view, hasContent) => {
    const { status, body } = await get(`/v1/${FILES}${query}`);
    expect(status).toBe(200);
    expect(body["view"]).toBe(view);
    expect("content" in body).toBe(hasContent);
  });

  test.each([
    ["documents/docs.kestrel.example%2F3%2Flibrary%2Ffiles.html", FILES],
    ["documents%2Fdocs.kestrel.example%2F3%2Flibrary%2Ffiles.html", FILES],
    ["documents/DOCS.kestrel.example/3/library/files.html/", FILES],
    ["documents/wiki.example/view?page=7", "documents/wiki.example/view?page=7"],
    ["documents/wiki.example/view%3Fpage=7?view=1", "documents/wiki.example/view?page=7"],
    ["documents/wiki.example/c++/operator%2B", "documents/wiki.example/c++/operator%2B"],
    ["documents/wiki.example/c++/operator%252B", "documents/wiki.example/c++/operator%2B"],
    ["documents/wiki.example/a%2Fb", "documents/wiki.example/a%2Fb"],
    ["documents/wiki.example/a%252Fb", "documents/wiki.example/a%2Fb"],
    ["documents/wiki.example/gr%C3%B6%C3%9Fe", "documents/wiki.example/gr%C3%B6%C3%9Fe"],
    ["documents/wiki.example", "documents/wiki.example"],
    ["documents/wiki.example/v1/documents:batchGet", "documents/wiki.example/v1/documents:batchGet"],
  ])("the name %s is understood", async (sent, name) => {
    const { status, body } = await get(`/v1/${sent}`);
    expect([status, body["name"]]).toEqual([200, name]);
    const batch = await get(`/v1/documents:batchGet?names[]=${sent.replace("?view=1", "")}`);
    expect(batch.body.documents?.[0]?.["name"]).toBe(name);
  });

  test("a batch is given whole or not at all", async () => {
    const { status, body } = await get(`/v1/documents:batchGet?names=${FILES}&names=documents/docs.kestrel.example/no`);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ status: "NOT_FOUND", message: expect.stringContaining("kestrel.example/no") });
  });

  test("long content is given whole, and its length is counted in bytes", async () => {
    const content = "größe 🙂\n\n".repeat(20_000);
    const long = await startTestServer({
      queries: createQueries(memoryCorpus([{ uri: "https://x.example/long", content }])),
    });
    const { body } = await get("/v1/documents/x.example/long", long);
    await long.close();
    expect(body["content"]).toBe(content);
    expect(body["contentLengthBytes"]).toBe(Buffer.byteLength(content));
  });

  test("twenty names of 500 characters are read", async () => {
    const pages = Array.from({ length: 20 }, (_, i) => ({
      uri: `https://x.example/${"ä".repeat(65)}${"a".repeat(70)}/${i}`,
      content: `${i}`,
    }));
    const long = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const names = pages.map(({ uri }) => `names=documents%2F${encodeURIComponent(uri.slice(8))}`);
    const { status, body } = await get(`/v1/documents:batchGet?${names.join("&")}&fields=documents.content`, long);
    await long.close();
    expect([status, body.documents?.length]).toEqual([200, 20]);
  });
});

test("verbose gives the place of each passage as well", async () => {
  const search = "/v1/documents:searchDocumentChunks?query=reading+lines";
  const { body } = await get(`${search}&verbose=true`);
  expect(body.results?.[0]).toMatchObject({ uri: expect.stringContaining("files.html"), headings: expect.any(Array) });
  expect((await get(search)).body.results?.[0]).not.toHaveProperty("headings");
  expect((await get(`${search}&verbose=perhaps`)).body.error?.message).toMatch(/give true or false/);
});

describe("paging", () => {
  const pages = Array.from({ length: 23 }, (_, i) => ({ uri: `https://x.example/${i}`, content: `same word ${i}` }));

  test("goes through every passage once, and the last page has no token", async () => {
    const many = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const seen: unknown[] = [];
    let token = "";
    for (let page = 0; page < 10; page++) {
      const { body } = await get(`/v1/documents:searchDocumentChunks?query=word&pageSize=10&pageToken=${token}`, many);
      seen.push(...(body.results ?? []).map(({ parent }) => parent));
      token = body.nextPageToken ?? "";
      if (token === "") break;
    }
    await many.close();
    expect(seen).toHaveLength(23);
    expect(new Set(seen).size).toBe(23);
  });

  test("a token is good for its own search on the same documents, with another page size too", async () => {
    const search = "/v1/documents:searchDocumentChunks?query=word";
    const many = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const { body } = await get(search, many);
    const token = body.nextPageToken ?? "";
    expect((await get(`${search}&pageSize=2&pageToken=${token}`, many)).body.results).toHaveLength(2);
    const refusals = [
      [`${search}s&pageToken=${token}`, /another search/],
      [`${search}&filter=content_length_bytes>1&pageToken=${token}`, /another search/],
      [`${search}&pageToken=nonsense`, /none of this server's/],
      [`${search}&pageToken=${token}x`, /none of this server's/],
      [`${search}&pageToken=${Buffer.from("5 1-1 x").toString("base64url")}`, /none of this server's/],
      [`${search}&pageToken=${forgedRank(token)}`, /none of this server's/],
    ] as const;
    for (const [path, message] of refusals) {
      const refused = await get(path, many);
      expect([refused.status, refused.body.error?.status]).toEqual([400, "INVALID_ARGUMENT"]);
      expect(refused.body.error?.message).toMatch(message);
    }
    await many.close();
    const grown = await startTestServer({
      queries: createQueries(memoryCorpus([...pages, { uri: "https://x.example/new", content: "word" }])),
    });
    const stale = await get(`${search}&pageToken=${token}`, grown);
    await grown.close();
    expect([stale.status, stale.body.error?.message]).toEqual([400, expect.stringMatching(/stale/)]);
  });

  test.each([
    ["", 5],
    ["&pageSize=0", 5],
    ["&pageSize=3", 3],
    ["&page_size=4", 4],
    ["&pageSize=100000", 23],
  ])("the page size of %j is %i", async (query, count) => {
    const many = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const { body } = await get(`/v1/documents:searchDocumentChunks?query=word${query}`, many);
    await many.close();
    expect(body.results).toHaveLength(count);
  });
});

describe("filters and masks", () => {
  test.each([
    ['data_source = "www.heron.example"', [VACUUM]],
    ['data_source != "www.heron.example" AND content_length_bytes > 120', [FILES]],
    ['uri = "https://www.heron.example/docs/15/sql-vacuum.html"', [VACUUM]],
    ['update_time > "2030-01-01T00:00:00Z"', []],
  ])("only documents for which %s holds are found", async (filter, expected) => {
    const path = `/v1/documents:searchDocumentChunks?query=file+timeout+vacuum&filter=${encodeURIComponent(filter)}`;
    const { body } = await get(path);
    expect([...new Set(body.results?.map(({ parent }) => parent))]).toEqual(expected);
  });

  test("a filter goes for answers too", async () => {
    const query = "how is the timeout set?";
    const { body } = await answer({ query, filter: 'data_source = "www.heron.example"' });
    const parents = body.answer?.references.map(({ documentReference }) => documentReference.documentChunk["parent"]);
    expect(parents).toEqual([VACUUM]);
  });

  test("fields gives the fields that are asked for, and no others", async () => {
    const search = "/v1/documents:searchDocumentChunks?query=vacuum&fields=";
    expect((await get(`${search}results(parent,document/title)`)).body).toEqual({
      results: [
        { parent: VACUUM, document: { title: "VACUUM" } },
        { parent: VACUUM, document: { title: "VACUUM" } },
      ],
    });
    expect((await get(`${search}nextPageToken`)).body).toEqual({});
    expect(Object.keys((await get(`/v1/${FILES}?fields=name,title`)).body)).toEqual(["name", "title"]);
    const wrong = await get(`${search}results(parent,nam)`);
    expect([wrong.status, wrong.body.error?.message]).toEqual([400, expect.stringMatching(/At character 16, "nam/)]);
  });
});

describe("answers", () => {
  test("cite their passages by bytes, and the passages have no id", async () => {
    const pages = [
      { uri: "https://x.example/1", title: "Größen 🙂", content: "Die Größe 🙂 steht hier." },
      { uri: "https://x.example/2", title: "Andere", content: "Eine andere größe — nicht dieselbe." },
    ];
    const wide = await startTestServer({ queries: createQueries(memoryCorpus(pages)) });
    const { body } = await answer({ query: "größe" }, undefined, wide);
    await wide.close();
    const text = Buffer.from(body.answer?.answerText ?? "");
    const cited = body.answer?.citations.map(({ startIndex, endIndex }) =>
      text.subarray(startIndex, endIndex).toString(),
    );
    expect(cited).toEqual(pages.map(({ content }) => content));
    expect(body.answer?.citations.map(({ sources }) => sources)).toEqual([
      [{ referenceIndex: 0 }],
      [{ referenceIndex: 1 }],
    ]);
    const chunk = body.answer?.references[0]?.documentReference.documentChunk;
    expect(chunk).toMatchObject({ parent: "documents/x.example/1", document: { view: "DOCUMENT_VIEW_BASIC" } });
    expect(chunk).not.toHaveProperty("id");
  });

  test("nothing found is an answer without references", async () => {
    const { status, body } = await answer({ query: "zyzzyva" });
    expect(status).toBe(200);
    expect(body.answer).toEqual({ answerText: expect.stringContaining("has nothing"), citations: [], references: [] });
  });

  test.each([
    ["null", /must be a JSON object/],
    ["[]", /must be a JSON object/],
    ["{}", /query is empty/],
    ['{"query":5}', /must be texts/],
    ['{"query":"a","querry":"b"}', /field "querry"/],
    [`{"query":"${"a".repeat(501)}"}`, /at most 500/],
    ['{"query":"a","filter":"title = 1"}', /At character 1/],
    ["{", /not JSON/],
  ])("the body %s is refused", async (body, message) => {
    const refused = await answer(body);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(message) });
  });

  test("a body that is no JSON by its type, or that is too large, is refused", async () => {
    const form = await rawRequest(server, {
      path: "/v1:answerQuery",
      headers: { "content-type": "text/plain" },
      body: "{}",
    });
    expect(form.status).toBe(415);
    const large = await answer({ query: "a".repeat(2_000_000) });
    expect(large.status).toBe(413);
  });
});

describe("what every call of a Google API takes", () => {
  test("is let pass", async () => {
    const system =
      "key=K&access_token=T&alt=json&prettyPrint=false&$.xgafv=2&quotaUser=u&uploadType=media&callback=f&oauth_token=t&upload_protocol=raw";
    expect((await get(`/v1/${FILES}?${system}`)).body["name"]).toBe(FILES);
    expect((await get(`/v1/documents:searchDocumentChunks?query=vacuum&${system}`)).status).toBe(200);
    expect((await get(`/v1/documents:batchGet?names=${FILES}&${system}`)).status).toBe(200);
    expect((await answer({ query: "vacuum" }, `/v1:answerQuery?${system}`)).status).toBe(200);
  });

  test("a colon before a verb may be encoded, and a pretty reply has lines", async () => {
    expect((await get("/v1/documents%3AsearchDocumentChunks?query=vacuum")).status).toBe(200);
    const pretty = await rawRequest(server, { method: "GET", path: `/v1/${FILES}?prettyPrint=true` });
    expect(pretty.text).toMatch(/^\{\n {2}"name"/);
  });

  test("a callback is never called: the reply is JSON", async () => {
    const reply = await rawRequest(server, { method: "GET", path: `/v1/${FILES}?callback=alert` });
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(reply.text.startsWith("{")).toBe(true);
  });
});

describe("errors", () => {
  test.each([
    ["/v1/documents:searchDocumentChunks", 400, /query is empty/],
    [`/v1/documents:searchDocumentChunks?query=${"a".repeat(501)}`, 400, /at most 500/],
    [`/v1/documents:searchDocumentChunks?query=a&filter=${"a".repeat(501)}`, 400, /at most 500/],
    ["/v1/documents:searchDocumentChunks?query=a&filter=x", 400, /At character 1, "x"/],
    ["/v1/documents:searchDocumentChunks?query=a&pageSize=x", 400, /whole number/],
    ["/v1/documents:searchDocumentChunks?query=a&pageSize=-1", 400, /page size is -1/],
    ["/v1/documents:searchDocumentChunks?query=a&pagesize=3", 400, /"pagesize" here\. Did you mean "pageSize"/],
    ["/v1/documents:searchDocumentChunks?query=%ff", 400, /not percent-encoded/],
    ["/v1/documents:searchDocumentChunks?query=a&alt=media", 400, /only json/],
    ["/v1/documents:batchGet", 400, /give 1 to 20/],
    [`/v1/documents:batchGet?${`names=${FILES}&`.repeat(21)}`, 400, /21 names/],
    ["/v1/documents:batchGet?names=docs.kestrel.example/3", 400, /does not begin with documents/],
    [`/v1/documents/x.example/${"a".repeat(500)}`, 400, /at most 500/],
    ["/v1/documents/not a name", 400, /./],
    [`/v1/${FILES}?view=HUGE`, 400, /the views are/],
    [`/v1/${FILES}?view=4`, 400, /no view "4"/],
    ["/v1/documents/%ff", 400, /not percent-encoded/],
    ["/v1/documents/docs.kestrel.example/nothing", 404, /kept here/],
    ["/v1/documents/..%2f..%2fetc%2fpasswd", 400, /not a document name/],
    ["/v1/documents/", 404, /the calls are/],
    ["/v1/documents", 404, /the calls are/],
    ["/v1", 404, /the calls are/],
    ["/v1beta/documents/x.example", 404, /Nothing is here/],
    ["/v1/documents:fly", 404, /the calls are/],
    ["/v1:answerQuery", 405, /Only POST/],
  ])("%s is %i", async (path, status, message) => {
    const encoded = path.replaceAll(" ", "%20");
    const { status: got, body } = await get(encoded);
    expect([got, body.error?.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test("another method is 405 and says which", async () => {
    const posted = await rawRequest(server, { method: "POST", path: `/v1/${FILES}` });
    expect([posted.status, posted.headers["allow"]]).toEqual([405, "GET, HEAD"]);
    const headed = await rawRequest(server, { method: "HEAD", path: "/v1:answerQuery" });
    expect([headed.status, headed.headers["allow"]]).toEqual([405, "POST"]);
  });

  test.each([`/v1/${FILES}`, "/v1/documents:searchDocumentChunks?query=vacuum", "/v1/documents/nowhere.example/x"])(
    "HEAD %s is answered as GET, without a body",
    async (path) => {
      const [got, headed] = await Promise.all(["GET", "HEAD"].map((method) => rawRequest(server, { method, path })));
      expect(headed?.text).toBe("");
      expect([headed?.status, headed?.headers["content-length"]]).toEqual([
        got?.status,
        String(Buffer.byteLength(got?.text ?? "")),
      ]);
    },
  );

  test("an unknown document is answered with the nearest names, and an unknown parameter with those that there are", async () => {
    const missing = await get(`/v1/${FILES.replace("files", "fils")}`);
    expect(missing.body.error?.message).toContain(`Nearest: ${FILES}`);
    const parameter = await get("/v1/documents:batchGet?nams=x");
    expect(parameter.body.error?.message).toMatch(/Did you mean "names"\? The parameters are names, view\.$/);
    const posted = await rawRequest(server, {
      method: "POST",
      path: "/v1:answerQuery?x=1",
      headers: { "content-type": "application/json" },
      body: '{"query":"a"}',
    });
    expect(JSON.parse(posted.text)).toMatchObject({
      error: { message: expect.stringMatching(/takes none: .* body\.$/) },
    });
  });

  test("other hosts and pages of other sites are refused", async () => {
    for (const headers of [{ host: "evil.example" }, { origin: "http://evil.example" }]) {
      const refused = await rawRequest(server, { method: "GET", path: `/v1/${FILES}`, headers });
      expect(refused.status).toBe(403);
      expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 403, status: "PERMISSION_DENIED" } });
    }
  });

  test("a fault is 500 without details, and an index that cannot answer is 503", async () => {
    const ports = memoryCorpus(SMALL_PAGES);
    const search = () => Promise.reject(new Error("SQLITE_CORRUPT /srv/data/index.db"));
    const broken = await startTestServer({ queries: createQueries({ ...ports, index: { ...ports.index, search } }) });
    const fault = await get("/v1/documents:searchDocumentChunks?query=a", broken);
    await broken.close();
    expect([fault.status, fault.body.error?.status]).toEqual([500, "INTERNAL"]);
    expect(JSON.stringify(fault.body)).not.toContain("SQLITE");
    const slow = await startTestServer({
      toolDeadlineMs: 20,
      queries: createQueries({ ...ports, index: { ...ports.index, search: () => new Promise(() => {}) } }),
    });
    const late = await get("/v1/documents:searchDocumentChunks?query=a", slow);
    await slow.close();
    expect([late.status, late.body.error?.status]).toEqual([503, "UNAVAILABLE"]);
  });

  test("beyond what may be answered at once, calls are told to come again", async () => {
    const full = await startTestServer({ limits: { maxConcurrent: 0 } });
    const refused = await rawRequest(full, { method: "GET", path: `/v1/${FILES}` });
    await full.close();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  });
});
