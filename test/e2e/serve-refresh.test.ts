import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carrel, startCarrel, written } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CLIENTS = 8;

function writePages(folder: string, from: number, to: number, word: string): void {
  for (let i = from; i < to; i++) {
    const text = `The ${word} of lock ${i} is opened by hand when the water on both sides is level.`;
    writeFileSync(
      join(folder, `lock-${i}.html`),
      `<!doctype html><html lang="en"><title>Lock ${i}</title><main><h1>Lock ${i}</h1><p>${text}</p></main></html>`,
    );
  }
}

interface Found {
  readonly status: number;
  readonly id: unknown;
  readonly parents: readonly string[];
}

async function search(url: string, query: string, id: number): Promise<Found> {
  const params = { name: "search_documents", arguments: { query } };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }),
  });
  const { result, id: answered } = (await response.json()) as {
    id: unknown;
    result?: { isError?: boolean; structuredContent?: { results: { parent: string }[] } };
  };
  const parents = (result?.structuredContent?.results ?? []).map(({ parent }) => parent);
  return { status: result?.isError === true ? 500 : response.status, id: answered, parents };
}

test(
  "clients search while a refresh runs: no request fails, and what is new is found when the run has ended",
  { timeout: 120_000 },
  async () => {
    const [data, pages, pipelines] = [tempFolder(), tempFolder(), join(tempFolder(), "pipelines")];
    mkdirSync(pipelines);
    const pipeline = `title: Locks\nfolder: ${pages}\nbaseUrl: https://locks.example/\n`;
    writeFileSync(join(pipelines, "locks.yaml"), pipeline);
    const folders = ["--data", data, "--pipelines", pipelines];
    writePages(pages, 0, 40, "sluice");
    expect(await carrel(["refresh", ...folders])).toMatchObject({ code: 0 });

    const serving = startCarrel(["serve", "--port", "0", ...folders], { CARREL_ACCESS_LOG: "false" });
    const [url = ""] = /http:\S+\/mcp/.exec(await written(serving, /\/mcp/)) ?? [];
    expect((await search(url, "sluice of lock 7", 1)).parents[0]).toBe("documents/locks.example/lock-7.html");
    expect((await search(url, "paddlegate", 1)).parents).toEqual([]);

    const refreshing = new AbortController();
    const answers: Found[] = [];
    const clients = Array.from({ length: CLIENTS }, async (_, number) => {
      for (let i = 0; !refreshing.signal.aborted; i++) {
        const answer = await search(url, `sluice of lock ${(number * 5 + i) % 40}`, i);
        expect(answer.id).toBe(i);
        answers.push(answer);
      }
    });
    writePages(pages, 40, 120, "paddlegate");
    expect(await carrel(["refresh", ...folders])).toMatchObject({ code: 0 });
    const found = await search(url, "paddlegate of lock 77", 1);
    refreshing.abort();
    await Promise.all(clients);

    expect(found.parents[0]).toBe("documents/locks.example/lock-77.html");
    expect(answers.length).toBeGreaterThan(CLIENTS);
    expect(answers.filter(({ status, parents }) => status !== 200 || parents.length === 0)).toEqual([]);
    const ready = await (await fetch(url.replace(/mcp$/, "readyz"))).json();
    expect(ready).toMatchObject({ caughtUp: true, documents: 120 });
  },
);
