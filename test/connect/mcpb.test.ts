import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bundleManifest, registryEntry } from "../../src/connect/manifest.ts";
import { writeZip } from "../../src/connect/zip.ts";
import { TOOL_NAMES } from "../../src/server/tool-listing.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FACTS = {
  version: "1.2.3",
  license: "Apache-2.0",
  description: "A private copy of developer documentation. ".repeat(5),
  platform: "linux",
  nodeRange: ">=20.19",
} as const;

describe("the manifest of a bundle", () => {
  const manifest = bundleManifest(FACTS) as Record<string, unknown>;

  test("has what the specification requires, and starts the server over stdio", () => {
    expect(manifest).toMatchObject({
      manifest_version: "0.3",
      name: expect.stringMatching(/^[a-z0-9-]+$/),
      version: "1.2.3",
      description: expect.any(String),
      author: { name: expect.any(String) },
      server: {
        type: "node",
        entry_point: "dist/cli/main.js",
        mcp_config: { command: "node", args: expect.arrayContaining(["serve", "--stdio", "${user_config.data}"]) },
      },
      user_config: { data: { type: "directory", title: expect.any(String), description: expect.any(String) } },
    });
  });

  test("names the tools that there are", () => {
    const tools = manifest["tools"] as readonly { readonly name: string }[];
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
  });
});

test("the entry for a registry keeps to the limits of its schema", () => {
  const bundle = { name: "internal.carrel/carrel", url: "https://x.example/carrel.mcpb", sha256: "0".repeat(64) };
  const entry = registryEntry(FACTS, bundle) as Record<string, unknown>;
  expect(entry["name"]).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(String(entry["description"]).length).toBeLessThanOrEqual(100);
  expect(entry["version"]).toMatch(/^\d+\.\d+\.\d+$/);
  expect(entry["packages"]).toEqual([
    {
      registryType: "mcpb",
      identifier: bundle.url,
      version: "1.2.3",
      fileSha256: expect.stringMatching(/^[a-f0-9]{64}$/),
      transport: { type: "stdio" },
    },
  ]);
});

test("an archive holds its files, and the same files make the same archive", () => {
  const file = join(tempFolder(), "a.zip");
  const entries = [
    { name: "ä/one.txt", bytes: Buffer.from("one ".repeat(1000)) },
    { name: "empty", bytes: Buffer.alloc(0) },
  ];
  expect(writeZip(file, entries)).toBe(2);
  const zip = readFileSync(file);
  expect(writeZip(file, entries)).toBe(2);
  expect(readFileSync(file).equals(zip)).toBe(true);
  const end = zip.subarray(-22);
  expect([end.readUInt32LE(0), end.readUInt16LE(10)]).toEqual([0x06054b50, 2]);
  const nameLength = zip.readUInt16LE(26);
  expect(zip.subarray(30, 30 + nameLength).toString("utf8")).toBe("ä/one.txt");
  const packed = zip.subarray(30 + nameLength, 30 + nameLength + zip.readUInt32LE(18));
  expect(inflateRawSync(packed).toString("utf8")).toBe("one ".repeat(1000));
  const central = end.readUInt32LE(16);
  expect(zip.readUInt32LE(central)).toBe(0x02014b50);
});
