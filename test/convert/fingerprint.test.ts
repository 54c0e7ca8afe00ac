import { mkdtempSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fingerprintOf } from "../../src/convert/fingerprint.ts";

it("changes with any file of code, and with nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "carrel-fingerprint-"));
  mkdirSync(join(folder, "read"));
  writeFileSync(join(folder, "a.js"), "1");
  writeFileSync(join(folder, "read", "b.js"), "2");
  const before = fingerprintOf(folder);
  expect(fingerprintOf(folder)).toBe(before);
  writeFileSync(join(folder, "a.d.ts"), "x");
  expect(fingerprintOf(folder)).toBe(before);
  writeFileSync(join(folder, "read", "b.js"), "3");
  expect(fingerprintOf(folder)).not.toBe(before);
});
