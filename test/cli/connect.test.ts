import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("a client is printed its configuration, given it with --write, and a second --write changes nothing", async () => {
  const home = tempFolder();
  const run = (...args: string[]) => carrel(["connect", ...args], { HOME: home });
  const file = join(home, ".cursor", "mcp.json");
  const printed = await run("cursor", "--url", "http://docs.lan:8080/mcp");
  expect(JSON.parse(printed.stdout)).toEqual({ mcpServers: { carrel: { url: "http://docs.lan:8080/mcp" } } });
  expect([printed.code, existsSync(file)]).toEqual([0, false]);
  expect((await run("cursor", "--write")).code).toBe(0);
  const written = readFileSync(file, "utf8");
  expect(JSON.parse(written)).toEqual({ mcpServers: { carrel: { url: "http://127.0.0.1:8080/mcp" } } });
  const again = await run("cursor", "--write", "--json");
  expect([again.code, (JSON.parse(again.stdout) as { written: boolean }).written]).toEqual([0, false]);
  expect(readFileSync(file, "utf8")).toBe(written);
  const other = await run("cursor", "--write", "--stdio");
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("is left as it is")]);
  expect(readFileSync(file, "utf8")).toBe(written);
  expect((await run()).stdout).toMatch(/^cursor +connected +\S+mcp\.json$/m);
});

test("what cannot be is said, and nothing is written", async () => {
  const home = tempFolder();
  const run = (...args: string[]) => carrel(["connect", ...args], { HOME: home });
  writeFileSync(join(home, ".claude.json"), "{ half");
  expect(await run("claude-code", "--write")).toMatchObject({ code: 2, stderr: expect.stringContaining("line 1") });
  expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe("{ half");
  expect(await run("cursr")).toMatchObject({ code: 3, stderr: expect.stringContaining('Did you mean "cursor"?') });
  expect((await run("--write")).code).toBe(2);
  expect((await run("zed", "--key-variable", "KEY", "--url", "http://x/mcp")).code).toBe(2);
  expect((await run("windsurf", "--project")).stderr).toContain("has no file for a project");
  expect((await run("cursor", "--name", "a b")).code).toBe(2);
});
