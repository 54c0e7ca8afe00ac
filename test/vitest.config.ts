import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: ".",
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // No test replaces a module, so test files can share those of their process: a third of the time went on loading them.
    isolate: false,
  },
});
