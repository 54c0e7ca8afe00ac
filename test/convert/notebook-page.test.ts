import { describe, expect, it } from "vitest";
import { convert, documentOf } from "./page.ts";

const NOTEBOOK = { url: "https://tern.example/docs/eggs.ipynb", contentType: "application/x-ipynb+json" };

function notebook(cells: readonly unknown[], metadata: unknown = { language_info: { name: "python" } }): string {
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells });
}

describe("a Jupyter notebook", () => {
  it("is its Markdown and its code, in the language of its kernel", () => {
    const { title, content, description } = documentOf(
      notebook([
        { cell_type: "markdown", source: ["# Counting eggs\n", "\n", "How many eggs a nest has, by `count_eggs`."] },
        { cell_type: "code", source: ["from tern import nest\n", "\n", "nest.count_eggs()"], outputs: [] },
        { cell_type: "markdown", source: "## See\n\n- [nests](nests.ipynb)" },
        { cell_type: "code", source: "%%bash\nls nests", outputs: [] },
        { cell_type: "code", source: "", outputs: [] },
      ]),
      NOTEBOOK,
    );
    expect(title).toBe("Counting eggs");
    expect(description).toBe("How many eggs a nest has, by count_eggs.");
    expect(content).toBe(
      "How many eggs a nest has, by `count_eggs`.\n\n```python\nfrom tern import nest\n\nnest.count_eggs()\n```\n\n" +
        "## See\n\n- [nests](https://tern.example/docs/nests.ipynb)\n\n```bash\n%%bash\nls nests\n```",
    );
  });

  it("has what its code printed, as text", () => {
    const escape = String.fromCharCode(27);
    const { content } = documentOf(
      notebook([
        {
          cell_type: "code",
          source: "show(nest)",
          outputs: [
            { output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
            {
              output_type: "execute_result",
              data: { "text/html": "<b>7</b>", "text/plain": ["   eggs\n", "0     7"] },
            },
            { output_type: "display_data", data: { "text/markdown": "**Seven** eggs", "text/plain": "<Markdown>" } },
            { output_type: "display_data", data: { "image/png": "iVBORw0KGgo=" } },
            { output_type: "error", ename: "E", evalue: "x", traceback: [`${escape}[0;31mNestError${escape}[0m: x`] },
          ],
        },
      ]),
      NOTEBOOK,
    );
    expect(content).toBe(
      "```python\nshow(nest)\n```\n\nOutput:\n\n```\none\ntwo\n```\n\n```\n   eggs\n0     7\n```\n\n**Seven** eggs\n\n" +
        "```\nNestError: x\n```",
    );
  });

  it("of the third format is read too", () => {
    const old = {
      nbformat: 3,
      metadata: {},
      worksheets: [
        {
          cells: [
            { cell_type: "heading", level: 1, source: ["Eggs"] },
            { cell_type: "code", language: "julia", input: "1 + 1", outputs: [{ output_type: "pyout", text: "2" }] },
          ],
        },
      ],
    };
    const document = documentOf(JSON.stringify(old), NOTEBOOK);
    expect(document.title).toBe("Eggs");
    expect(document.content).toBe("```julia\n1 + 1\n```\n\nOutput:\n\n```\n2\n```");
  });

  it("keeps code that looks like a fence, raw cells, and the text of pictures without an address", () => {
    const cells = [
      { cell_type: "raw", source: "---\ntitle: Front\n---\n" },
      { cell_type: "markdown", source: "A ![drawing](attachment:a.png) of it." },
      { cell_type: "code", source: 's = """\n```\nx\n```\n"""', outputs: [] },
      { cell_type: "raw", source: ".. note:: raw" },
    ];
    const { title, content } = documentOf(notebook(cells, { kernelspec: { language: "R" } }), NOTEBOOK);
    expect(title).toBe("Front");
    expect(content).toBe('A drawing of it.\n\n````r\ns = """\n```\nx\n```\n"""\n````\n\n```\n.. note:: raw\n```');
  });

  it("that is broken or empty says so", () => {
    expect(convert("{", NOTEBOOK)).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(/^the notebook is no JSON: /),
    });
    expect(convert("[]", NOTEBOOK)).toEqual({ kind: "failed", reason: "the notebook has no cells" });
    expect(convert(notebook([7, null]), NOTEBOOK)).toMatchObject({ kind: "failed" });
  });

  it("is known by its ending where the type says little", () => {
    const text = notebook([{ cell_type: "markdown", source: "# T\n\nText." }]);
    for (const contentType of ["application/json", "text/plain; charset=utf-8", "application/octet-stream", ""])
      expect([contentType, documentOf(text, { ...NOTEBOOK, contentType }).title]).toEqual([contentType, "T"]);
  });
});
