import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { carrel } from "../support/command-line.ts";
import { corpusSnapshot } from "../support/corpus-snapshot.ts";
import { ROOT } from "../support/documentation.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { TWINS } from "./support/google-twins.ts";
import { AROUND, textOf } from "./support/page-shapes.ts";
import { serveTwin, type ServedTwin } from "./support/twin-server.ts";

interface KeptDocument {
  readonly name: string;
  readonly uri: string;
  readonly source: string;
  readonly title: string;
  readonly content: string;
}

/** Documents by their names, of all sources. */
function documentsOf(data: string): ReadonlyMap<string, KeptDocument> {
  const { documents } = corpusSnapshot(join(data, "corpus.db")) as { documents: KeptDocument[] };
  return new Map(documents.map((document) => [document.name, document]));
}

/** The name that the Developer Knowledge contract gives to a page. */
function nameOf(host: string, path: string): string {
  return `documents/${host}${path.replace(/\/$/, "")}`;
}

/** The shipped pipelines in a folder of their own: what is added is where the twins are, and no delay. */
async function twinPipelines(): Promise<{ readonly folder: string; readonly served: ReadonlyMap<string, ServedTwin> }> {
  const folder = join(tempFolder(), "pipelines");
  mkdirSync(join(folder, "google"), { recursive: true });
  const served = new Map<string, ServedTwin>();
  for (const twin of TWINS) {
    const site = await serveTwin(twin);
    served.set(twin.host, site);
    const shipped = readFileSync(join(ROOT, "pipelines", "google", `${twin.host}.yaml`), "utf8");
    const text = shipped.replace(/delayMs: \d+/, "delayMs: 0");
    writeFileSync(
      join(folder, "google", `${twin.host}.yaml`),
      `${text}aliases: { '${site.url}': 'https://${twin.host}/' }\n`,
    );
  }
  return { folder, served };
}

it("refreshes the group google: every document, and none of what is left out", { timeout: 120_000 }, async () => {
  const { folder, served } = await twinPipelines();
  const data = tempFolder();
  const { code, stdout, stderr } = await carrel(["refresh", "google", "--json", "--data", data, "--pipelines", folder]);
  expect(`${code}\n${code === 0 ? "" : stderr}`).toBe("0\n");
  const { runs } = JSON.parse(stdout) as { runs: { source: string; status: string; note: string }[] };
  expect(runs.map(({ source }) => source).sort()).toEqual(TWINS.map(({ host }) => host).sort());

  const documents = documentsOf(data);
  const expected = TWINS.flatMap(({ host, pages }) => pages.map((path) => nameOf(host, path)));
  expect([...documents.keys()].sort()).toEqual(expected.toSorted());
  for (const { host, pages } of TWINS) {
    for (const path of pages) {
      const document = documents.get(nameOf(host, path));
      const text = textOf({ host, path, title: document?.title ?? "", language: "en", links: [] });
      expect(document).toMatchObject({ source: host, uri: `https://${host}${path}` });
      expect(document?.content).toContain(text);
      expect(document?.content).toMatch(
        new RegExp(`\`\`\`\\w*\nrun\\("${path.replaceAll(/[.?]/g, "\\$&")}"\\)\n\`\`\``),
      );
      expect(document?.content).not.toContain(AROUND);
    }
  }

  const wronglyAsked = TWINS.flatMap(({ host, out }) =>
    (served.get(host)?.asked ?? []).filter((path) => out.includes(path)).map((path) => host + path),
  );
  expect(wronglyAsked).toEqual([]);
});
