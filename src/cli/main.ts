#!/usr/bin/env node
import { runProgram } from "./run-program.ts";

// A pipe that is closed early (`carrel runs | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

await runProgram(process.argv.slice(2));
