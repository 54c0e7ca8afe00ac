import { describe, expect, it } from "vitest";
import { documentOf } from "./page.ts";

const PAGE = { url: "https://tern.example/docs/guide.rst", contentType: "text/x-rst; charset=utf-8" };

/** The Markdown of a source under a title. */
function content(source: string): string {
  return documentOf(`Title\n=====\n\n${source}\n`, PAGE).content;
}

describe("reStructuredText", () => {
  it("has its title, its sections by the order of their marks, and labels as anchors", () => {
    const {
      title,
      content: text,
      chunks,
    } = documentOf(
      ":orphan:\n\n.. _start:\n\n=====\nGuide\n=====\n\nText.\n\n.. _part:\n\nPart\n----\n\nSee :ref:`part`, :ref:`here <start>`.\n\nDeeper\n~~~~~~\n\nEnd.\n\n----\n\nFoot.",
      PAGE,
    );
    expect(title).toBe("Guide");
    expect(text).toBe(
      "Text.\n\n## Part\n\nSee [Part](https://tern.example/docs/guide.rst#part), [here](https://tern.example/docs/guide.rst#start).\n\n### Deeper\n\nEnd.\n\n---\n\nFoot.",
    );
    expect(chunks.length).toBeGreaterThan(0);
  });

  it.each([
    ["code after two colons", "Run::\n\n    a\n\n      b\n\nEnd.", "Run:\n\n```\na\n\n  b\n```\n\nEnd."],
    ["code after a line of colons", "Run.\n\n::\n\n  a  <b>", "Run.\n\n```\na  <b>\n```"],
    ["quoted code", "Say::\n\n> a\n> b\n\nEnd.", "Say:\n\n```\n> a\n> b\n```\n\nEnd."],
    [
      "code with its language and caption",
      ".. code-block:: yaml\n   :caption: a.yaml\n   :linenos:\n\n   a:\n     - b\n\n   c: d",
      "`a.yaml`\n\n```yaml\na:\n  - b\n\nc: d\n```",
    ],
    ["the language of a page", ".. highlight:: c\n\n::\n\n   int a;", "```c\nint a;\n```"],
    [
      "a session, without what tests are told",
      ">>> f(1)  # doctest: +SKIP\n2\n\nEnd.",
      "```pycon\n>>> f(1)\n2\n```\n\nEnd.",
    ],
    ["a literal with markup", ".. parsed-literal::\n\n   run **fast** *x*", "```\nrun fast x\n```"],
    ["a grammar", '.. productionlist::\n   a: `b` | "c"\n   long: a', '```\na    ::= b | "c"\nlong ::= a\n```'],
    ["a note", ".. note:: Mind\n   the gap.\n\n   It is wide.", "> [!NOTE]\n> Mind the gap.\n>\n> It is wide."],
    ["a box with a title", ".. admonition:: Why\n\n   So.", "> [!NOTE]\n> **Why**\n>\n> So."],
    ["versions", ".. versionadded:: 3.2\n   The *x* one.", "*New in version 3.2:* The *x* one."],
    [
      "an object of an API, and what it takes",
      ".. module:: birds\n\n.. function:: fly(high, *, far=1)\n   :noindex:\n\n   Flies.\n\n   :param high: How high.\n   :returns: Nothing.",
      "`birds.fly(high, *, far=1)`\n\nFlies.\n\n- Parameters: **high** – How high.\n- Returns: Nothing.",
    ],
    [
      "the fields of a signature, in groups and with their types",
      ".. function:: f(a, b)\n\n   Does it.\n\n   :param a: the first\n   :type a: int\n   :param str b: the second,\n      goes on\n   :param c:\n   :raises ValueError: when bad\n   :rtype: str",
      "`f(a, b)`\n\nDoes it.\n\n- Parameters:\n  - **a** (*int*) – the first\n  - **b** (*str*) – the second, goes on\n  - **c**\n- Raises: ValueError – when bad\n- Return type: str",
    ],
    ["fields of another kind", ":Author: Me\n:Version: 1", "- Author: Me\n- Version: 1"],
    [
      "a file that is put in",
      ".. include:: ../eggs.txt",
      "*Text of the file:* [`../eggs.txt`](https://tern.example/eggs.txt)",
    ],
    ["code that is put in", ".. literalinclude:: /ex/lay.py", "*Code of the file:* `/ex/lay.py`"],
    [
      "a class with its methods",
      ".. class:: Tern(a)\n               Tern(b)\n\n   A bird.\n\n   .. method:: dive()\n\n      Down.",
      "`class Tern(a)`\n\n`class Tern(b)`\n\nA bird.\n\n`dive()`\n\nDown.",
    ],
    [
      "terms",
      "cob\n  A male.\n\n  Heavy.\npen : noun\n  A female.",
      "- cob: A male.\n\n  Heavy.\n- pen (*noun*): A female.",
    ],
    [
      "options",
      "-q, --quiet  Say nothing.\n--level=N    How much.",
      "- `-q, --quiet`: Say nothing.\n- `--level=N`: How much.",
    ],
    ["lists", "* a\n\n  more\n\n* b\n\n  1. c\n  2. d", "- a\n\n  more\n\n- b\n\n  1. c\n  2. d"],
    ["lists that are tight", "- a\n- b\n  b2\n\n3. c\n4. d", "- a\n- b b2\n\n3. c\n4. d"],
    ["no list", "In the year\n1984. Then\nwhat.", "In the year 1984. Then what."],
    ["lines of verse", "| a\n|  b\n| c", "a  \nb  \nc"],
    ["a quotation", "Said:\n\n   All is well.", "Said:\n\n> All is well."],
    [
      "a grid table with spans",
      "+-----+-----+\n| k   | v   |\n+=====+=====+\n| a   | 1   |\n|     +-----+\n|     | 2   |\n+-----+-----+\n| both      |\n+-----------+",
      "| k | v |\n| --- | --- |\n| a | 1 |\n| a | 2 |\n| both |  |",
    ],
    [
      "a simple table",
      "=====  =====\nk      v\n=====  =====\na      1 | 2\n       more\nb\n=====  =====",
      "| k | v |\n| --- | --- |\n| a | 1 \\| 2 more |\n| b |  |",
    ],
    [
      "a table as a list",
      ".. list-table:: Sizes\n   :header-rows: 1\n\n   * - k\n     - v\n   * - a\n     - ``x``\n\n       y",
      "**Sizes**\n\n| k | v |\n| --- | --- |\n| a | `x`<br>y |",
    ],
    [
      "comma-separated values",
      '.. csv-table::\n   :header: "k", "v"\n\n   a, "1, 2"',
      "| k | v |\n| --- | --- |\n| a | 1, 2 |",
    ],
    ["a table that does not close", "+---+\n| a |\n\nEnd.", "```\n+---+\n| a |\n```\n\nEnd."],
    ["footnotes", "A [1]_ and [#x]_.\n\n.. [1] One.\n.. [#x] Two.", "A [^1] and [^x].\n\n[^1]: One.\n\n[^x]: Two."],
    [
      "tabs",
      ".. tab-set::\n\n   .. tab-item:: npm\n\n      .. code-block:: sh\n\n         npm i\n\n   .. tab-item:: pnpm\n\n      Text.",
      "**npm**\n\n```sh\nnpm i\n```\n\n**pnpm**\n\nText.",
    ],
    ["formulas", ":math:`a_b`\n\n.. math::\n\n   c = d", "$a_b$\n\n$$\nc = d\n$$"],
    [
      "an image with its caption",
      ".. figure:: a.png\n   :alt: A\n\n   A *bird*.",
      "![A](https://tern.example/docs/a.png)\n\n*A bird.*",
    ],
    ["what is not known", ".. availability:: Unix\n\n   Not on *x*.", "*Availability:* Unix\n\nNot on *x*."],
    ["no comments", "a\n\n.. A comment\n   of two lines\n\nb", "a\n\nb"],
  ])("keeps %s", (_what, source, expected) => {
    expect(content(source)).toBe(expected);
  });

  it.each([
    ["``a  *b* \\c``", "`a  *b* \\c`"],
    ["*a* **b** `c` `d e`", "*a* **b** `c` *d e*"],
    ["2*3*4 and *args, **kwargs", "2\\*3\\*4 and \\*args, \\*\\*kwargs"],
    [":func:`os.open` :class:`~a.B` :meth:`!run` :c:type:`T`", "`os.open()` `B` `run()` `T`"],
    [
      ":pep:`8` and :rfc:`2616`",
      "[PEP 8](https://peps.python.org/pep-0008/) and [RFC 2616](https://datatracker.ietf.org/doc/html/rfc2616)",
    ],
    [
      "`Text <https://a.example/b>`_ and site_.\n\n.. _site: https://c.example/",
      "[Text](https://a.example/b) and [site](https://c.example/).",
    ],
    [
      "`one`__ and two__.\n\n__ https://a.example/\n__ https://b.example/",
      "[one](https://a.example/) and [two](https://b.example/).",
    ],
    ["|name| here.\n\n.. |name| replace:: A *name*", "A *name* here."],
    ["H\\ :sub:`2`\\ O", "H<sub>2</sub>O"],
    [
      ":doc:`other` and :doc:`that </x/y>`",
      "[other](https://tern.example/docs/other.rst) and [that](https://tern.example/x/y.rst)",
    ],
    ["max_file_size and __init__ and a_", "max_file_size and \\_\\_init\\_\\_ and a\\_"],
    ["an unclosed `quote and *star", "an unclosed \\`quote and \\*star"],
  ])("reads %j", (source, expected) => {
    expect(content(source)).toBe(expected);
  });

  it("keeps the pages that it leads to when it says nothing else", () => {
    const { content: text } = documentOf(
      "Docs\n====\n\n.. toctree::\n   :maxdepth: 2\n\n   start\n   More <sub/more>\n",
      PAGE,
    );
    expect(text).toBe(
      "- [start](https://tern.example/docs/start.rst)\n- [More](https://tern.example/docs/sub/more.rst)",
    );
  });

  it("takes a time that grows with the page only", () => {
    const hostile = [
      "*a ".repeat(40_000),
      "`".repeat(80_000),
      `${" ".repeat(80_000)}x`,
      "a_ ".repeat(40_000),
      `${"- ".repeat(20_000)}x`,
      "|a ".repeat(40_000),
      `${"=".repeat(40_000)}\n`.repeat(2),
      Array.from({ length: 3000 }, (_, i) => `${" ".repeat(i % 1000)}x`).join("\n"),
    ];
    for (const source of hostile) {
      const before = process.cpuUsage().user;
      documentOf(`T\n=\n\nx\n\n${source}`, PAGE);
      expect((process.cpuUsage().user - before) / 1000, source.slice(0, 20)).toBeLessThan(4000);
    }
  });
});
