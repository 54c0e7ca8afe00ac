import { defineConfig } from "vitest/config";

/** On demand: what it needs is large, and comes from the registry. */
export default defineConfig({
  test: {
    root: ".",
    include: ["test/clients/*.client.ts"],
    globalSetup: ["test/clients/support/install.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: "forks",
    // The suites start processes of their own.
    fileParallelism: false,
  },
});
