import { Command } from "commander";
import { CarrelError } from "../../domain/errors.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { progressLines } from "./refresh.ts";

/** `carrel index` */
export function indexCommand(): Command {
  const command = new Command("index")
    .description("let the index catch up with the corpus, or make it anew")
    .option("--rebuild", "make the index anew; until that is done the old one answers");
  return withCommonFlags(command).action(action(index));
}

async function index({ app, output, signal }: Context, flags: { readonly rebuild?: boolean }): Promise<number> {
  const progress = progressLines(output);
  const started = performance.now();
  if (flags.rebuild === true) await app.rebuildIndex(progress, signal);
  else await app.catchUpIndex(progress, signal);
  if (signal.aborted) {
    throw new CarrelError("stopped", "Stopped before the index was done; the same command goes on from there.");
  }
  using reading = app.openReading();
  const stats = reading.index.stats();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  output.result(stats, [`The index is at revision ${stats.revision}: ${stats.chunks} passages (${seconds} s).`]);
  return 0;
}
