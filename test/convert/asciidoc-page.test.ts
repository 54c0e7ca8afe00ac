import { describe, expect, it } from "vitest";
import { convertPage } from "../../src/convert/convert-page.ts";
import type { Conversion } from "../../src/domain/conversion.ts";

async function documentOf(
  source: string,
  url = "https://tern.example/docs/guide.adoc",
): Promise<Extract<Conversion, { kind: "document" }>> {
  const conversion = await convertPage({
    url,
    contentType: "text/asciidoc",
    body: new TextEncoder().encode(source),
    options: { remove: [] },
    aliases: [],
  });
  if (conversion.kind !== "document") throw new Error(`${conversion.kind}: ${conversion.reason}`);
  return conversion;
}

const HEADER = `= Tern Guide
Ada Writer <ada@tern.example>
v2.1, 2026-03-01
:description: How to run Tern.
:lang: en-GB
:product: Tern

`;

describe("AsciiDoc", () => {
  it("has its title, description, language and version from its header, and attributes in its text", async () => {
    const { title, description, language, content } = await documentOf(`${HEADER}Run *{product}*, see max_file_size.`);
    expect({ title, description, language }).toEqual({
      title: "Tern Guide",
      description: "How to run Tern.",
      language: "en-GB",
    });
    expect(content).toBe("Run **Tern**, see max_file_size.");
    expect((await documentOf("= T\n\nText.")).language).toBe("");
  });

  it.each([
    [
      "code with its language, its title, and what is said of its lines",
      ".lib/a.rb\n[source,ruby]\n----\nputs  '<T>' # <1>\n----\n<1> Says it.",
      "`lib/a.rb`\n\n```ruby\nputs  '<T>' # (1)\n```\n\n1. Says it.",
    ],
    ["code without a language", "----\na\n\n\n  b\n----\n\n....\nc\n....", "```\na\n\n\n  b\n```\n\n```\nc\n```"],
    ["a note in a line", "WARNING: Hot.", "> [!WARNING]\n> Hot."],
    [
      "a note of several blocks with a title",
      ".Mind this\n[TIP]\n====\nA.\n\n* b\n====",
      "> [!TIP]\n> **Mind this**\n>\n> A.\n>\n> - b",
    ],
    [
      "a table with a head, and blocks in its cells",
      '[cols="1,1a",options="header"]\n|===\n|Key |Value\n\n|a\n|one | b\n|* two\n* three\n|===',
      "| Key | Value |\n| --- | --- |\n| a | one |\n| b | - two<br>- three |",
    ],
    ["terms", "CPU:: The brain.\nDisk:: The memory.", "- CPU: The brain.\n- Disk: The memory."],
    ["lists, tight", ". one\n. two\n* [x] done\n* [ ] open", "1. one\n2. two\n\n   - [x] done\n   - [ ] open"],
    ["a footnote", "Fact.footnote:[Source.]", "Fact.[^1]\n\n[^1]: Source."],
    ["formulas and keys", "stem:[x^2] and kbd:[Ctrl+C]", "$x^2$ and `Ctrl`+`C`"],
    ["what opens", ".More\n[%collapsible]\n====\nHidden.\n====", "**More**\n\nHidden."],
  ])("keeps %s", async (_what, source, expected) => {
    expect((await documentOf(`= T\n\n${source}\n`)).content).toBe(expected);
  });

  it("links within the page, and to sources beside it as they are published", async () => {
    const source = "= T\n\nSee <<part>> and xref:other.adoc#x[that].\n\n[#part]\n== A part\n\nText.";
    expect((await documentOf(source)).content).toContain(
      "See [A part](https://tern.example/docs/guide.adoc#part) and [that](https://tern.example/docs/other.adoc#x).",
    );
    expect((await documentOf(source, "https://tern.example/docs/guide")).content).toContain(
      "[that](https://tern.example/docs/other.html#x)",
    );
  });

  it("reads no other file", async () => {
    const { content } = await documentOf("= T\n\ninclude::/etc/hostname[]\n\nimage::/etc/hostname[opts=inline]");
    expect(content).toBe(
      "[/etc/hostname](https://tern.example/etc/hostname)\n\n![hostname](https://tern.example/etc/hostname)",
    );
  });

  it("is told by its ending where the server knows no better", async () => {
    const body = new TextEncoder().encode("= Title\n\n*b*");
    for (const contentType of ["text/plain", "application/octet-stream", ""]) {
      expect(
        await convertPage({
          url: "https://tern.example/a.adoc",
          contentType,
          body,
          options: { remove: [] },
          aliases: [],
        }),
      ).toMatchObject({ kind: "document", title: "Title", content: "**b**" });
    }
  });
});
