import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { FetchBench } from "../../src/bench/fetch.ts";

const BENCH = fileURLToPath(new URL("../../dist/bench/main.js", import.meta.url));
const PAGES = 400;
const CONCURRENCY = 8;

test(
  "a generated site is crawled whole, again with nothing but 304, and through ten kill -9",
  { timeout: 180_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BENCH, "fetch", String(PAGES), "--json"]);
    const { undici, first, second, resumed, frontier } = JSON.parse(stdout) as FetchBench;
    expect([first.count, second.count, resumed.count]).toEqual([PAGES, PAGES, PAGES]);
    // Nothing is fetched twice but what was in flight when a kill came.
    expect(resumed.kills).toBeGreaterThan(0);
    expect(resumed.fetchedAgain).toBeLessThanOrEqual(resumed.kills * CONCURRENCY);
    expect(frontier.count).toBe(PAGES * 10);
    for (const { peakMegabytes } of [first, second, resumed, frontier]) expect(peakMegabytes).toBeLessThan(400);
    // The start of the process is in these, which weighs much with so few pages.
    expect(second.cpuSeconds).toBeLessThan(first.cpuSeconds);
    expect(first.cpuSeconds / undici.cpuSeconds).toBeLessThan(25);
  },
);
