import { CommanderError } from "commander";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { EXIT_CODE_OF_ERROR } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

/**
 * Runs the command line to its end, and says what went wrong. The exit code is set and not forced, so that what is still
 * to be written is written.
 * @param args what stands behind the name of the program.
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODE_OF_ERROR.invalid;
  if (error instanceof CarrelError) {
    process.stderr.write(`carrel: ${error.message}\n`);
    return EXIT_CODE_OF_ERROR[error.code];
  }
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  process.stderr.write(
    `carrel: This is a fault of Carrel: ${reasonOf(error)}. Please report it with these lines.\n${stack}\n`,
  );
  return EXIT_CODE_OF_ERROR.internal;
}
