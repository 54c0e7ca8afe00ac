import type { Run, RunCounts } from "../domain/run.ts";

const COUNT_WORDS: Readonly<Record<keyof RunCounts, string>> = {
  fetched: "fetched",
  unchanged: "unchanged",
  moved: "moved",
  gone: "gone",
  skipped: "skipped",
  failed: "failed",
  leftOut: "left out",
  notDue: "not due yet",
  added: "added",
  updated: "updated",
  removed: "removed",
};

/** One run in one line: `python: complete, 530 fetched, 530 added (12 s)`. */
export function runLine(run: Run): string {
  const note = run.note === "" ? "" : `: ${run.note}`;
  return `${run.source}: ${run.status}, ${countsText(run.counts)}${durationText(run)}${note}`;
}

/** The counts that are not zero, in words. */
export function countsText(counts: RunCounts): string {
  const words = (Object.keys(COUNT_WORDS) as (keyof RunCounts)[])
    .filter((key) => counts[key] > 0)
    .map((key) => `${counts[key]} ${COUNT_WORDS[key]}`);
  return words.length === 0 ? "nothing to do" : words.join(", ");
}

function durationText(run: Run): string {
  if (run.endedAt === undefined) return "";
  return ` (${((Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1000).toFixed(1)} s)`;
}
