import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carrel } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("a key is made, shown once, listed without it, and revoked", async () => {
  const data = tempFolder();
  const run = (...args: string[]) => carrel(["keys", ...args, "--data", data]);
  expect(await run()).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("There are no keys") });
  const made = await run("add", "ann", "--sources", "manual, manul", "--expires", "90d");
  expect(made.stdout).toMatch(/^carrel_[\w-]{43}\n$/);
  expect(made.stderr).toContain('There is no source manul yet. Did you mean "manual"?');
  expect(statSync(join(data, "keys.json")).mode & 0o777).toBe(0o600);
  expect((await run("add", "ann")).code).toBe(2);
  const listed = await run("--json");
  const { keys } = JSON.parse(listed.stdout) as { keys: { expires: string }[] };
  expect(keys).toEqual([
    { label: "ann", sources: ["manual", "manul"], created: expect.any(String), expires: expect.any(String) },
  ]);
  const days = (Date.parse(keys[0]?.expires ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  expect(listed.stdout).not.toContain(made.stdout.trim());
  expect(await run("revoke", "an")).toMatchObject({ code: 3, stderr: expect.stringContaining('Did you mean "ann"?') });
  expect((await run("revoke", "ann")).stdout).toContain("0 keys are left");
  expect((await run()).stderr).toContain("nobody can ask");
});

test.each([
  ["add", "bob", "--expires", "soon"],
  ["add", "bob", "--expires", "2020-01-01"],
  ["add", "bob", "--expires", "0d"],
  ["add", "bob", "--sources", ","],
  ["add", "<script>"],
])("carrel keys %s %s %s %s is refused, and no file is made", async (...args) => {
  const data = tempFolder();
  expect((await carrel(["keys", ...args.filter(Boolean), "--data", data])).code).toBe(2);
  expect((await carrel(["keys", "--data", data])).stderr).toContain("There are no keys");
});
