import { describe, expect, it } from "vitest";
import { convert, documentOf } from "./page.ts";

const text = (body: string) =>
  documentOf(body, { contentType: "text/plain", url: "https://tern.example/docs/readme.txt" });

describe("a page of plain text", () => {
  it("has paragraphs, and nothing in it is taken for Markdown", () => {
    const { title, content, description } = text(
      "Tern\n\nUse *args* and\n__init__ to fly. Then land.\n\n# not a heading\n",
    );
    expect(title).toBe("Tern");
    expect(content).toBe("Use \\*args\\* and \\_\\_init\\_\\_ to fly. Then land.\n\n\\# not a heading");
    expect(description).toBe("Use *args* and __init__ to fly.");
  });

  it("keeps what is laid out, as code", () => {
    expect(text("T\n\nOptions:\n\n  -a   all\n  -b   some\n\n+---+\n| x |\n+---+\n").content).toBe(
      "Options:\n\n```\n  -a   all\n  -b   some\n```\n\n```\n+---+\n| x |\n+---+\n```",
    );
  });

  it("has a title that is underlined, or its file's name", () => {
    expect(text("Nests\n=====\n\nText.").title).toBe("Nests");
    expect(text("one\ntwo\nthree\n\nText.").title).toBe("readme.txt");
  });

  it("may be empty", () => {
    expect(convert(" \n\n", { contentType: "text/plain" })).toEqual({ kind: "failed", reason: "it has no text" });
  });
});
