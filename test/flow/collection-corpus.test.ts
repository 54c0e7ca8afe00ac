import { describe, expect, it } from "vitest";
import { collectionCorpus } from "../../src/flow/collection-corpus.ts";

function cut(text: string, title = "") {
  const [change] = collectionCorpus([{ id: "nest", title, text }], false).changes;
  if (change?.kind !== "document") throw new Error("no document");
  return { title: change.title, sections: change.chunks.map(({ headings, content }) => [...headings, content]) };
}

describe("collectionCorpus", () => {
  it("cuts at underlined headings, whose signs have their level where they come first", () => {
    expect(
      cut("Nests\n=====\n\nOf birds.\n\nEggs\n----\nBlue.\n\nShells\n~~~~~~\nThin.\n\nChicks\n----\nHungry.\n"),
    ).toEqual({
      title: "Nests",
      sections: [["Of birds."], ["Eggs", "Blue."], ["Eggs", "Shells", "Thin."], ["Chicks", "Hungry."]],
    });
  });

  it("cuts at the headings of Markdown, and keeps a title that is given", () => {
    expect(cut("# Nests\n\nOf birds.\n\n## Eggs\n\nBlue.", "Birds")).toEqual({
      title: "Birds",
      sections: [
        ["Nests", "Of birds."],
        ["Nests", "Eggs", "Blue."],
      ],
    });
  });

  it("takes no table or list for a heading", () => {
    expect(cut("=====  =====\nEgg    Size\n=====  =====\n- one\n- two").sections).toHaveLength(1);
  });

  it("cuts long sections between paragraphs", () => {
    const paragraph = "egg ".repeat(150).trim();
    const { sections } = cut([paragraph, paragraph, paragraph].join("\n\n"));
    expect(sections).toEqual([[`${paragraph}\n\n${paragraph}`], [paragraph]]);
  });

  it("makes a document one passage that begins with its title, when it is to be whole", () => {
    const corpus = collectionCorpus([{ id: "nest", title: "Nests", text: "Eggs\n----\nBlue." }], true);
    expect(corpus.texts([1])).toMatchObject([{ title: "", headings: [], content: "Nests\nEggs\n----\nBlue." }]);
    expect(corpus.texts([2])).toEqual([]);
  });

  it("gives passages the id of their document for a name", () => {
    const corpus = collectionCorpus(
      [
        { id: "a", title: "A", text: "x" },
        { id: "b", title: "B", text: "# H\ny" },
      ],
      false,
    );
    const hit = { chunkRowId: 2, documentId: 2, score: 0.5 };
    expect(corpus.passages([hit])).toMatchObject([
      { parent: "b", headings: ["H"], content: "y", ordinal: 0, score: 0.5 },
    ]);
    expect([corpus.documentInfo("b"), corpus.documentInfo("c")]).toEqual([{ name: "b" }, undefined]);
  });
});
