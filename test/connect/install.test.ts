import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../src/connect/clients.ts";
import type { Client, Way } from "../../src/connect/clients.ts";
import { planEntry, readConfiguration, writeConfiguration } from "../../src/connect/install.ts";
import { tomlState, tomlTable } from "../../src/connect/toml-entry.ts";
import { tempFolder } from "../support/temp-folder.ts";

const HTTP: Way = { kind: "http", url: "http://127.0.0.1:8080/mcp" };
const STDIO: Way = { kind: "stdio", command: "/usr/bin/node", args: ["/opt/carrel/main.js", "serve", "--stdio"] };

function client(id: string): Client {
  const found = CLIENTS.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

/** Files as each client's users have them. */
const LIVED_IN: Readonly<Record<Client["format"], (servers: string) => string>> = {
  json: (servers) =>
    JSON.stringify({ theme: "dark", [servers]: { other: { command: "x" } }, last: [1, 2] }, undefined, 4),
  jsonc: (servers) =>
    `// My settings, "by hand"\n{\n\t"theme": "dark", // not light\n\t"${servers}": {\n\t\t/* of work */\n\t\t"other": { "command": "x", },\n\t},\n}\n`,
  toml: (servers) => `# By hand\nmodel = "gpt"\n\n[${servers}.other]\ncommand = "x"\n\n[profiles.deep]\nmodel = "o"\n`,
};

describe.each(CLIENTS.map((one) => [one.id, one] as const))("%s", (_, one) => {
  const ways = [HTTP, STDIO].filter((way) => one.entry(way) !== undefined);

  test.each(ways.map((way) => [way.kind, way] as const))(
    "takes a server by %s into a file that is lived in, and once",
    (_, way) => {
      const file = one.userFile({ home: tempFolder(), platform: "linux", folder: "/" });
      const before = LIVED_IN[one.format](one.servers);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, before, { mode: 0o640 });
      const entry = one.entry(way) ?? {};
      const plan = planEntry(one, "carrel", entry, readConfiguration(file));
      expect(plan.state).toBe("absent");
      writeConfiguration(file, plan.text);
      const after = readFileSync(file, "utf8");
      // Not a line of it is lost or changed, but for a comma.
      const lines = after.split("\n").map((line) => line.replace(/,(?=\s*(?:\/\*|$))/, ""));
      for (const line of before.split("\n")) expect(lines).toContain(line.replace(/,(?=\s*(?:\/\*|$))/, ""));
      expect(after).toContain("carrel");
      expect(statSync(file).mode & 0o777).toBe(0o640);
      expect(planEntry(one, "carrel", entry, after)).toEqual({ state: "same", text: after });
    },
  );

  test("is given a file where there is none", () => {
    const entry = one.entry(STDIO) ?? {};
    const { text, state } = planEntry(one, "carrel", entry, undefined);
    expect(state).toBe("absent");
    expect(planEntry(one, "carrel", entry, text).state).toBe("same");
    expect(planEntry(one, "carrel", entry, "").text).toBe(text);
  });

  test("keeps an entry of that name that says something else", () => {
    const { text } = planEntry(one, "carrel", one.entry({ ...STDIO, command: "/other/node" }) ?? {}, undefined);
    expect(planEntry(one, "carrel", one.entry(STDIO) ?? {}, text)).toEqual({ state: "other", text });
  });

  test("has its files below the user's home, on each platform", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      expect(one.userFile({ home: "/home/ann", platform, folder: "/project" })).toMatch(/^\/home\/ann\/\S/);
    }
  });
});

describe("what each client is told", () => {
  test.each([
    ["claude-code", { type: "http", url: HTTP.url, headers: { Authorization: "Bearer ${DOCS_KEY}" } }],
    ["vscode", { type: "http", url: HTTP.url, headers: { Authorization: "Bearer ${env:DOCS_KEY}" } }],
    ["cursor", { url: HTTP.url, headers: { Authorization: "Bearer ${env:DOCS_KEY}" } }],
    ["gemini-cli", { httpUrl: HTTP.url, headers: { Authorization: "Bearer $DOCS_KEY" } }],
    ["codex", { url: HTTP.url, bearer_token_env_var: "DOCS_KEY" }],
    ["windsurf", { serverUrl: HTTP.url, headers: { Authorization: "Bearer ${env:DOCS_KEY}" } }],
    ["zed", undefined],
    ["claude-desktop", undefined],
  ])("%s finds its key in a variable of its own", (id, entry) => {
    expect(client(id).entry({ ...HTTP, keyVariable: "DOCS_KEY" })).toEqual(entry);
  });
});

describe("a file that cannot be read", () => {
  test.each(["{", "[]", '"text"', '{"mcpServers": []}', '{"mcpServers": null}'])("%j is left alone", (text) => {
    expect(() => planEntry(client("cursor"), "carrel", {}, text)).toThrow(/it is not JSON|should be an object/);
  });
});

describe("TOML", () => {
  const table = tomlTable("mcp_servers", "carrel", { url: "u" });

  test.each([
    ["[mcp_servers.carrel]\nurl = 'other'", "other"],
    ['[mcp_servers."carrel"]\nurl = "u"', "other"],
    ["[ mcp_servers . carrel ]", "other"],
    ["[mcp_servers.carrel.env]\nA = '1'", "other"],
    ['[mcp_servers]\ncarrel = { url = "u" }', "other"],
    ["[mcp_servers]\ncarrel.url = 'u'", "other"],
    ["mcp_servers = { }", "other"],
    ["mcp_servers.carrel.url = 'u'", "other"],
    [`${table}\nextra = 1`, "other"],
    [`${table}\n[mcp_servers.carrel.env]\nA = 1`, "other"],
    [`model = "x"\n\n${table}\n\n[other]\n`, "same"],
    ["[mcp_servers.carrels]\nurl = 'u'", "absent"],
    ["[profiles]\ncarrel = 1", "absent"],
    ["# [mcp_servers.carrel]", "absent"],
    ["", "absent"],
  ])("%j: the server is %s", (text, state) => {
    expect(tomlState(text, "mcp_servers", "carrel", table)).toBe(state);
  });
});

test("a link to a file stays one, and what another process has half written is not touched", () => {
  const folder = tempFolder();
  const [target, link] = [join(folder, "dotfiles.json"), join(folder, "settings.json")];
  writeFileSync(target, "{}");
  symlinkSync(target, link);
  writeConfiguration(link, '{"a":1}');
  expect(readFileSync(target, "utf8")).toBe('{"a":1}');
  writeFileSync(`${target}.carrel-new`, "theirs");
  expect(() => writeConfiguration(link, "{}")).toThrow(/cannot be written/);
  expect(readFileSync(`${target}.carrel-new`, "utf8")).toBe("theirs");
});
