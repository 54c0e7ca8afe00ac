import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import type { Converter } from "../domain/ports.ts";
import { fingerprintOf } from "./fingerprint.ts";

export interface ConverterOptions {
  /** Pages converted at the same time, each in a thread. */
  readonly threads: number;
  /** After this long a page is given up, and its thread ended. */
  readonly pageTimeoutMs: number;
  /** What a thread may hold; a page that needs more is given up. */
  readonly maxMemoryMb?: number;
}

const DEFAULT_MAX_MEMORY_MB = 1024;

/**
 * Converts pages in threads that start when there is a page for them. A page that takes too long or too much memory costs its
 * thread and nothing more: it is a failed conversion with its reason, and the next page has a new thread.
 */
export function createConverter(options: ConverterOptions): Converter {
  const limit = pLimit(Math.max(1, options.threads));
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let closed = false;
  let fingerprint: string | undefined;

  const convert = async (input: ConversionInput): Promise<Conversion> => {
    if (closed) throw new CarrelError("stopped", `The converter is closed, and ${input.url} was not converted.`);
    const worker = idle.pop() ?? start(options, all);
    const { conversion, usable } = await ask(worker, input, options.pageTimeoutMs);
    if (usable && !closed) {
      worker.unref();
      idle.push(worker);
    } else {
      all.delete(worker);
      await worker.terminate();
    }
    return conversion;
  };

  return {
    get fingerprint() {
      fingerprint ??= fingerprintOf(fileURLToPath(BUILT_FOLDER));
      return fingerprint;
    },
    convert: (input) => limit(convert, input),
    async close() {
      closed = true;
      limit.clearQueue();
      await Promise.all([...all].map((worker) => worker.terminate()));
      all.clear();
      idle.length = 0;
    },
  };
}

/** A worker cannot be run from TypeScript, so under the tests it is the built one. */
const BUILT_FOLDER = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/convert/", import.meta.url)
  : new URL("./", import.meta.url);

function start(options: ConverterOptions, all: Set<Worker>): Worker {
  const worker = new Worker(new URL("./worker.js", BUILT_FOLDER), {
    resourceLimits: { maxOldGenerationSizeMb: options.maxMemoryMb ?? DEFAULT_MAX_MEMORY_MB },
  });
  all.add(worker);
  return worker;
}

interface Answer {
  readonly conversion: Conversion;
  /** Whether the thread can take another page. */
  readonly usable: boolean;
}

/** Has a thread convert one page. Never rejects: a thread that ends has failed its page. */
function ask(worker: Worker, input: ConversionInput, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    const answer = (conversion: Conversion, usable: boolean): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A thread that is being ended may still fail; nobody waits for it, and it must not end the program.
      worker.on("error", () => undefined);
      resolve({ conversion, usable });
    };
    const fail = (reason: string): void => answer({ kind: "failed", reason }, false);
    const timer = setTimeout(() => fail(`it was not converted in ${timeoutMs} ms`), timeoutMs);
    worker.removeAllListeners();
    worker.ref();
    worker.on("message", (conversion: Conversion) => answer(conversion, true));
    worker.on("error", (error) => fail(reasonOfEnd(error)));
    worker.on("exit", () => fail("the conversion was stopped"));
    worker.postMessage(input);
  });
}

function reasonOfEnd(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_WORKER_OUT_OF_MEMORY"
    ? "it takes more memory to convert than a page may"
    : `the conversion broke off: ${reasonOf(error)}`;
}
