import type { Worker } from "node:worker_threads";
import { CarrelError } from "../domain/errors.ts";
import type { Logger } from "../domain/ports.ts";
import type { Queries } from "../flow/queries.ts";
import type { Now } from "./limiter.ts";
import { DEFAULT_TOOL_DEADLINE_MS } from "./mcp.ts";
import { receivedDocuments, receivedError } from "./query-thread.ts";
import type { ThreadCall, ThreadMethod, ThreadReply } from "./query-thread.ts";

export interface QueryPoolOptions {
  /** Threads that answer; they start when there is something to answer. */
  readonly threads: number;
  /** Starts a thread that does what `answerThrough` says. */
  start(): Worker;
  /** The queries of a reader in this thread, for what is answered at once; undefined sources are all. */
  local(sources: readonly string[] | undefined): Queries;
  readonly logger: Logger;
  /** A thread that has not answered after this long is ended: whatever it does, it does for nobody any more. */
  readonly giveUpMs?: number;
  /** A call that has waited so long is not begun: whoever made it has been told that it is late. */
  readonly maxWaitMs?: number;
  /** Milliseconds that only grow; for tests. */
  readonly now?: Now;
}

/** Longer than any call may take. */
const GIVE_UP_MS = 60_000;

/** When a server has more to do than it can, work for those who have given up would keep it from the others. */
const TOO_BUSY = new CarrelError("unavailable", "The server is too busy.");

interface Pending {
  readonly since: number;
  readonly call: ThreadCall;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly pending: Map<number, Pending>;
  /** The call that it works on; others that it has only wait for a model. */
  busyWith: number | undefined;
}

/**
 * Answers queries in threads of their own, each with connections of its own to the stores: a search is work without a pause of
 * some milliseconds, in which a server could not even say that it is alive. Each thread searches for one call at a time, and
 * calls are taken in their order.
 */
export class QueryPool {
  readonly #options: QueryPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Pending[] = [];
  #nextId = 1;
  #isClosed = false;

  constructor(options: QueryPoolOptions) {
    this.#options = options;
  }

  /** The queries of a reader who may see these sources; of one who may see all without them. */
  queriesOf(sources?: readonly string[]): Queries {
    const local = this.#options.local(sources);
    // A model may think for long, and the thread can search for others meanwhile.
    const waits = local.answers === "written";
    const ask = (method: ThreadMethod, request: unknown) => this.#ask(method, sources, request, false);
    return {
      answers: local.answers,
      searchDocuments: async (request) => (await ask("searchDocuments", request)) as never,
      answerQuery: async (request) => (await this.#ask("answerQuery", sources, request, waits)) as never,
      getDocuments: async (request) => receivedDocuments(await ask("getDocuments", request)),
      documentInfo: (name) => local.documentInfo(name),
      describeCorpus: () => local.describeCorpus(),
      status: () => local.status(),
    };
  }

  /** Starts a thread before the first call does, which would have to wait for it. */
  warm(): void {
    if (this.#threads.size === 0) this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const stopped = new CarrelError("stopped", "The server is stopping.");
    for (const { reject } of this.#waiting.splice(0)) reject(stopped);
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, stopped)));
  }

  #ask(
    method: ThreadMethod,
    sources: readonly string[] | undefined,
    request: unknown,
    waits: boolean,
  ): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new CarrelError("stopped", "The server is stopping."));
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        since: this.#now(),
        call: { id: this.#nextId++, method, sources, request },
        resolve,
        reject,
      };
      if (waits)
        this.#give([...this.#threads].sort((a, b) => a.pending.size - b.pending.size)[0] ?? this.#start(), pending);
      else {
        this.#waiting.push(pending);
        this.#takeNext();
      }
    });
  }

  #takeNext(): void {
    while (this.#waiting.length > 0) {
      const idle =
        [...this.#threads].find(({ busyWith }) => busyWith === undefined) ??
        (this.#threads.size < this.#options.threads ? this.#start() : undefined);
      const next = idle === undefined ? undefined : this.#nextInTime();
      if (idle === undefined || next === undefined) return;
      idle.busyWith = next.call.id;
      this.#give(idle, next);
    }
  }

  #nextInTime(): Pending | undefined {
    const latest = this.#now() - (this.#options.maxWaitMs ?? DEFAULT_TOOL_DEADLINE_MS);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.since > latest) return next;
      next.reject(TOO_BUSY);
    }
    return undefined;
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #give(thread: Thread, pending: Pending): void {
    const { id } = pending.call;
    const late = setTimeout(() => {
      const error = new CarrelError("unavailable", "This took too long and was given up.");
      this.#replace(thread, error);
    }, this.#options.giveUpMs ?? GIVE_UP_MS);
    const done = (): void => clearTimeout(late);
    thread.pending.set(id, {
      since: pending.since,
      call: pending.call,
      resolve(value) {
        done();
        pending.resolve(value);
      },
      reject(error) {
        done();
        pending.reject(error);
      },
    });
    thread.worker.postMessage(pending.call);
  }

  #start(): Thread {
    const worker = this.#options.start();
    const thread: Thread = { worker, pending: new Map(), busyWith: undefined };
    this.#threads.add(thread);
    worker.on("message", (reply: ThreadReply) => this.#hear(thread, reply));
    const gone = (error: Error): void => {
      if (this.#threads.has(thread)) this.#options.logger.warn(`A thread that answers has ended: ${error.message}`);
      this.#replace(thread, error);
    };
    worker.on("error", gone);
    worker.on("exit", () => {
      if (this.#threads.has(thread)) gone(new Error("it has exited"));
    });
    return thread;
  }

  #hear(thread: Thread, reply: ThreadReply): void {
    if (reply.kind === "warning") {
      this.#options.logger.warn(reply.message);
      return;
    }
    const pending = thread.pending.get(reply.id);
    thread.pending.delete(reply.id);
    if (thread.busyWith === reply.id) thread.busyWith = undefined;
    // The thread searches on before its answer is written out.
    this.#takeNext();
    if (reply.kind === "answer") pending?.resolve(reply.value);
    else pending?.reject(receivedError(reply.error));
  }

  /** Ends a thread; what waits is given to another. */
  #replace(thread: Thread, error: Error): void {
    void this.#end(thread, error).then(() => this.#takeNext());
  }

  async #end(thread: Thread, error: Error): Promise<void> {
    this.#threads.delete(thread);
    const left = [...thread.pending.values()];
    thread.pending.clear();
    for (const { reject } of left) reject(error);
    await thread.worker.terminate();
  }
}
