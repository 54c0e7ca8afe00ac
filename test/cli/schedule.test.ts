import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { carrel, startCarrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

function setUp(schedule: string): readonly string[] {
  const folder = tempFolder();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "a.md"), "# A page\n\nWith a text of its own.\n");
  mkdirSync(join(folder, "pipelines"));
  writeFileSync(
    join(folder, "pipelines", "docs.yaml"),
    `title: Docs\nfolder: ../docs\nbaseUrl: https://docs.example.org/\n${schedule}\n`,
  );
  return ["--pipelines", join(folder, "pipelines"), "--data", join(folder, "data")];
}

it("refreshes what is due once, and says when it is due again", { timeout: 60_000 }, async () => {
  const folders = setUp("schedule: { every: 1d }");
  const before = await carrel(["schedule", "--list", ...folders]);
  expect([before.code, before.stdout]).toEqual([0, expect.stringMatching(/^docs +now +never +0 +every 1d$/m)]);
  const first = await carrel(["schedule", "--once", ...folders]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^docs: complete, 1 fetched, 1 added/)]);
  const second = await carrel(["schedule", "--once", "--json", ...folders]);
  expect([second.code, JSON.parse(second.stdout)]).toEqual([0, { runs: [] }]);
  const { stdout } = await carrel(["schedule", "--list", "--json", ...folders]);
  const { schedules } = JSON.parse(stdout) as {
    schedules: { dueAt: string; failures: number; lastRun: { status: string } }[];
  };
  expect(schedules).toMatchObject([{ source: "docs", failures: 0, lastRun: { status: "complete" } }]);
  expect(Date.parse(schedules[0]?.dueAt ?? "")).toBeGreaterThan(Date.now() + 80_000_000);
});

it("needs a schedule, and ends with the code of a run that failed", { timeout: 60_000 }, async () => {
  const without = await carrel(["schedule", ...setUp("")]);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("has a schedule; add one to a pipeline")]);
  const failing = setUp("schedule: { every: 1d }\nscope: { exclude: ['**/a.md'] }");
  expect((await carrel(["schedule", "--once", ...failing])).code).toBe(12);
  expect((await carrel(["schedule", "--list", ...failing])).stdout).toMatch(
    /^docs +\d{4}-.* UTC +failed .* UTC +1 +every 1d$/m,
  );
});

it("stays until it is told to end, and ends cleanly", { timeout: 60_000 }, async () => {
  const running = startCarrel(["schedule", ...setUp("schedule: { every: 1d }")]);
  await once(running.stdout, "data");
  running.kill("SIGTERM");
  expect(await once(running, "exit")).toEqual([0, null]);
});
