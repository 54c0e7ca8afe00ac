import type { Ask, FrontierCounts } from "../domain/ports.ts";
import type { OmissionGroup, RunStatus } from "../domain/run.ts";

/** A site of which more than this share fails is in trouble, and what it calls gone may come back. */
const MOST_FAILED = 0.05;

/**
 * Whether a run says what is gone: the site as a whole answered it. What that protects from is an outage, a deployment that
 * is half done, or a login wall, in which 404s mean nothing. A few pages that fail for ever are no such sign, and must not
 * keep pages that are gone for ever; nor must a limit, for what it leaves out was not asked and is not taken for gone. One
 * failure is always allowed, or a small source would never tell; but never as many failures as answers.
 * @param maxLoss the share of its pages that a run of the source may lose.
 */
export function isTelling(counts: FrontierCounts, ask: Ask, maxLoss: number): boolean {
  if (ask === "failed") return false;
  const { failed } = counts;
  const answered = counts.fetched + counts.unchanged + counts.moved + counts.gone + counts.skipped;
  const most = Math.max(1, (answered + failed) * Math.min(MOST_FAILED, maxLoss));
  return failed === 0 || (failed <= most && failed < answered);
}

/** What is known of a run when it has ended. */
export interface Evidence {
  readonly counts: FrontierCounts;
  /** Pages that could not be converted. */
  readonly unconverted: number;
  readonly hasEnded: boolean;
  readonly suspicion: string | undefined;
  readonly ask: Ask;
  /** What it left out, and by which limit. */
  readonly omissions: readonly OmissionGroup[];
  /** See `isTelling`. */
  readonly isTelling: boolean;
}

/** What a run came to, and why it is not complete. */
export function judge(evidence: Evidence): { status: Exclude<RunStatus, "running">; note: string } {
  const { counts, unconverted, hasEnded, suspicion, ask } = evidence;
  if (!hasEnded) return { status: "stopped", note: "stopped before it was done; the next refresh goes on from here" };
  if (suspicion !== undefined) {
    return {
      status: "suspicious",
      note: `${suspicion}; nothing was taken over and what was there is kept. Look at the site, and say --accept if it is right`,
    };
  }
  // A run that asks for what failed alone may have nothing to ask, or find that it is gone.
  if (ask !== "failed" && counts.fetched + counts.unchanged + counts.notDue === 0 && counts.failed === 0) {
    const reasons = `${counts.gone} gone, ${counts.moved} moved, ${counts.skipped} no documentation`;
    return { status: "failed", note: `no page was found (${reasons}); check the seeds and the scope` };
  }
  const answered = counts.fetched + counts.unchanged + counts.moved + counts.skipped + counts.gone;
  if (answered === 0 && counts.failed > 0) {
    return {
      status: "failed",
      note: `nothing could be fetched (${failedText(counts.failed)}); what was there is kept`,
    };
  }
  const notes: string[] = [];
  if (counts.failed > 0) notes.push(`${failedText(counts.failed)} to fetch`);
  if (unconverted > 0) notes.push(`${failedText(unconverted)} to convert`);
  const leftOut = evidence.omissions.filter(({ kind }) => kind === "leftOut");
  for (const { reason, count } of leftOut) {
    notes.push(`${count} ${count === 1 ? "URL" : "URLs"} left out by ${reason === "" ? "a limit" : reason}`);
  }
  if (notes.length === 0) return { status: "complete", note: "" };
  if (counts.failed > 0 && ask !== "failed" && !evidence.isTelling) notes.push("so nothing was taken for gone");
  return { status: "partial", note: notes.join(", ") };
}

function failedText(count: number): string {
  return count === 1 ? "1 page failed" : `${count} pages failed`;
}
