import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { carrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PAGE = `<html lang="en"><head><meta name="generator" content="Docutils 0.19"><title>Nest - Tern</title></head>
<body><div class="body" role="main"><h1>Nest<a class="headerlink" href="#n">¶</a></h1>
<p class="advert">Buy a nest box.</p><p>A nest holds <a href="egg.html">eggs</a>.</p></div></body></html>`;

/** A folder source with one page, and the flags of the command line that belong to it. */
function workplace(): { readonly file: string; readonly flags: readonly string[] } {
  const folder = tempFolder();
  const [docs, pipelines] = [join(folder, "docs"), join(folder, "pipelines")];
  mkdirSync(docs);
  mkdirSync(pipelines);
  writeFileSync(join(docs, "nest.html"), PAGE);
  writeFileSync(
    join(pipelines, "tern.yaml"),
    "title: Tern\nfolder: ../docs\nbaseUrl: https://tern.example/docs/\nconvert: { remove: [.advert] }\n",
  );
  return { file: join(docs, "nest.html"), flags: ["--pipelines", pipelines, "--data", join(folder, "data")] };
}

describe("carrel try", () => {
  it("shows what a file becomes, and by which rules", async () => {
    const { file, flags } = workplace();
    const { code, stdout } = await carrel(["try", file, "--url", "https://tern.example/a/nest.html", ...flags]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^generator: +sphinx$/m);
    expect(stdout).toMatch(/^main content: +sphinx \[role=main\]$/m);
    expect(stdout).toMatch(/^title: +Nest$/m);
    expect(stdout).toMatch(/^1 +all pages +\.headerlink +¶$/m);
    expect(stdout).toContain("Buy a nest box.\n\nA nest holds [eggs](https://tern.example/a/egg.html).");
  });

  it("converts a file as its source says, under the name that it has there", async () => {
    const { file, flags } = workplace();
    const { stdout } = await carrel(["try", file, "--source", "tern", "--json", ...flags]);
    expect(JSON.parse(stdout)).toMatchObject({
      url: "https://tern.example/docs/nest.html",
      format: "html",
      generator: "sphinx",
      dropped: expect.arrayContaining([{ by: "pipeline", rule: ".advert", elements: 1, example: "Buy a nest box." }]),
      conversion: { kind: "document", content: "A nest holds [eggs](https://tern.example/docs/egg.html)." },
    });
  });

  it("reads a page that was fetched from the archive, with the rules of its source", { timeout: 60_000 }, async () => {
    const { flags } = workplace();
    const before = await carrel(["try", "https://tern.example/docs/nest.html", ...flags]);
    expect(before.code).toBe(3);
    expect(before.stderr).toMatch(/nest\.html is not in the archive\. Refresh the source.*carrel try FILE --url https/);
    expect((await carrel(["refresh", ...flags])).code).toBe(0);
    const { code, stdout } = await carrel(["try", "http://tern.example/docs/nest.html#n", ...flags]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^read from: +the archive, of tern, sent at 2/m);
    expect(stdout).toMatch(/^1 +pipeline +\.advert/m);
    expect((await carrel(["try", "https://tern.example/docs/nest.html", "--source", "x", ...flags])).code).toBe(3);
  });

  it("says what it cannot find or read", async () => {
    const { file, flags } = workplace();
    expect((await carrel(["try", `${file}x`, ...flags])).stderr).toContain("There is no file");
    const unknown = await carrel(["try", file, "--source", "tren", ...flags]);
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('Did you mean "tern"?')]);
    const data = file.replace("nest.html", "data.json");
    writeFileSync(data, '{"a": 1}');
    const { stdout } = await carrel(["try", data, ...flags]);
    expect(stdout).toMatch(/^failed: +it is data, and neither a notebook nor an OpenAPI description$/m);
  });
});
