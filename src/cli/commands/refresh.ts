import { Command, Option } from "commander";
import { groupNames, selectSources } from "../../config/select-sources.ts";
import { CarrelError } from "../../domain/errors.ts";
import type { Run } from "../../domain/run.ts";
import type { Progress } from "../../flow/refresh.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { EXIT_CODE_OF_RUN } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { runLine } from "../run-text.ts";

/** `carrel refresh [source…]` */
export function refreshCommand(): Command {
  const command = new Command("refresh")
    .description("fetch, convert and index sources; what did not change is not fetched again")
    .argument(
      "[source...]",
      "ids of sources, as in pipelines/ID.yaml, and groups, as in pipelines/GROUP/; all that are in no group when none is named",
    )
    .addOption(new Option("--full", "ask for every known page, also for those that have long been the same"))
    .addOption(new Option("--only-failed", "ask only for what failed in the run before").conflicts("full"))
    .option("--accept", "take over what a suspicious run would remove or empty")
    .addHelpText(
      "after",
      `
A refresh that was stopped or killed goes on where it was. Exit codes: 0 every run is complete, 10 one is partial,
11 one is suspicious, 12 nothing could be fetched from one, 130 stopped.`,
    );
  return withCommonFlags(command).action(action(refreshSources));
}

interface RefreshFlags {
  readonly full?: boolean;
  readonly onlyFailed?: boolean;
  readonly accept?: boolean;
}

async function refreshSources(
  { app, output, signal }: Context,
  ids: readonly string[],
  flags: RefreshFlags,
): Promise<number> {
  const listed = await app.sources();
  const sources = selectSources(listed, ids);
  const groups = groupNames(listed);
  if (sources.length === 0) throw nothingToRefresh(app.settings.pipelines, groups);
  if (ids.length === 0 && groups.length > 0) {
    output.info(`Sources in groups are refreshed when they are named: ${groups.join(", ")}.`);
  }
  const ask = flags.full === true ? "all" : flags.onlyFailed === true ? "failed" : "due";
  const options = { ask, accept: flags.accept === true } as const;
  const runs = await app.refresh(sources, listed, progressLines(output), signal, options);
  output.result({ runs }, runs.map(runLine));
  if (signal.aborted) return EXIT_CODE_OF_RUN.stopped;
  return Math.max(0, ...runs.map((run: Run) => EXIT_CODE_OF_RUN[run.status]));
}

function nothingToRefresh(pipelines: string, groups: readonly string[]): CarrelError {
  return new CarrelError(
    "config",
    groups.length === 0
      ? `No source is listed in ${pipelines}; write a pipeline, as in data/manual/pipelines.md, or let "carrel init URL" write one.`
      : `Every source in ${pipelines} is in a group, and groups are refreshed when they are named: ${groups.join(", ")}.`,
  );
}

/** Says how far a refresh has come. */
export function progressLines(output: Output): Progress {
  let asked = 0;
  let failed = 0;
  let source = "";
  let converted = 0;
  let indexed = 0;
  return {
    fetched(id, outcome, { waiting }) {
      if (id !== source) {
        source = id;
        asked = failed = converted = indexed = 0;
      }
      asked++;
      if (outcome === "failed") failed++;
      output.progress(`${id}: ${asked} asked, ${waiting} waiting${failed === 0 ? "" : `, ${failed} failed`}`);
    },
    converted(pages) {
      converted += pages;
      output.progress(`${source === "" ? "catching up" : source}: ${converted} pages converted`);
    },
    indexed(documents) {
      indexed += documents;
      output.progress(`${source === "" ? "catching up" : source}: ${indexed} documents indexed`);
    },
  };
}
