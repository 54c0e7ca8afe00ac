import { describe, expect, it } from "vitest";
import { convertPage } from "../../src/convert/convert-page.ts";
import type { Conversion } from "../../src/domain/conversion.ts";
import { pdfLines, writePdf, type PdfText } from "../support/pdf.ts";

function convert(body: Uint8Array): Promise<Conversion> {
  return convertPage({
    url: "https://tern.example/manual.pdf",
    contentType: "application/pdf",
    body,
    options: { remove: [] },
    aliases: [],
  });
}

async function documentOf(body: Uint8Array): Promise<Extract<Conversion, { kind: "document" }>> {
  const conversion = await convert(body);
  if (conversion.kind !== "document") throw new Error(`${conversion.kind}: ${conversion.reason}`);
  return conversion;
}

const heading = (text: string, y: number): PdfText => ({ text, x: 60, y, size: 16, font: "Helvetica-Bold" });

const MANUAL = [
  [
    { text: "The Tern Manual", x: 60, y: 740, size: 24, font: "Helvetica-Bold" },
    heading("Installing", 690),
    ...pdfLines(["Tern keeps files in step. It is a small", "program, and its configura-", "tion is one file."], {
      x: 60,
      y: 660,
    }),
    { text: "Run", x: 60, y: 610 },
    { text: "tern init", x: 80, y: 610, font: "Courier" },
    { text: "first, and then write this:", x: 137, y: 610 },
    ...pdfLines(["watch:", "  - src", "", "  - docs"], { x: 60, y: 585 }, { font: "Courier" }),
    heading("Options", 500),
    ...pdfLines(["\u0095 quiet, which says nothing at all when every file is", "   as it was;"], { x: 70, y: 470 }),
    { text: "\u0095 verbose.", x: 70, y: 446 },
    { text: "1. Once. 2. Twice.", x: 60, y: 410 },
  ],
] satisfies readonly PdfText[][];

describe("PDF", () => {
  it("has its title, headings by their size, code by its font, and lists", async () => {
    const { title, content, chunks } = await documentOf(writePdf(MANUAL));
    expect(title).toBe("The Tern Manual");
    expect(content).toBe(
      [
        "## Installing",
        "Tern keeps files in step. It is a small program, and its configuration is one file.",
        "Run `tern init` first, and then write this:",
        "```\nwatch:\n  - src\n\n  - docs\n```",
        "## Options",
        "- quiet, which says nothing at all when every file is as it was;\n- verbose.",
        "1. Once. 2. Twice.",
      ].join("\n\n"),
    );
    expect(chunks[0]?.anchor).toBe("page=1");
  });

  it("takes title and language from what the file says of itself, and the name of a file for none", async () => {
    const named = await documentOf(writePdf(MANUAL, { title: "Tern 2: Manual", language: "en-GB" }));
    expect(named).toMatchObject({ title: "Tern 2: Manual", language: "en-GB" });
    expect((await documentOf(writePdf(MANUAL, { title: "manual.dvi" }))).title).toBe("The Tern Manual");
  });

  it("is without running heads, page numbers and the table of contents", async () => {
    const pages = Array.from({ length: 5 }, (_, i): PdfText[] => [
      { text: "Tern Manual", x: 60, y: 780 },
      { text: `page ${i + 1}`, x: 500, y: 780 },
      ...(i === 0
        ? pdfLines(["Contents", "Begin . . . . . . . 1", "Go on . . . . . . 2", "End . . . . . . . . 5"], {
            x: 60,
            y: 700,
          })
        : pdfLines([`What is said on sheet ${"abcdef"[i]}.`, "And more."], { x: 60, y: 700 })),
      { text: String(i + 1), x: 300, y: 30 },
    ]);
    const { content } = await documentOf(writePdf(pages));
    expect(content).not.toMatch(/Tern Manual|page \d|\. \. \.|^\d$/m);
    expect(content).toContain("What is said on sheet e. And more.");
  });

  it("reads one column after the other, however they are written", async () => {
    const left = [
      "This column says what the",
      "first of two birds did in",
      "summer: it flew and it",
      "flew over the cold sea, and",
      "saw nothing but the waves",
      "and now and then a whale.",
    ];
    const right = [
      "The other bird stayed in",
      "the reeds all the year, as",
      "its mother had done, and",
      "was content with the frogs",
      "that lived there in great",
      "numbers in those days.",
    ];
    const [a, b] = [pdfLines(left, { x: 60, y: 700 }), pdfLines(right, { x: 200, y: 700 })];
    const rows = a.flatMap((text, i) => [text, ...(b[i] === undefined ? [] : [b[i]])]);
    const said = `${left.join(" ")}\n\n${right.join(" ")}`;
    expect((await documentOf(writePdf([[...a, ...b]]))).content).toBe(said);
    expect((await documentOf(writePdf([rows]))).content).toBe(said);
  });

  it("goes on over the end of a page, in a sentence and in code", async () => {
    const pages = [
      [...pdfLines(["A sentence that is longer than its page goes on"], { x: 60, y: 60 })],
      [
        ...pdfLines(["here, and ends."], { x: 60, y: 740 }),
        ...pdfLines(["first()"], { x: 60, y: 60 }, { font: "Courier" }),
      ],
      [...pdfLines(["second()"], { x: 60, y: 740 }, { font: "Courier" }), { text: "Done.", x: 60, y: 700 }],
    ] satisfies PdfText[][];
    expect((await documentOf(writePdf(pages))).content).toBe(
      "A sentence that is longer than its page goes on here, and ends.\n\n```\nfirst()\nsecond()\n```\n\nDone.",
    );
  });

  it("keeps a hyphen that is the word's own", async () => {
    const lines = ["The command-line tool reads the command-", "line and re-", "reads it."];
    const { content } = await documentOf(writePdf([pdfLines(lines, { x: 60, y: 700 })]));
    expect(content).toBe("The command-line tool reads the command-line and rereads it.");
  });

  const row = (y: number, ...cells: readonly string[]): PdfText[] =>
    cells.map((text, i) => ({ text, x: 60 + i * 160, y }));

  it("keeps a table, with cells that take two lines", async () => {
    const { content } = await documentOf(
      writePdf([
        [
          ...row(700, "Option", "Meaning"),
          ...row(688, "-q", "quiet"),
          ...row(676, "-v", "verbose, for those"),
          { text: "who want to know", x: 220, y: 664 },
          ...row(652, "-x", "exit"),
        ],
      ]),
    );
    expect(content).toBe(
      "| Option | Meaning |\n| --- | --- |\n| -q | quiet |\n| -v | verbose, for those who want to know |\n| -x | exit |",
    );
  });

  it("keeps columns that are no table as they stand", async () => {
    const { content } = await documentOf(writePdf([[...row(700, "Option", "Meaning"), ...row(688, "-q", "quiet")]]));
    const lines = content.split("\n");
    expect(lines[0]).toBe("```");
    expect(lines[2]).toMatch(/^-q {5,}quiet$/);
  });

  it("puts the accents of TeX on their letters, and leaves quotes alone", async () => {
    const { content } = await documentOf(
      writePdf([
        pdfLines(["Universit\u{b4}e de Gen`eve, M\u{a8}unchen, gar\u{b8}con.", "Type `quit' and c\u{a9} 2020."], {
          x: 60,
          y: 700,
        }),
      ]),
    );
    expect(content).toBe("Université de Genève, München, gar\u{b8}con. Type \\`quit' and © 2020.");
  });

  it("puts the pieces of a title together", async () => {
    const { title, content } = await documentOf(
      writePdf([
        [
          { text: "A Tutorial", x: 60, y: 760, size: 24 },
          { text: "for", x: 60, y: 730, size: 14 },
          { text: "Terns", x: 60, y: 700, size: 24 },
          ...pdfLines(["They fly far, and they fly every year,", "and nobody knows why they do."], { x: 60, y: 660 }),
        ],
      ]),
    );
    expect([title, content]).toEqual([
      "A Tutorial for Terns",
      "They fly far, and they fly every year, and nobody knows why they do.",
    ]);
  });

  it("has headings that are only bold, when there are several, and takes no bold sentence for one", async () => {
    const bold = "Helvetica-Bold" as const;
    const texts: PdfText[] = [
      { text: "Where they live", x: 60, y: 740, font: bold },
      ...pdfLines(["They live at the sea and on the", "islands of the far north."], { x: 60, y: 724 }),
      { text: "What they eat", x: 60, y: 690, font: bold },
      ...pdfLines(["They eat fish that they catch", "on the wing."], { x: 60, y: 674 }),
      { text: "Never feed them.", x: 60, y: 640, font: bold },
      ...pdfLines(["They do not need it at all."], { x: 60, y: 624 }),
    ];
    expect((await documentOf(writePdf([texts]))).content).toBe(
      "## Where they live\n\nThey live at the sea and on the islands of the far north.\n\n## What they eat\n\nThey eat fish that they catch on the wing.\n\nNever feed them. They do not need it at all.",
    );
  });

  it("has a heading where a bookmark says so, though it is no larger than the text", async () => {
    const texts = [
      { text: "Safety", x: 60, y: 740, font: "Helvetica-Bold" },
      ...pdfLines(["Do not open it.", "Safety first."], { x: 60, y: 715 }),
    ] satisfies PdfText[];
    const { content } = await documentOf(writePdf([texts], { outline: ["Safety"] }));
    expect(content).toBe("## Safety\n\nDo not open it. Safety first.");
  });

  it("fails with its reason when it is encrypted, has no text, or is none", async () => {
    expect(await convert(writePdf(MANUAL, { encrypted: true }))).toEqual({
      kind: "failed",
      reason: "the PDF is encrypted, and needs a password to be read",
    });
    expect(await convert(writePdf([[], []]))).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("pictures"),
    });
    expect(await convert(new TextEncoder().encode("no PDF"))).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("damaged"),
    });
  });
});
