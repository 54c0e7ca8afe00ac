import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer } from "../server/support/running-server.ts";
import type { TestServer } from "../server/support/running-server.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { SETTINGS_SCHEMAS } from "./support/settings-schemas.ts";
import { CLIENTS, NODE } from "./support/install.ts";
import { run, runClient, type Ran } from "./support/run.ts";

/** Built by `npm run test:clients` before the suites run. */
const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const MCPB = fileURLToPath(new URL("../../dist/connect/mcpb.js", import.meta.url));
const load = createRequire(join(CLIENTS, "package.json"));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A person's home with a project in it, and nothing else: no client finds settings of whoever runs the tests. */
interface Home {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  carrel(...args: readonly string[]): Promise<Ran>;
}

function makeHome(): Home {
  const home = tempFolder();
  const project = join(home, "project");
  mkdirSync(project);
  // A client that is new to a folder trusts nothing in it until it is told.
  const environment = { PATH: process.env["PATH"], HOME: home, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  const carrel = (...args: readonly string[]) =>
    run(process.execPath, [MAIN, ...args], { folder: project, environment });
  return { project, environment, carrel };
}

type WayName = "http" | "stdio";
const WAYS: readonly WayName[] = ["http", "stdio"];

function flagsOf(way: WayName): readonly string[] {
  return way === "http" ? ["--url", `${server.url}mcp`] : ["--stdio", "--data", tempFolder()];
}

/** The files that `carrel connect --write` made, by client. */
async function connected(client: string, way: WayName): Promise<Home & { readonly file: string }> {
  const home = makeHome();
  const flags = flagsOf(way);
  const written = await home.carrel("connect", client, "--write", "--json", ...flags);
  expect(written.said).toContain('"written": true');
  const { file } = JSON.parse(written.said) as { file: string };
  const before = readFileSync(file);
  const again = await home.carrel("connect", client, "--write", "--json", ...flags);
  expect(again.said).toContain('"written": false');
  expect(readFileSync(file).equals(before)).toBe(true);
  return { ...home, file };
}

/** How each client lists the servers that it is told of. */
const LISTINGS: readonly {
  readonly client: string;
  list(home: Home): Promise<Ran>;
  /** What it says of a server that it has asked; Codex asks none until it works. */
  readonly says: RegExp;
}[] = [
  {
    client: "claude-code",
    list: ({ project, environment }) =>
      runClient("@anthropic-ai/claude-code/cli-wrapper.cjs", ["mcp", "list"], { folder: project, environment }),
    says: /carrel: .* Connected/,
  },
  {
    client: "gemini-cli",
    list: ({ project, environment }) =>
      runClient("@google/gemini-cli/bundle/gemini.js", ["mcp", "list"], { folder: project, environment }),
    says: /carrel: .* Connected/,
  },
  {
    client: "codex",
    list: ({ project, environment }) =>
      runClient("@openai/codex/bin/codex.js", ["mcp", "list"], { folder: project, environment }),
    says: /carrel +(?:http|\/).*enabled/,
  },
];

describe.skipIf(NODE === undefined).each(WAYS)("a client that is told by carrel connect, over %s", (way) => {
  test.each(LISTINGS)("$client lists the server", async ({ client, list, says }) => {
    const home = await connected(client, way);
    expect((await list(home)).said).toMatch(says);
  });

  // It reads what it finds of other clients, as these do themselves.
  test.each(["cursor", "windsurf", "vscode", "codex", "claude-code"])(
    "mcporter finds the server of %s, and asks it",
    async (client) => {
      const { project, environment } = await connected(client, way);
      // The server over stdio has nothing but the manual.
      const query = way === "http" ? "vacuum" : "exit code partial";
      const call = ["call", "carrel.search_documents", `query=${query}`, "--output", "json"];
      const { said } = await runClient("mcporter/dist/cli.js", call, { folder: project, environment });
      expect(said).toContain("documents/");
    },
  );

  test.each(Object.entries(SETTINGS_SCHEMAS))("what %s is told is valid by its schema", async (client, schema) => {
    if (client === "claude-desktop" && way === "http") return;
    const { file } = await connected(client, way);
    const ajv = new (load("ajv/dist/2020.js") as AjvModule).default({ strict: false });
    const validate = ajv.compile(schema);
    const isValid = validate(JSON.parse(readFileSync(file, "utf8")));
    expect([isValid, validate.errors]).toEqual([true, null]);
  });
});

interface AjvModule {
  readonly default: new (options: object) => {
    compile(schema: object): ((value: unknown) => boolean) & { readonly errors: unknown };
  };
}

test("the manifest of the bundle is valid", async () => {
  const folder = tempFolder();
  const made = await run(process.execPath, [MCPB, folder], {});
  expect(made.code).toBe(0);
  const bundle = made.said.split("\n")[0]?.replace(/:.*/, "") ?? "";
  const unpacked = join(folder, "unpacked");
  expect(await runClient("@anthropic-ai/mcpb/dist/cli/cli.js", ["unpack", bundle, unpacked])).toMatchObject({
    code: 0,
  });
  const checked = await runClient("@anthropic-ai/mcpb/dist/cli/cli.js", ["validate", join(unpacked, "manifest.json")]);
  expect(checked.said).toContain("Manifest schema validation passes");
});
