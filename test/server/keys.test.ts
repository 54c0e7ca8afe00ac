import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KeyRing } from "../../src/server/key-ring.ts";
import { changeKeys, checkedLabel, findKey, makeKey, readKeys } from "../../src/server/keys.ts";
import { callerOfAddress, Limiter } from "../../src/server/limiter.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOW = new Date("2026-06-01T00:00:00Z");

function ringOf(file: string, now = NOW) {
  const warnings: string[] = [];
  const ring = new KeyRing(file, () => now, { info() {}, warn: (message) => void warnings.push(message) });
  return { ring, warnings };
}

describe("the file of keys", () => {
  test("holds hashes, and only its owner may read it", () => {
    const file = join(tempFolder(), "below", "keys.json");
    const { key, stored } = makeKey({ label: "ann", sources: ["kestrel"] }, NOW);
    changeKeys(file, (keys) => [...keys, stored]);
    changeKeys(file, (keys) => [...keys, makeKey({ label: "bob" }, NOW).stored]);
    expect(key).toMatch(/^carrel_[\w-]{43}$/);
    expect(readFileSync(file, "utf8")).not.toContain(key.slice("carrel_".length));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readKeys(file)?.map(({ label }) => label)).toEqual(["ann", "bob"]);
    expect(existsSync(`${file}.new`)).toBe(false);
    expect(findKey(readKeys(file) ?? [], key)?.label).toBe("ann");
    expect(findKey(readKeys(file) ?? [], `${key}x`)).toBeUndefined();
  });

  test("is left as it was when a change fails or another process makes one", () => {
    const file = join(tempFolder(), "keys.json");
    changeKeys(file, () => [makeKey({ label: "ann" }, NOW).stored]);
    const refuse = () => {
      throw new Error("no");
    };
    expect(() => changeKeys(file, refuse)).toThrow("no");
    writeFileSync(`${file}.new`, "");
    expect(() => changeKeys(file, () => [])).toThrow(/Another process is changing the keys.*delete/);
    expect(readKeys(file)).toHaveLength(1);
  });

  test.each(["", "{}", '{"keys":[{}]}', '{"keys":[{"label":"a","sha256":"x","created":"y"}]}', '{"keys":7}'])(
    "%j is none",
    (text) => {
      const file = join(tempFolder(), "keys.json");
      writeFileSync(file, text);
      expect(() => readKeys(file)).toThrow(/is no file of keys/);
    },
  );

  test.each(["", " ann", "a\nb", "<b>", "a".repeat(61)])("%j is no label", (label) => {
    expect(() => checkedLabel(label)).toThrow(/is no label/);
  });
});

describe("the keys of a running server", () => {
  test("are none without a file, and follow it from request to request", () => {
    const file = join(tempFolder(), "keys.json");
    const { ring } = ringOf(file);
    expect(ring.admit(["anything"])).toEqual({ kind: "open" });
    const { key, stored } = makeKey({ label: "ann" }, NOW);
    changeKeys(file, () => [stored]);
    expect(ring.admit([])).toEqual({ kind: "missing" });
    expect(ring.admit(["wrong"])).toEqual({ kind: "refused", expired: false });
    expect(ring.admit(["wrong", key])).toEqual({ kind: "key", key: stored });
    changeKeys(file, () => []);
    expect(ring.admit([key])).toEqual({ kind: "refused", expired: false });
  });

  test("expire at their time", () => {
    const file = join(tempFolder(), "keys.json");
    const { key, stored } = makeKey({ label: "ann", expires: "2026-06-01T00:00:00.000Z" }, NOW);
    changeKeys(file, () => [stored]);
    expect(ringOf(file, new Date("2026-05-31T23:59:59Z")).ring.admit([key]).kind).toBe("key");
    expect(ringOf(file).ring.admit([key])).toEqual({ kind: "refused", expired: true });
    expect(ringOf(file).ring.count).toBe(0);
  });

  test("a file that is gone or broken refuses everyone, rather than lets everyone in", () => {
    const file = join(tempFolder(), "keys.json");
    const { key, stored } = makeKey({ label: "ann" }, NOW);
    changeKeys(file, () => [stored]);
    const { ring, warnings } = ringOf(file);
    rmSync(file);
    expect([ring.admit([]).kind, ring.admit([key]).kind]).toEqual(["missing", "refused"]);
    writeFileSync(file, "{");
    expect(ring.admit([key]).kind).toBe("refused");
    writeFileSync(file, JSON.stringify({ keys: [stored] }));
    expect(ring.admit([key]).kind).toBe("key");
    expect(warnings.join("\n")).toMatch(/is gone: every key is refused[^]*is no file of keys/);
  });
});

describe("the limiter", () => {
  test("lets a minute's worth through at once, then as the time passes, each caller for itself", () => {
    let now = 0;
    const limiter = new Limiter(6, () => now);
    expect(Array.from({ length: 7 }, () => limiter.take("a"))).toEqual([0, 0, 0, 0, 0, 0, 10]);
    expect(limiter.take("b")).toBe(0);
    now = 9_000;
    expect(limiter.take("a")).toBe(1);
    now = 10_000;
    expect([limiter.take("a"), limiter.take("a")]).toEqual([0, 10]);
    now = 10_000_000;
    expect(Array.from({ length: 7 }, () => limiter.take("a")).filter((wait) => wait === 0)).toHaveLength(6);
  });

  test("takes the addresses of one network for one caller", () => {
    expect(callerOfAddress("::ffff:10.0.0.5")).toBe("10.0.0.5");
    expect(callerOfAddress("2001:db8:1:2:3:4:5:6")).toBe(callerOfAddress("2001:db8:1:2::9"));
    expect(callerOfAddress("2001:db8:1:3::9")).not.toBe(callerOfAddress("2001:db8:1:2::9"));
    expect(callerOfAddress("::1")).toBe("0:0:0:0::/64");
  });
});
