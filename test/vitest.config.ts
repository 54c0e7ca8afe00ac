import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: ".",
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // One fewer than processors is the default, which on two is one, and the programs that tests start leave it waiting.
    maxWorkers: "100%",
    // No test replaces a module, so test files can share those of their process: a third of the time went on loading them.
    isolate: false,
  },
});
