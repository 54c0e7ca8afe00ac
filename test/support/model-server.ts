import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a fake server was asked. */
export interface AskedOfModel {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model?: string;
    readonly input?: readonly string[];
    readonly query?: string;
    readonly documents?: readonly string[];
    readonly texts?: readonly string[];
  };
}

/** What it does instead of answering; undefined to answer. */
type Trouble = (asked: AskedOfModel, response: ServerResponse) => true | undefined;

/**
 * A server of models in the shape of the OpenAI API, whose embedder knows that some words mean the same: it counts words by
 * what they mean. `trouble.now` makes it do something else.
 */
export async function modelServer(meanings: Readonly<Record<string, string>> = {}, dimensions = 64) {
  const asked: AskedOfModel[] = [];
  const trouble: { now: Trouble } = { now: () => undefined };
  const given = { dimensions };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    request.on("end", () => {
      const one: AskedOfModel = {
        path: request.url ?? "",
        authorization: request.headers.authorization,
        body: JSON.parse(text) as AskedOfModel["body"],
      };
      asked.push(one);
      if (trouble.now(one, response) === true) return;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer(one)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  function answer({ body, path }: AskedOfModel): unknown {
    const { query = "", documents, texts } = body;
    if (path.endsWith("rerank")) {
      // The shorter, the better.
      const results = (documents ?? texts ?? []).map((each, index) => ({
        index,
        relevance_score: -each.length,
        score: -each.length,
      }));
      return texts === undefined ? { results: results.toReversed(), query } : results;
    }
    return {
      data: (body.input ?? []).map((each, index) => ({
        index,
        embedding: bagOfMeanings(each, meanings, given.dimensions),
      })),
    };
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    trouble,
    given,
    close: () => server.close(),
  };
}

function bagOfMeanings(
  text: string,
  meanings: Readonly<Record<string, string>>,
  dimensions: number,
): readonly number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const meaning = meanings[word] ?? word;
    let hash = 7;
    for (const character of meaning) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
