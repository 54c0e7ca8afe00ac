import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer } from "../server/support/running-server.ts";
import type { TestServer } from "../server/support/running-server.ts";
import { NODE } from "./support/install.ts";
import { runClient } from "./support/run.ts";

let server: TestServer;
let endpoint: string;

beforeAll(async () => {
  server = await startTestServer();
  endpoint = `${server.url}mcp`;
});
afterAll(() => server.close());

function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

describe.skipIf(NODE === undefined)("the official conformance suite (needs Node 22)", () => {
  // A list of failures that are expected; one that starts to pass fails the run, so that the lists only shrink.
  test.each(["2025-11-25", "2026-07-28"])(
    "finds what revision %s requires, but for what is listed",
    async (revision) => {
      const baseline = file(`./conformance-${revision}.yml`);
      const { code, said } = await runClient("conformance-2026/dist/index.js", [
        "server",
        "--url",
        endpoint,
        "--requirements",
        revision,
        "--expected-failures",
        baseline,
      ]);
      expect(said).toContain("Baseline check passed");
      expect(code).toBe(0);
    },
  );

  test.each(["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])(
    "of before finds nothing in the scenario %s",
    async (scenario) => {
      const args = ["server", "--url", endpoint, "--scenario", scenario];
      const { code, said } = await runClient("conformance-2025/dist/index.js", args);
      expect(said).toMatch(/Passed: (\d+)\/\1, 0 failed/);
      expect(code).toBe(0);
    },
  );
});

describe.skipIf(NODE === undefined)("the Inspector (needs Node 22)", () => {
  const script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
  const inspect = (...args: string[]) => runClient(script, ["--cli", endpoint, "--transport", "http", ...args]);

  test("lists the tools and templates, and calls the tools", async () => {
    const listed = await inspect("--method", "tools/list");
    expect(listed.said).toMatch(/"search_documents"[^]*"answer_query"[^]*"get_documents"/);
    const templates = await inspect("--method", "resources/templates/list");
    expect(templates.said).toContain("carrel://{+name}");
    const called = await inspect(
      "--method",
      "tools/call",
      "--tool-name",
      "search_documents",
      "--tool-arg",
      "query=vacuum",
      "--tool-arg",
      "page_size=1",
    );
    expect(called.said).toContain("documents/www.heron.example/docs/15/sql-vacuum.html");
    expect([listed.code, templates.code, called.code]).toEqual([0, 0, 0]);
  });
});
