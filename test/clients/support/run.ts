import { spawn } from "node:child_process";
import { join } from "node:path";
import { CLIENTS, NODE } from "./install.ts";

export interface Ran {
  readonly code: number | null;
  /** Standard output and error, without colours. */
  readonly said: string;
}

/** Runs a script of an installed client, with the Node that all of them run on. */
export function runClient(script: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(NODE ?? process.execPath, [join(CLIENTS, "node_modules", script), ...args], options);
}

export interface RunOptions {
  /** The folder that it runs in; that of the clients unless given. */
  readonly folder?: string;
  /** Takes the place of the whole environment. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs a program until it ends; its standard input is empty. */
export function run(
  program: string,
  args: readonly string[],
  { folder = CLIENTS, environment = process.env }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString("utf8");
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, said: said.replace(/\u001B\[[0-9;]*m/g, "") }));
  });
}
