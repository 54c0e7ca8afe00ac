import { expect, it } from "vitest";
import type { DocumentChangeNote } from "../../src/domain/run.ts";
import { netChanges } from "../../src/flow/run-changes.ts";

function note(
  kind: DocumentChangeNote["kind"],
  name: string,
  title: string,
  linesAdded = 0,
  linesRemoved = 0,
  titleBefore = title,
): DocumentChangeNote {
  return { kind, name, title, titleBefore, linesAdded, linesRemoved };
}

it("joins what several runs did, as if one had done it", () => {
  const runs = [
    [note("added", "new", "New", 10), note("added", "brief", "Brief", 5), note("updated", "page", "Two", 3, 1, "One")],
    [note("removed", "brief", "Brief", 0, 5), note("removed", "back", "Back", 0, 8)],
    [note("updated", "new", "Newer", 2, 1, "New"), note("updated", "page", "Three", 1, 1, "Two")],
    [note("added", "back", "Back", 9), note("removed", "old", "Old", 0, 4)],
  ];
  expect(netChanges(runs)).toEqual([
    note("added", "new", "Newer", 12, 1),
    note("removed", "old", "Old", 0, 4),
    note("updated", "back", "Back", 9, 8),
    note("updated", "page", "Three", 4, 2, "One"),
  ]);
});

it("is empty when nothing is left of what was done", () => {
  expect(netChanges([])).toEqual([]);
  expect(netChanges([[note("added", "a", "A", 1)], [note("removed", "a", "A", 0, 1)]])).toEqual([]);
});
