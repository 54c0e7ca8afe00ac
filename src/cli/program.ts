import { Command } from "commander";
import { VERSION } from "../version.ts";
import { connectCommand } from "./commands/connect.ts";
import { demoCommand } from "./commands/demo.ts";
import { diffCommand } from "./commands/diff.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { evalCommand } from "./commands/eval.ts";
import { indexCommand } from "./commands/index.ts";
import { initCommand } from "./commands/init.ts";
import { keysCommand } from "./commands/keys.ts";
import { refreshCommand } from "./commands/refresh.ts";
import { runsCommand } from "./commands/runs.ts";
import { scheduleCommand } from "./commands/schedule.ts";
import { searchCommand } from "./commands/search.ts";
import { serveCommand } from "./commands/serve.ts";
import { showCommand } from "./commands/show.ts";
import { sourcesCommand } from "./commands/sources.ts";
import { tryCommand } from "./commands/try.ts";

/** The whole command line; a test holds the manual against it. */
export function createProgram(): Command {
  const program = new Command("carrel")
    .description("A private copy of developer documentation that answers where there is no internet.")
    .version(VERSION)
    .addHelpText(
      "after",
      `
A first time:
  carrel init URL           write a pipeline for a site, by looking at it
  carrel refresh            fetch, convert and index the sources in pipelines/
  carrel search "with open" ask from here
  carrel serve              answer over MCP at http://127.0.0.1:8080/mcp

Exit codes: 0 done, 1 a fault of Carrel (of doctor: something is wrong), 2 bad input, 3 not found, 4 in use by another
process, 5 a store cannot be read; of refresh: 10 partial, 11 suspicious, 12 nothing could be fetched; 130 stopped.`,
    );
  for (const command of [
    refreshCommand(),
    scheduleCommand(),
    serveCommand(),
    keysCommand(),
    connectCommand(),
    searchCommand(),
    showCommand(),
    sourcesCommand(),
    initCommand(),
    runsCommand(),
    diffCommand(),
    tryCommand(),
    doctorCommand(),
    indexCommand(),
    evalCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command);
  }
  for (const command of allCommands(program)) {
    command
      .exitOverride()
      .configureOutput({ outputError: sayLikeOurs })
      .showHelpAfterError('(run "carrel --help" or "carrel COMMAND --help" for what can be said)');
  }
  return program;
}

/** A command and all below it. */
function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** Commander's messages read like ours: `carrel: Unknown option '--jsn'`. */
function sayLikeOurs(message: string, write: (text: string) => void): void {
  write(message.replace(/^error: (.)/, (_, first: string) => `carrel: ${first.toUpperCase()}`));
}
