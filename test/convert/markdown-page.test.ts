import { describe, expect, it } from "vitest";
import { documentOf } from "./page.ts";

const markdown = (body: string) =>
  documentOf(body, { contentType: "text/markdown; charset=utf-8", url: "https://tern.example/docs/a.md" });

describe("a page of Markdown", () => {
  it("has its title taken out, links made absolute and code left alone", () => {
    const { title, content } = markdown(
      "# Nests\n\nSee [eggs](eggs.md#blue) and max_file_size.\n\n## Run\n\n```sh\ncd *\n[x](y)\n```\n",
    );
    expect(title).toBe("Nests");
    expect(content).toBe(
      "See [eggs](https://tern.example/docs/eggs.md#blue) and max_file_size.\n\n## Run\n\n```sh\ncd *\n[x](y)\n```",
    );
  });

  it("has front matter", () => {
    const page = markdown("---\ntitle: Nests\ndescription: All of them.\nlang: en\ntags: [a, b]\n---\nText here.\n");
    expect(page).toMatchObject({ title: "Nests", description: "All of them.", language: "en", content: "Text here." });
    expect(markdown("---\ntitle: [broken\n---\n# A\n\nText.").title).toBe("A");
    expect(markdown("---\n\ntext after a rule").content).toBe("text after a rule");
  });

  it("keeps tables, lists and HTML", () => {
    expect(markdown("a\n\n| k | v |\n|---|---|\n| `a\\|b` | x<br>y |\n\n1. one\n   - two\n\n<b>bold</b>").content).toBe(
      "a\n\n| k | v |\n| --- | --- |\n| `a\\|b` | x<br>y |\n\n1. one\n   - two\n\n**bold**",
    );
  });

  it.each([
    [
      "MkDocs",
      '!!! warning "Hot"\n    Do not touch.\n\n    Ever.\n\nAfter.',
      "> [!WARNING]\n> **Hot**\n>\n> Do not touch.\n>\n> Ever.\n\nAfter.",
    ],
    ["MkDocs, without a title", "!!! tip\n    Cache it.", "> [!TIP]\n> Cache it."],
    [
      "Docusaurus",
      ":::note[Keep]\n\nIt is **cold**.\n\n:::\n\nAfter.",
      "> [!NOTE]\n> **Keep**\n>\n> It is **cold**.\n\nAfter.",
    ],
    ["VitePress", "::: danger STOP\nNo.\n:::", "> [!CAUTION]\n> **STOP**\n>\n> No."],
    ["GitHub", "> [!IMPORTANT]\n> Read it.", "> [!IMPORTANT]\n> Read it."],
    ["Obsidian, with a title", "> [!info]- Why\n> So.", "> [!NOTE]\n> **Why**\n>\n> So."],
    ["Obsidian, of its own kind", "> [!example]\n> So.", "> **Example**\n>\n> So."],
    ["nobody", "> [!NOBODY]\n> So.", "> [!NOBODY] So."],
  ])("reads the notes of %s", (_name, body, expected) => {
    expect(markdown(`Before.\n\n${body}`).content).toBe(`Before.\n\n${expected}`);
  });

  it("reads the tabs of MkDocs", () => {
    const { content } = markdown(
      'Pick:\n\n=== "npm"\n\n    ```sh\n    npm i\n    ```\n\n=== "pnpm"\n\n    Text.\n\nAfter.',
    );
    expect(content).toBe("Pick:\n\n**npm**\n\n```sh\nnpm i\n```\n\n**pnpm**\n\nText.\n\nAfter.");
  });

  it("reads MDX: imports and comments are no text, tabs have labels", () => {
    const body =
      'import Tabs from "@theme/Tabs";\n\n# Go\n\n{/* hidden */}\n\n<Tabs>\n<TabItem value="a" label="Apple">\n\nRed.\n\n</TabItem>\n</Tabs>\n\n## Next {#next}\n\nEnd.';
    const { content, chunks } = markdown(body);
    expect(content).toBe("**Apple**\n\nRed.\n\n## Next\n\nEnd.");
    expect(chunks).toHaveLength(1);
  });

  it("leaves what looks like a dialect in code alone", () => {
    expect(markdown("# A\n\nText.\n\n```md\n:::note\nimport x from 'y'\n!!! tip\n```").content).toBe(
      "Text.\n\n```md\n:::note\nimport x from 'y'\n!!! tip\n```",
    );
  });

  it("is known by its name when the server calls it plain text", () => {
    const page = documentOf("# A\n\n*b*", { contentType: "text/plain", url: "https://tern.example/a.md.txt" });
    expect(page).toMatchObject({ title: "A", content: "*b*" });
  });
});
