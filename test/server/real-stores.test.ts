import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { NO_FACTS } from "../../src/domain/document.ts";
import type { Chunk } from "../../src/domain/chunk.ts";
import type { Corpus, CorpusWrite, SearchIndex } from "../../src/domain/ports.ts";
import { createQueries } from "../../src/flow/query.ts";
import { openSearchIndex } from "../../src/search/search-index.ts";
import { openCorpus } from "../../src/store/corpus.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { post, startTestServer, toolCall } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const PAGES = 150;

/** A page about queues; those of the second host say little of them, so that all of the first rank before. */
function page(number: number): CorpusWrite {
  const isSecond = number % 10 === 0;
  const uri = `https://${isSecond ? "second" : "first"}.example/page-${number}.html`;
  const sections = isSecond
    ? [`Of many other things, and in passing of a queue, number ${number}.`]
    : [`## Queues ${number}\n\nQueues hold jobs.`, `## Jobs ${number}\n\nJobs of queues wait, number ${number}.`];
  const chunks = sections.map((content, i): Chunk => {
    return {
      id: `c${i}`,
      content,
      headings: isSecond ? [] : [content.slice(3, content.indexOf("\n"))],
      anchor: `S${i}`,
      anchors: [],
    };
  });
  const name = uri.replace("https://", "documents/");
  const document = { name, uri, source: "site", title: `Page ${number}`, description: "", language: "en", ...NO_FACTS };
  return { kind: "document", document: { ...document, content: sections.join("\n\n") }, chunks };
}

async function start(): Promise<{ server: TestServer; corpus: Corpus; index: SearchIndex }> {
  const folder = tempFolder();
  const corpus = openCorpus(join(folder, "corpus.db"), () => new Date("2026-05-04T00:00:00Z"));
  const index = openSearchIndex({ file: join(folder, "index.db"), texts: corpus.texts });
  corpus.apply(
    Array.from({ length: PAGES }, (_, i) => page(i)),
    1,
  );
  await index.apply(corpus.changesSince(0, 10_000));
  const server = await startTestServer({ queries: createQueries({ corpus, index }) });
  onTestFinished(async () => {
    await server.close();
    index.close();
    corpus.close();
  });
  return { server, corpus, index };
}

interface Page {
  readonly results?: readonly { readonly parent: string; readonly id: string }[];
  readonly nextPageToken?: string;
  readonly error?: { readonly message: string };
}

async function search(server: TestServer, parameters: Record<string, string>): Promise<Page> {
  const query = new URLSearchParams({ query: "queues jobs", ...parameters });
  return (await fetch(`${server.url}v1/documents:searchDocumentChunks?${query.toString()}`)).json();
}

test("a filter narrows before the best are taken", async () => {
  const { server } = await start();
  const all = await search(server, { pageSize: "100" });
  expect(all.results?.some(({ parent }) => parent.includes("second"))).toBe(false);
  const second = await search(server, { pageSize: "100", filter: 'data_source = "second.example"' });
  expect(second.results).toHaveLength(PAGES / 10);
});

test("pages of a search hold no passage twice, and a token is stale when a document has changed", async () => {
  const { server, corpus, index } = await start();
  const seen = new Set<string>();
  let count = 0;
  let pageToken = "";
  let first = "";
  for (let i = 0; i < 50; i++) {
    const { results = [], nextPageToken = "" } = await search(server, { pageSize: "7", pageToken });
    for (const { parent, id } of results) seen.add(`${parent} ${id}`);
    count += results.length;
    first ||= nextPageToken;
    pageToken = nextPageToken;
    if (pageToken === "") break;
  }
  expect(count).toBeGreaterThan(50);
  expect(seen.size).toBe(count);
  corpus.apply([page(PAGES + 1)], 2);
  expect((await search(server, { pageToken: first })).error?.message).toMatch(/stale/);
  const fresh = (await search(server, {})).nextPageToken ?? "";
  await index.apply(corpus.changesSince(PAGES, 10));
  expect((await search(server, { pageToken: fresh })).error?.message).toMatch(/stale/);
});

test("a section is found by the anchor that the page gave it", async () => {
  const { server } = await start();
  const call = toolCall("get_documents", { names: ["https://first.example/page-3.html#S1"] });
  expect(await (await post(server, call)).json()).toMatchObject({
    result: {
      structuredContent: {
        documents: [{ content: expect.stringMatching(/^\[Section "Jobs 3"\.[^]*\n\n## Jobs 3\n\nJobs of/) }],
      },
    },
  });
});
