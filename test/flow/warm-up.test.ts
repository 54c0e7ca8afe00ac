import { expect, it } from "vitest";
import { warmUp } from "../../src/flow/warm-up.ts";

it("asks questions of several kinds, each more than once, and lets what comes in go between", async () => {
  const asked: string[] = [];
  let between = 0;
  const searchDocuments = async ({ query }: { readonly query: string }) => {
    asked.push(query);
    setImmediate(() => between++);
    return { results: [] } as never;
  };
  await warmUp({ searchDocuments }, 2);
  expect(new Set(asked).size).toBeGreaterThan(5);
  expect(asked).toHaveLength(new Set(asked).size * 2);
  expect(asked.some((query) => query.split(" ").length > 7)).toBe(true);
  expect(between).toBeGreaterThanOrEqual(asked.length - 1);
});

it("stops at the first error, and throws none", async () => {
  let asked = 0;
  await warmUp({ searchDocuments: () => Promise.reject(new Error(`no index ${++asked}`)) });
  expect(asked).toBe(1);
});
