import type { Logger } from "../domain/ports.ts";

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Output extends Logger {
  readonly json: boolean;
  /** The result: `value` with --json, else the lines. */
  result(value: unknown, lines: Iterable<string>): void;
  /** What changes while one waits: one line that is written over on a terminal, now and then a line elsewhere. */
  progress(line: string): void;
}

export interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Least time between two progress lines where the error stream is no terminal, as in a journal or a CI log. */
const PLAIN_PROGRESS_EVERY_MS = 5_000;
const TERMINAL_PROGRESS_EVERY_MS = 100;
const CLEAR_LINE = "\r\u001B[K";

/** @param now milliseconds that only grow; for the pace of progress lines. */
export function createOutput(json: boolean, { stdout, stderr }: Streams, now: () => number): Output {
  const isTerminal = stderr.isTTY === true;
  let shown = false;
  let last = now();
  const line = (text: string): void => {
    stderr.write(`${shown ? CLEAR_LINE : ""}${text}\n`);
    shown = false;
  };
  return {
    json,
    info: line,
    warn: (message) => line(`warning: ${message}`),
    result(value, lines) {
      if (shown) stderr.write(CLEAR_LINE);
      shown = false;
      if (json) stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
      else for (const text of lines) stdout.write(`${text}\n`);
    },
    progress(text) {
      const every = isTerminal ? TERMINAL_PROGRESS_EVERY_MS : PLAIN_PROGRESS_EVERY_MS;
      if (now() - last < every) return;
      last = now();
      if (!isTerminal) {
        line(text);
        return;
      }
      stderr.write(CLEAR_LINE + text.slice(0, (stderr.columns ?? 80) - 1));
      shown = true;
    },
  };
}

/** Rows as columns, the last one not padded. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
