import { Command } from "commander";
import { CarrelError } from "../../domain/errors.ts";
import type { CorpusReader } from "../../domain/ports.ts";
import type { DocumentChangeNote, Run } from "../../domain/run.ts";
import { netChanges } from "../../flow/run-changes.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { findRun } from "./runs.ts";

/** `carrel diff RUN [RUN]` */
export function diffCommand(): Command {
  const command = new Command("diff")
    .description("what a run changed, or all runs of a source between two, as a changelog")
    .argument("<run>", "the number of a run, or latest; with a second one, what came after it")
    .argument("[until]", "the number of a later run of the same source, or latest");
  return withCommonFlags(command).action(action(diff));
}

function diff({ app, output }: Context, first: string, until: string | undefined): number {
  using reading = app.openReading();
  const { corpus } = reading;
  const from = findRun(corpus, first);
  const runs = until === undefined ? [from] : runsBetween(corpus, from, findRun(corpus, until));
  const changes = netChanges(runs.map(({ id }) => corpus.changesOf(id)));
  const to = runs.at(-1) ?? from;
  const span =
    until === undefined ? `run ${from.id}, ${day(from)}` : `run ${from.id}, ${day(from)}, to run ${to.id}, ${day(to)}`;
  output.result({ source: from.source, runs: runs.map(({ id }) => id), changes }, [
    `# ${from.source}: ${span}`,
    ...changelog(changes),
  ]);
  return 0;
}

/** The runs after one, up to another, oldest first. @throws CarrelError `invalid` when they are no such pair. */
function runsBetween(corpus: CorpusReader, from: Run, to: Run): readonly Run[] {
  if (from.source !== to.source) {
    throw new CarrelError(
      "invalid",
      `Run ${from.id} is of ${from.source}, and run ${to.id} of ${to.source}; name two runs of one source ("carrel runs --source ${from.source}").`,
    );
  }
  if (from.id >= to.id) {
    throw new CarrelError("invalid", `Run ${to.id} is not after run ${from.id}; name the earlier run first.`);
  }
  // Run numbers count all sources, so there are at most as many as lie between.
  const runs = corpus.runs(Number.MAX_SAFE_INTEGER, from.source);
  return runs.filter(({ id }) => id > from.id && id <= to.id).sort((a, b) => a.id - b.id);
}

const HEADINGS = { added: "Added", removed: "Removed", updated: "Changed" } as const;

function* changelog(changes: readonly DocumentChangeNote[]): Iterable<string> {
  if (changes.length === 0) yield "\nNothing has changed.";
  for (const kind of ["added", "removed", "updated"] as const) {
    const some = changes.filter((change) => change.kind === kind);
    if (some.length === 0) continue;
    yield `\n## ${HEADINGS[kind]} (${some.length})\n`;
    for (const { name, title, titleBefore, linesAdded, linesRemoved } of some) {
      const was = kind === "updated" && titleBefore !== title ? ` (was: ${titleBefore})` : "";
      const lines = [linesAdded > 0 ? `+${linesAdded}` : "", linesRemoved > 0 ? `-${linesRemoved}` : ""].filter(
        Boolean,
      );
      yield `- ${title}${was}${lines.length === 0 ? "" : `, ${lines.join(" ")} lines`}: ${name}`;
    }
  }
}

function day(run: Run): string {
  return run.startedAt.slice(0, 10);
}
