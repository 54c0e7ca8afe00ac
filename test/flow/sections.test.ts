import { describe, expect, test } from "vitest";
import type { Chunk } from "../../src/domain/chunk.ts";
import { createQueries } from "../../src/flow/query.ts";
import { findSection, sectionNames } from "../../src/flow/sections.ts";
import { memoryCorpus } from "../server/support/memory-corpus.ts";

const PAGE = `How paths are read.

## Reading *lines* of \`files\`

Line by line.

\`\`\`sh
## no heading
\`no.signature()\`
\`\`\`

### Buffers

Of some kilobytes.

## Functions

\`Path.exists(follow=True)\`

Whether it is there.

\`class Reader(file)\`

Reads.

\`Reader.next()\`

The next one.

\`Writer(file)\`

Writes.

## Ende gut

Alles gut.
`;

/** Chunks with anchors, as a converter cuts them. */
const CHUNKS: readonly Chunk[] = [
  { id: "c1", content: "How paths are read.", headings: [], anchor: "module-paths" },
  {
    id: "c2",
    content: PAGE.slice(PAGE.indexOf("## Reading"), PAGE.indexOf("### Buffers")),
    headings: [],
    anchor: "s1",
  },
  { id: "c3", content: "Of some kilobytes.", headings: ["Reading", "Buffers"], anchor: "s1-buffers" },
  { id: "c4", content: "## Ende gut\n\nAlles gut.", headings: ["Ende gut"], anchor: "SQL-END" },
];

function text(wanted: string): string | undefined {
  const section = findSection(PAGE, CHUNKS, wanted);
  return section && PAGE.slice(section.start, section.end);
}

test("a section is found by its heading without the number, or by words that no other heading has", () => {
  const page = "## 5.11. Partitions\n\nP.\n\n### 5.11.2. Limitations\n\nL.\n\n### 5.11.3. Limitations of locks\n\nK.\n";
  const found = (wanted: string): string | undefined => findSection(page, [], wanted)?.name;
  expect(found("Limitations")).toBe("5.11.2. Limitations");
  expect(found("limitations of")).toBe("5.11.3. Limitations of locks");
  expect(found("limit")).toBeUndefined();
  expect(found("of")).toBeUndefined();
});

describe("a section", () => {
  test.each([
    ["Reading lines of files", /^## Reading [^]*kilobytes\.\n\n$/],
    ["reading-lines-of-files", /^## Reading /],
    ["## Buffers", /^### Buffers\n\nOf some kilobytes\.\n\n$/],
    ["buffers", /^### Buffers/],
    ["s1", /^## Reading [^]*kilobytes/],
    ["s1-buffers", /^### Buffers/],
    ["sql-end", /^## Ende gut\n\nAlles gut\.\n$/],
    ["ende%20gut", /^## Ende gut/],
    ["module-paths", /^How paths are read\.\n\n$/],
    ["Path.exists", /^`Path\.exists\(follow=True\)`\n\nWhether it is there\.\n\n$/],
    ["pathlib.Path.exists", /^`Path\.exists/],
    ["path.exists()", /^`Path\.exists/],
    ["Reader", /^`class Reader\(file\)`[^]*The next one\.\n\n$/],
    ["Reader.next", /^`Reader\.next\(\)`\n\nThe next one\.\n\n$/],
    ["Functions", /^## Functions[^]*Writes\.\n\n$/],
  ])("is found by %s", (wanted, expected) => {
    expect(text(wanted)).toMatch(expected);
  });

  test.each(["", "nothing", "no heading", "no.signature", "#", "%ff", "__proto__"])("is not found by %j", (wanted) => {
    expect(text(wanted)).toBeUndefined();
  });

  test("the names are those of headings outside code", () => {
    expect(sectionNames(PAGE)).toEqual(["Reading lines of files", "Buffers", "Functions", "Ende gut"]);
  });

  test("takes time that grows with the page alone", () => {
    const long = `${"`a` ".repeat(50_000)}\n${"# x\n".repeat(50_000)}${"[".repeat(50_000)}`;
    const started = process.cpuUsage().user;
    expect(findSection(long, [], "nowhere")).toBeUndefined();
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  });
});

describe("reading a section", () => {
  const uri = "https://docs.example/paths";
  const queries = createQueries(memoryCorpus([{ uri, content: PAGE }]));
  const read = async (request: { names: readonly string[]; section?: string; start?: number }) =>
    queries.getDocuments(request);

  test("by a fragment of the name, which is no error when it is unknown", async () => {
    const [part] = (await read({ names: [`${uri}#buffers`] })).documents;
    expect(part).toMatchObject({ section: { name: "Buffers" }, start: PAGE.indexOf("### Buffers") });
    expect(part?.content).toBe("### Buffers\n\nOf some kilobytes.\n\n");
    const [whole] = (await read({ names: [`${uri}#nowhere`] })).documents;
    expect(whole).toMatchObject({ content: PAGE, unknownFragment: "nowhere" });
    expect((await read({ names: [`${uri}#`] })).documents[0]?.unknownFragment).toBeUndefined();
  });

  test("by its words, and an unknown one is answered with those that there are", async () => {
    const [part] = (await read({ names: [uri], section: "Ende gut" })).documents;
    expect(part).toMatchObject({ content: "## Ende gut\n\nAlles gut.\n", end: PAGE.length });
    const { failures } = await read({ names: [uri], section: "Nowhere" });
    expect(failures[0]?.error).toMatchObject({ code: "invalid" });
    expect(failures[0]?.error.message).toMatch(
      /no section "Nowhere"; its sections are "Reading lines of files", "Buffers"/,
    );
    expect(failures[0]?.nearest).toEqual([]);
  });

  test("goes on at a start within it, and ends where it ends", async () => {
    const start = PAGE.indexOf("Line by line");
    const [part] = (await read({ names: [uri], section: "reading lines of files", start })).documents;
    expect(part).toMatchObject({ start, end: PAGE.indexOf("## Functions") });
    const late = await read({ names: [uri], section: "buffers", start: PAGE.length - 2 });
    expect(late.failures[0]?.error.message).toMatch(/before the start/);
  });
});
