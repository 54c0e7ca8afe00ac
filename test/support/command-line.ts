import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runProgram } from "../../src/cli/run-program.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** The built program, started; killed when the test ends. */
export function startCarrel(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  const { CARREL_DATA: _data, CARREL_PIPELINES: _pipelines, ...inherited } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...inherited, ...environment } });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** What a finished program left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Waits for a program to end. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** Runs the built program to its end. */
export function carrel(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return finished(startCarrel(args, environment));
}

/**
 * Runs the command line to its end in this process, one at a time: what it loads is loaded once, where each program of its
 * own takes a second for that.
 */
export async function carrelHere(args: readonly string[]): Promise<Finished> {
  const said = { stdout: "", stderr: "" };
  const { stdout, stderr } = process;
  const writes = { stdout: stdout.write, stderr: stderr.write };
  const { exitCode } = process;
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (text: string | Uint8Array): boolean => {
      said[name] += String(text);
      return true;
    };
  }
  process.exitCode = undefined;
  try {
    await runProgram(args);
    return { code: exitCodeNow(), ...said };
  } finally {
    stdout.write = writes.stdout;
    stderr.write = writes.stderr;
    process.exitCode = exitCode;
  }
}

/** What a command has set, which the compiler takes for what was set here. */
function exitCodeNow(): number {
  const { exitCode = 0 } = process;
  return Number(exitCode);
}

/** Waits until a program has written a text to its error stream. @returns what it has written by then. */
export async function written(child: ChildProcessWithoutNullStreams, text: string | RegExp): Promise<string> {
  let stderr = "";
  return new Promise((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      stderr += part;
      if (typeof text === "string" ? stderr.includes(text) : text.test(stderr)) resolve(stderr);
    });
    child.once("close", (code) => reject(new Error(`carrel ended with ${String(code)}:\n${stderr}`)));
  });
}
