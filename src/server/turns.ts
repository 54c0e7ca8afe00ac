/**
 * Lets calls begin one at a time, each in a turn of the event loop of its own. A search is work without a pause of some
 * milliseconds: a hundred that arrive together would keep the server from everything else until the last is done, and between
 * turns it reads what has arrived, answers whether it is alive, and sees who has gone away.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** Resolves when it is the caller's turn, first come first served. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      // Runs after what the caller does at once: the next turn is that of the next round of the event loop.
      this.#schedule();
    });
  }
}
