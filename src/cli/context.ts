import type { Command } from "commander";
import type { App } from "../app.ts";
import { readSettings, SETTINGS, type Settings } from "../config/settings.ts";
import { createOutput, type Output } from "./output.ts";

/** What every command is given. */
export interface Context {
  readonly settings: Settings;
  readonly app: App;
  readonly output: Output;
  /** Aborts at the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

/** What a command's action returns: the exit code. */
export type Action<Args extends unknown[]> = (context: Context, ...args: Args) => Promise<number> | number;

/** Adds the flags that every command takes. */
export function withCommonFlags(command: Command): Command {
  return command
    .option("--data <dir>", `${SETTINGS.data.about} (${SETTINGS.data.variable})`)
    .option("--pipelines <dir>", `${SETTINGS.pipelines.about} (${SETTINGS.pipelines.variable})`)
    .option("--json", "print the result as JSON");
}

interface CommonFlags {
  readonly data?: string;
  readonly pipelines?: string;
  readonly host?: string;
  readonly port?: string;
  readonly json?: boolean;
}

/**
 * Turns what commander calls into a command with a context. The exit code is set and not forced, so that what is still to
 * be written is written.
 */
export function action<Args extends unknown[]>(
  run: Action<Args>,
): (...args: [...Args, CommonFlags, Command]) => Promise<void> {
  return async (...all) => {
    // With those of the command above: `carrel runs show 7 --json` gives --json to `runs`.
    const flags: CommonFlags = (all.at(-1) as Command).optsWithGlobals();
    const args = [...all.slice(0, -2), flags] as unknown as Args;
    const { data, pipelines, host, port } = flags;
    const given = Object.entries({ data, pipelines, host, port }).filter(([, value]) => value !== undefined);
    const settings = readSettings(Object.fromEntries(given) as Parameters<typeof readSettings>[0]);
    const output = createOutput(flags.json === true, process, () => performance.now());
    const stop = stopOnSignals(output);
    const { createApp } = await import("../app.ts");
    try {
      process.exitCode = await run(
        { settings, app: createApp(settings, output), output, signal: stop.signal },
        ...args,
      );
    } finally {
      stop.end();
    }
  };
}

function stopOnSignals(output: Output): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    output.info("Stopping. Once more to stop at once.");
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
