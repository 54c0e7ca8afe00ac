import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer } from "../server/support/running-server.ts";
import type { TestServer } from "../server/support/running-server.ts";
import { CLIENTS } from "./support/install.ts";
import { ODD_NAMES, oddQueries } from "./support/odd-corpus.ts";

const FILES = "documents/docs.kestrel.example/3/library/files.html";
const load = createRequire(join(CLIENTS, "package.json"));

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ queries: oddQueries() });
});
afterAll(() => server.close());

/** A call of either client: parameters in, a message out. */
type Call = (parameters: object) => Promise<{ readonly data: Record<string, unknown> }>;

interface KnowledgeApi {
  readonly documents: { readonly searchDocumentChunks: Call; readonly get: Call; readonly batchGet: Call };
  readonly v1: { readonly answerQuery: Call };
  readonly v1alpha: { readonly answerQuery: Call };
}

interface GoogleApis {
  readonly google: { developerknowledge(options: object): KnowledgeApi };
}

describe.each(["v1", "v1alpha"] as const)("googleapis, %s", (version) => {
  let api: KnowledgeApi;

  beforeAll(() => {
    const { google }: GoogleApis = load("googleapis");
    api = google.developerknowledge({ version, auth: "A-KEY", rootUrl: server.url });
  });

  test("searches, page after page", async () => {
    const seen: unknown[] = [];
    let pageToken: unknown;
    for (let page = 0; page < 10; page++) {
      const { data } = await api.documents.searchDocumentChunks({ query: "heron number", pageSize: 10, pageToken });
      seen.push(...(data["results"] as { parent: string }[]).map(({ parent }) => parent));
      pageToken = data["nextPageToken"];
      if (pageToken === undefined) break;
    }
    const many = seen.filter((parent) => String(parent).includes("many.example"));
    expect([many.length, new Set(many).size]).toEqual([23, 23]);
  });

  test("filters, and asks for fields", async () => {
    const { data } = await api.documents.searchDocumentChunks({
      query: "timeout",
      filter: 'data_source = "www.heron.example"',
      fields: "results(parent,document(title))",
    });
    expect(data).toEqual({
      results: [{ parent: "documents/www.heron.example/docs/15/sql-vacuum.html", document: { title: "VACUUM" } }],
    });
  });

  test.each(ODD_NAMES)("gets %s", async (name) => {
    const { data } = await api.documents.get({ name, view: "DOCUMENT_VIEW_FULL" });
    expect(data).toMatchObject({ name, title: name, view: "DOCUMENT_VIEW_FULL" });
    const batch = await api.documents.batchGet({ names: [name] });
    expect(batch.data["documents"]).toMatchObject([{ name }]);
  });

  test("gets several in their order", async () => {
    const names = [...ODD_NAMES].reverse().concat(ODD_NAMES);
    const { data } = await api.documents.batchGet({ names, view: "DOCUMENT_VIEW_BASIC" });
    const documents = data["documents"] as { name: string; content?: string }[];
    expect(documents.map(({ name }) => name)).toEqual(names);
    expect(documents.every(({ content }) => content === undefined)).toBe(true);
  });

  test("asks for an answer", async () => {
    const { data } = await api[version].answerQuery({ requestBody: { query: "read a file line by line" } });
    expect(data).toMatchObject({
      answer: {
        answerText: expect.stringContaining("for line in open(path)"),
        citations: [{ startIndex: expect.any(Number), sources: [{ referenceIndex: 0 }] }],
        references: [{ documentReference: { documentChunk: { parent: FILES } } }],
      },
    });
  });

  test.each([
    [{ name: "documents/nowhere.example/x" }, 404, /kept here/],
    [{ name: "documents/x y" }, 400, /not a document name/],
    [{ name: FILES, view: "HUGE" }, 400, /the views are/],
  ])("%j is %i", async (parameters, status, message) => {
    const failure: unknown = await api.documents.get(parameters).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test("a foreign page token and a broken filter are 400", async () => {
    for (const parameters of [{ pageToken: "x" }, { filter: "x" }]) {
      const failure: unknown = await api.documents
        .searchDocumentChunks({ query: "heron", ...parameters })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ status: 400 });
    }
  });
});

/** What these tests use of google-gax and protobufjs. */
interface Gax {
  readonly fallback: {
    readonly GrpcClient: new (options: object) => {
      loadProtoJSON(json: object): { lookupService(name: string): object };
      createStub(service: object, options: object): Promise<Readonly<Record<string, GaxCall>>>;
    };
  };
}
type GaxCall = (
  request: object,
  options: object,
  metadata: object,
  callback: (error: unknown, message: Record<string, unknown>) => void,
) => void;
interface Protobuf {
  readonly Root: new () => object;
  parse(text: string, root: object, options: object): { readonly root: { toJSON(): object } };
}

describe("google-gax over REST, with numeric enums", () => {
  let stub: Readonly<Record<string, GaxCall>>;
  /** What went over the wire: the client makes names of the numbers. */
  let wire: { url: string; reply: string } = { url: "", reply: "" };

  const recordingFetch: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    wire = { url: response.url, reply: await response.clone().text() };
    return response;
  };

  beforeAll(async () => {
    const { fallback }: Gax = load("google-gax");
    const protobuf: Protobuf = createRequire(load.resolve("google-gax"))("protobufjs");
    const text = readFileSync(new URL("./knowledge.proto", import.meta.url), "utf8");
    const { root } = protobuf.parse(text, new protobuf.Root(), { keepCase: false });
    const auth = { getRequestHeaders: () => ({}), fetch: recordingFetch };
    const client = new fallback.GrpcClient({ fallback: true, numericEnums: true, auth });
    const service = client.loadProtoJSON(root.toJSON()).lookupService("DeveloperKnowledge");
    const { hostname, port } = new URL(server.url);
    stub = await client.createStub(service, { servicePath: hostname, port: Number(port), protocol: "http" });
  });

  function call(name: string, request: object): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      stub[name]?.(request, {}, {}, (error, message) => {
        if (error === null || error === undefined) resolve(message);
        else reject(error instanceof Error ? error : new Error("no error, and no message"));
      });
    });
  }

  test("searches and gets, and views are numbers", async () => {
    const found = await call("searchDocumentChunks", { query: "vacuum", pageSize: 1 });
    expect(found["results"]).toMatchObject([{ document: { view: "DOCUMENT_VIEW_BASIC", title: "VACUUM" } }]);
    expect(wire.url).toContain("$alt=json%3Benum-encoding=int");
    expect(wire.reply).toContain('"view":1,');
    expect(await call("getDocument", { name: FILES, view: 2 })).toMatchObject({
      name: FILES,
      view: "DOCUMENT_VIEW_FULL",
    });
    expect(wire.reply).toContain('"view":2,');
  });

  test.each(ODD_NAMES)("gets %s, which it sends as it is", async (name) => {
    expect(await call("getDocument", { name })).toMatchObject({ name });
    expect(await call("batchGetDocuments", { names: [name, FILES] })).toMatchObject({
      documents: [{ name }, { name: FILES }],
    });
  });

  test("asks for an answer", async () => {
    const { answer } = await call("answerQuery", { query: "read a file line by line" });
    expect(answer).toMatchObject({ references: [{ documentReference: { documentChunk: { parent: FILES } } }] });
  });

  test("an error has its status", async () => {
    await expect(call("getDocument", { name: "documents/nowhere.example/x" })).rejects.toMatchObject({
      // google.rpc.Code NOT_FOUND
      code: 5,
      message: expect.stringContaining("kept here"),
    });
  });
});
