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
  { id: "c1", content: "How paths are read.", headings: [], anchor: "module-paths", anchors: [] },
  {
    id: "c2",
    content: PAGE.slice(PAGE.indexOf("## Reading"), PAGE.indexOf("### Buffers")),
    headings: [],
    anchor: "s1",
    anchors: [],
  },
  { id: "c3", content: "Of some kilobytes.", headings: ["Reading", "Buffers"], anchor: "s1-buffers", anchors: [] },
  { id: "c4", content: "## Ende gut\n\nAlles gut.", headings: ["Ende gut"], anchor: "SQL-END", anchors: [] },
];

function text(wanted: string): string | undefined {
  const section = findSection(PAGE, CHUNKS, wanted);
  return section && PAGE.slice(section.start, section.end);
}

test("a signature is found by what it declares, a decorator by its name", () => {
  const markdown = [
    "`@functools.lru_cache(maxsize=128)`",
    "Keeps results.",
    "`const char *PyUnicode_AsUTF8(PyObject *unicode)`",
    "Gives bytes.",
    "`int utf8_mode`",
    "Says how to read.",
  ].join("\n\n");
  const found = (wanted: string): string | undefined => {
    const section = findSection(markdown, [], wanted);
    return section === undefined ? undefined : /^[A-Z][a-z]+ .*/m.exec(markdown.slice(section.start, section.end))?.[0];
  };
  expect(["@lru_cache", "lru_cache", "functools.lru_cache"].map(found)).toEqual(Array(3).fill("Keeps results."));
  expect(["PyUnicode_AsUTF8", "PyUnicode_AsUTF8()"].map(found)).toEqual(Array(2).fill("Gives bytes."));
  expect(found("utf8_mode")).toBe("Says how to read.");
});

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

describe("an entry of a list", () => {
  const page = `Intro.

## Memory

- \`work_mem\` (\`integer\`): How much is used: a lot.

  More of it.

  - \`inner\`: Within.
- \`temp_mem\`: Another.

After.

1. First.
2. Second.
`;
  const at = (line: string): number => page.indexOf(line) - page.indexOf("## Memory");
  const chunks: readonly Chunk[] = [
    { id: "c1", content: "Intro.", headings: [], anchor: "top", anchors: [["top", 0]] },
    {
      id: "c2",
      content: page.slice(page.indexOf("## Memory")).trimEnd(),
      headings: ["Memory"],
      anchor: "MEMORY",
      anchors: [
        ["MEMORY", 0],
        ["GUC-WORK-MEM", at("- `work_mem`")],
        ["GUC-INNER", at("  - `inner`")],
        ["GUC-TEMP-MEM", at("- `temp_mem`")],
        ["AFTER", at("After.")],
        ["SECOND", at("2. Second.")],
      ],
    },
  ];
  const read = (wanted: string) => {
    const found = findSection(page, chunks, wanted);
    return found && [found.name, page.slice(found.start, found.end)];
  };

  test("is found by its anchor, whole and alone", () => {
    expect(read("GUC-WORK-MEM")).toEqual([
      "work_mem (integer)",
      page.slice(page.indexOf("- `work_mem`"), page.indexOf("- `temp_mem`")),
    ]);
    expect(read("guc-inner")).toEqual(["inner", "  - `inner`: Within.\n"]);
    expect(read("GUC-TEMP-MEM")).toEqual(["temp_mem", "- `temp_mem`: Another.\n\n"]);
    expect(read("SECOND")).toEqual(["Second.", "2. Second.\n"]);
  });

  test("is not where an anchor is that of a heading or a paragraph", () => {
    expect(read("MEMORY")?.[0]).toBe("Memory");
    expect(read("AFTER")?.[0]).toBe("Memory");
    expect(read("top")).toEqual(["", "Intro.\n\n"]);
  });
});

test("a fragment of an operation leads to its part of an API description", async () => {
  const uri = "https://docs.example/openapi.yaml";
  const queries = createQueries(
    memoryCorpus([
      { uri, content: "## Operations\n\nAll.\n" },
      { uri: `${uri}/operations/get%20Nest`, content: "Gives a nest.\n\n## Responses\n\nOne.\n" },
    ]),
  );
  const of = async (fragment: string) => (await queries.getDocuments({ names: [`${uri}#${fragment}`] })).documents[0];
  expect(await of("operation/get%20Nest")).toMatchObject({ content: expect.stringMatching(/^Gives a nest/) });
  expect((await of("operation/put"))?.unknownFragment).toBe("operation/put");
  expect((await of("operations"))?.section?.name).toBe("Operations");
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
      /no section "Nowhere"; its sections, nearest first, are "Reading lines of files", "Buffers"/,
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
