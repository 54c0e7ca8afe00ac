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
  indexPages: "index pages kept out",
  keptOut: "other pages kept out",
  bytes: "received",
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
    .map((key) => `${key === "bytes" ? sizeText(counts.bytes) : counts[key]} ${COUNT_WORDS[key]}`);
  return words.length === 0 ? "nothing to do" : words.join(", ");
}

function durationText(run: Run): string {
  return run.endedAt === undefined ? "" : ` (${timeText(run.durationMs)})`;
}

/** A time at work, to two units: `0.4 s`, `3 min 20 s`, `1 h 5 min`. */
export function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 10) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A number of bytes: `512 bytes`, `8.1 kB`, `1.2 GB`; of 1000 each, as disks are sold and networks measured. */
export function sizeText(bytes: number): string {
  const units = ["kB", "MB", "GB", "TB"];
  if (bytes < 1000) return `${bytes} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1] ?? ""}`;
}
