#!/usr/bin/env node
import { CommanderError } from "commander";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { EXIT_CODE_OF_ERROR } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

// A pipe that is closed early (`carrel runs | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
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
