import type { DocumentChangeNote } from "../domain/run.ts";

/**
 * What several runs in a row did to the documents of a source, as if one had done it: what came and went in between is
 * not there, and what went and came back has changed. Line counts are the sums of the runs'.
 * @param runs the changes of each run, oldest first.
 * @returns by kind and title.
 */
export function netChanges(runs: readonly (readonly DocumentChangeNote[])[]): readonly DocumentChangeNote[] {
  const net = new Map<string, DocumentChangeNote>();
  for (const change of runs.flat()) {
    const before = net.get(change.name);
    if (before === undefined) net.set(change.name, change);
    else if (before.kind === "added" && change.kind === "removed") net.delete(change.name);
    else net.set(change.name, joined(before, change));
  }
  const order = { added: 0, removed: 1, updated: 2 } as const;
  return [...net.values()].sort(
    (a, b) =>
      order[a.kind] - order[b.kind] || (a.title < b.title ? -1 : a.title > b.title ? 1 : a.name < b.name ? -1 : 1),
  );
}

function joined(before: DocumentChangeNote, after: DocumentChangeNote): DocumentChangeNote {
  const kind = after.kind === "removed" ? "removed" : before.kind === "added" ? "added" : "updated";
  return {
    ...after,
    kind,
    titleBefore: kind === "added" ? after.title : before.titleBefore,
    linesAdded: before.linesAdded + after.linesAdded,
    linesRemoved: before.linesRemoved + after.linesRemoved,
  };
}
