/** One execution of one source's pipeline. */
export interface Run {
  readonly id: number;
  readonly source: string;
  readonly status: RunStatus;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC; undefined while it goes on. */
  readonly endedAt: string | undefined;
  /** Time at work, in milliseconds: what lies between a stop or a kill and going on is not in it. */
  readonly durationMs: number;
  readonly counts: RunCounts;
  /** Why it is not complete, and what else is to be known of it; "" when nothing is. */
  readonly note: string;
}

/**
 * `complete`: every URL in scope was asked, and answered. `partial`: a limit was hit, or a page failed.
 * `suspicious`: it would have removed or emptied so many pages that nothing was taken over; see `Guard` in flow.
 * `stopped`: the user ended it, and the next run goes on. `failed`: nothing could be fetched.
 */
export type RunStatus = "running" | "complete" | "partial" | "suspicious" | "stopped" | "failed";

export interface RunCounts {
  /** Answered with a page. */
  readonly fetched: number;
  /** Answered with 304, or a file that is as it was. */
  readonly unchanged: number;
  readonly moved: number;
  /** 404 or 410. */
  readonly gone: number;
  /** Fetched, and by rule not documentation. */
  readonly skipped: number;
  /** Could not be fetched or converted. */
  readonly failed: number;
  /** Left out by maxPages, maxDepth or maxSiteBytes. */
  readonly leftOut: number;
  /** Not asked for: they have long been the same, and are asked less often. */
  readonly notDue: number;
  /** Of the bodies that were sent as pages, expanded; what is not kept (images, errors) is not counted. */
  readonly bytes: number;
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** Converted, and kept out: pages that only list what other pages explain, or repeat them. */
  readonly indexPages: number;
  /** Converted, and kept out for another reason: pages that only lead on, views of source code. */
  readonly keptOut: number;
}

/** No counts yet. */
export const NO_COUNTS: RunCounts = {
  fetched: 0,
  unchanged: 0,
  moved: 0,
  gone: 0,
  skipped: 0,
  failed: 0,
  leftOut: 0,
  notDue: 0,
  bytes: 0,
  added: 0,
  updated: 0,
  removed: 0,
  indexPages: 0,
  keptOut: 0,
};

/** What did not get through, and why. */
export interface Failure {
  readonly run: number;
  readonly url: string;
  readonly stage: "fetch" | "convert";
  readonly reason: string;
}

/** Why a URL brought no page although nothing failed; `keptOut`: it brought one that is no documentation. */
export type OmissionKind = "moved" | "gone" | "skipped" | "leftOut" | "keptOut";

/** A URL that brought no page although nothing failed. */
export interface Omission {
  readonly kind: OmissionKind;
  readonly url: string;
  /** The status, the rule or the limit that says so; where it moved, a document name. */
  readonly reason: string;
}

/** Omissions of each kind that are kept one by one; of all, there are the groups. They take about 150 bytes each. */
export const OMISSIONS_KEPT = 10_000;
/** Runs of each source whose omissions are kept one by one: each run has nearly the same. */
export const RUNS_WITH_OMISSIONS = 5;

/** How many URLs a run omitted for one reason. */
export interface OmissionGroup {
  readonly kind: OmissionKind;
  /** As in the omissions, without the addresses that differ. */
  readonly reason: string;
  readonly count: number;
}

/** One document that a run changed, for a list that reads like a changelog. */
export interface DocumentChangeNote {
  readonly kind: "added" | "updated" | "removed";
  readonly name: string;
  readonly title: string;
  /** The title before; the same unless the run changed it. */
  readonly titleBefore: string;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}
