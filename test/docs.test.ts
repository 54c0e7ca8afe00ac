import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EXIT_CODE_OF_ERROR, EXIT_CODE_OF_RUN } from "../src/cli/exit-codes.ts";
import { createProgram } from "../src/cli/program.ts";
import { DEFAULTS } from "../src/config/defaults.ts";
import { archivePipeline, folderPipeline, webPipeline } from "../src/config/pipeline-schema.ts";
import { loadPipelines } from "../src/config/pipelines.ts";
import { SETTINGS } from "../src/config/settings.ts";
import { NO_COUNTS } from "../src/domain/run.ts";
import { countsText } from "../src/cli/run-text.ts";
import {
  anchorsOf,
  commandLines,
  FENCES,
  fences,
  page,
  PAGES,
  read,
  ROOT,
  rows,
  section,
} from "./support/documentation.ts";
import { carrel, startCarrel, written } from "./support/command-line.ts";
import { tempFolder } from "./support/temp-folder.ts";

const MANIFEST: Record<"dependencies" | "scripts", Record<string, string>> = JSON.parse(read("package.json"));
const README = page("README.md");
const COMMAND_LINE = page("data/manual/command-line.md");
const PIPELINES = page("data/manual/pipelines.md");
const REFRESHING = page("data/manual/refreshing.md");
const COMMANDS = commandsBelow(createProgram());

interface NamedCommand {
  /** As it is called: `runs show`. */
  readonly path: string;
  readonly command: Command;
}

/** Every command, each before those below it. */
function commandsBelow(above: Command, path = ""): readonly NamedCommand[] {
  return above.commands.flatMap((command) => {
    const own = `${path} ${command.name()}`.trim();
    return [{ path: own, command }, ...commandsBelow(command, own)];
  });
}

/** The flags of a command but for help, which commander adds. */
function flagsOf(command: Command): readonly string[] {
  return command.options.map(({ long }) => long ?? "");
}
/** The same words, each as often, in whatever order. */
function expectSame(actual: readonly (string | undefined)[], expected: readonly string[]): void {
  const byName = (a = "", b = ""): number => (a < b ? -1 : 1);
  expect(actual.toSorted(byName)).toEqual(expected.toSorted(byName));
}

const COMMON_FLAGS = ["--data", "--pipelines", "--json"];

describe("the manual's page on the command line", () => {
  it("has a section for each command, and none for another", () => {
    const sections = [...COMMAND_LINE.matchAll(/^## carrel ([\w ]+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(COMMANDS.map(({ path }) => path));
    const listed = rows(section(COMMAND_LINE, "## Commands")).map(([cell]) => /carrel ([\w ]+)/.exec(cell ?? "")?.[1]);
    expect(listed).toEqual(sections);
  });

  it.each(COMMANDS.map(({ path, command }) => [path, command] as const))(
    "names the arguments and flags of %s with their defaults, and no others",
    (name, command) => {
      const text = section(COMMAND_LINE, `## carrel ${name}`);
      const own = flagsOf(command).filter((flag) => !COMMON_FLAGS.includes(flag));
      const documented = rows(text).map(([flag = ""]) => flag.split(" ")[0]);
      expectSame(documented, own);
      const usage = /```text\n(.*)\n```/.exec(text)?.[1] ?? "";
      for (const flag of own) expect(usage).toMatch(new RegExp(`(?:\\[|\\| )${flag}\\b`));
      for (const argument of command.registeredArguments) {
        expect(usage).toContain(`${argument.name()}${argument.variadic ? "..." : ""}`);
      }
      for (const { long, defaultValue } of command.options) {
        if (defaultValue === undefined) continue;
        const row = rows(text).find(([flag = ""]) => flag.startsWith(long ?? ""));
        expect(row?.[1]).toBe(String(defaultValue));
      }
    },
  );

  it("names the flags that every command has", () => {
    const common = COMMANDS.map(({ command }) => flagsOf(command)).reduce((all, flags) =>
      all.filter((flag) => flags.includes(flag)),
    );
    expectSame(common, COMMON_FLAGS);
    const documented = rows(section(COMMAND_LINE, "## Flags of every command")).map(([cell = ""]) => cell);
    for (const flag of [...common, "--help"]) expect(documented.join(" ")).toContain(flag);
    for (const { long } of createProgram().options) expect(COMMAND_LINE).toContain(`\`${long ?? ""}\``);
  });

  it("names every setting with its flag and default", () => {
    const documented = rows(section(COMMAND_LINE, "## Environment variables"));
    expect(documented.map(([variable]) => variable)).toEqual(Object.values(SETTINGS).map(({ variable }) => variable));
    for (const [key, setting] of Object.entries(SETTINGS)) {
      const [, flag, value = ""] = documented.find(([variable]) => variable === setting.variable) ?? [];
      expect(flag).toBe(COMMANDS.some(({ command }) => flagsOf(command).includes(`--${key}`)) ? `--${key}` : "");
      const shown = setting.default.startsWith(ROOT) ? `${relative(ROOT, setting.default)}/` : setting.default;
      expect(value).toContain(shown === "" ? "none" : shown);
    }
  });

  it("names every exit code, and so does --help", () => {
    const codes = [0, ...Object.values(EXIT_CODE_OF_ERROR), ...Object.values(EXIT_CODE_OF_RUN)];
    const sorted = [...new Set(codes)].sort((a, b) => a - b);
    expect(rows(section(COMMAND_LINE, "## Exit codes")).map(([code]) => Number(code))).toEqual(sorted);
    let help = "";
    createProgram()
      .configureOutput({ writeOut: (text) => (help += text) })
      .outputHelp();
    const said = help.slice(help.indexOf("Exit codes:")).match(/\b\d+\b/g) ?? [];
    expect(said.map(Number)).toEqual(sorted);
  });
});

describe("the manual's other pages", () => {
  it("name every key of a pipeline with its default", () => {
    const web = rows(section(PIPELINES, "## Keys of a web source"));
    expectSame(
      web.map(([key]) => key),
      leafKeys(webPipeline),
    );
    const folder = rows(section(PIPELINES, "## Keys of a folder source"));
    expectSame(
      folder.map(([key]) => key),
      leafKeys(folderPipeline),
    );
    const archive = rows(section(PIPELINES, "## Keys of an archive source"));
    expectSame(
      archive.map(([key]) => key),
      leafKeys(archivePipeline),
    );
    for (const [name, value] of Object.entries(DEFAULTS)) {
      const row = web.find(
        ([key = ""]) => key === (name === "scopeType" ? "scope.type" : key.slice(0, -name.length) + name),
      );
      expect(row?.[2]).toBe(String(value));
    }
    // The longest example uses all of them.
    const used = (FENCES.find(({ body }) => body.includes("pipelines/handbook.yaml"))?.body ?? "").match(/\w+(?=:)/g);
    for (const key of leafKeys(webPipeline)) expect(used).toContain(key.split(".").at(-1));
  });

  it("name every status of a run with its exit code, and every count", () => {
    const text = section(REFRESHING, "## What a run can come to");
    for (const [status, code] of Object.entries(EXIT_CODE_OF_RUN)) {
      const row = rows(text).find(([cell]) => cell === status);
      expect(row?.[2]).toBe(status === "running" ? "" : String(code));
    }
    const counts = rows(text).map(([cell]) => cell);
    for (const key of Object.keys(NO_COUNTS)) {
      const word = countsText({ ...NO_COUNTS, [key]: 1 }).slice(2);
      expect(counts.join(", ")).toContain(word);
    }
  });

  it("name no setting, command or flag that there is not", () => {
    const known = Object.values(SETTINGS).map(({ variable }) => variable as string);
    for (const [path, text] of PAGES) {
      for (const [variable] of text.matchAll(/\bCARREL_[A-Z_]+/g))
        expect([path, known]).toEqual([path, known.includes(variable) ? known : variable]);
      for (const [, words = ""] of text.matchAll(/`carrel ([^`\n]+)`/g))
        expect([path, words, misuseOf(words)]).toEqual([path, words, ""]);
    }
  });

  it("quote messages that the program really has", () => {
    const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const code = sources.map((file) => read(join("src", file)).replaceAll(/\$\{[^}]*\}/g, "…")).join("\n");
    const text = page("data/manual/troubleshooting.md");
    const quoted = ["## Pipelines", "## Refreshing", "## Searching and serving"].flatMap((heading) =>
      rows(section(text, heading), "`").flatMap(([cell = ""]) =>
        [...cell.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
      ),
    );
    expect(quoted.length).toBeGreaterThan(20);
    const fragments = quoted.flatMap((message) => message.split("…")).map((fragment) => fragment.trim());
    expect(fragments.filter((fragment) => fragment.length > 5 && !code.includes(fragment))).toEqual([]);
  });

  it("begin with their place in the manual and one title", () => {
    const orders = [...PAGES]
      .filter(([path]) => path !== "README.md")
      .map(([path, text]) => {
        const [, order] = /^---\norder: (\d+)\ndescription: \S(?!.*: ).*\n---\n\n# \S/.exec(text) ?? [];
        expect([path, order]).not.toEqual([path, undefined]);
        expect([path, text.replaceAll(/^```[\s\S]*?^```$/gm, "").match(/^# /gm)?.length]).toEqual([path, 1]);
        return Number(order);
      });
    expect(new Set(orders).size).toBe(orders.length);
  });
});

/** What is wrong with a command as it stands in running text, where arguments may be left out. */
function misuseOf(words: string): string {
  if (/^(?:-|COMMAND)/.test(words)) return "";
  const called = COMMANDS.filter(({ path }) => `${words} `.startsWith(`${path} `)).at(-1);
  if (called === undefined) return `no command ${words}`;
  const { path, command } = called;
  const others = words.slice(path.length).trim().split(" ");
  const flags = [...flagsOf(command), "--help", "--"];
  const unknown = others.filter((word) => word.startsWith("-") && !flags.includes(word.replace(/=.*/, "")));
  return unknown.length === 0 ? "" : `no flag ${unknown.join(" ")}`;
}

/** The keys of a schema that hold values, as `limits.maxPages`. */
function leafKeys(schema: z.ZodType, above = ""): readonly string[] {
  let bare: unknown = schema;
  while (bare instanceof z.ZodPrefault || bare instanceof z.ZodDefault || bare instanceof z.ZodOptional)
    bare = bare.unwrap();
  if (!(bare instanceof z.ZodObject)) return [above];
  return Object.entries(bare.shape as Record<string, z.ZodType>).flatMap(([key, value]) =>
    leafKeys(value, above === "" ? key : `${above}.${key}`),
  );
}

describe("the README", () => {
  it("gives a reason for each production dependency, and for no other package", () => {
    const listed = rows(section(README, "## Production dependencies"));
    expectSame(
      listed.map(([name]) => name),
      Object.keys(MANIFEST.dependencies),
    );
    expect(listed.filter(([, why = ""]) => why.length < 3)).toEqual([]);
  });

  it("names every npm script, and no other", () => {
    const listed = rows(section(README, "## One command each")).map(([command = ""]) =>
      command.replace(/^npm (run )?/, ""),
    );
    expectSame(listed, Object.keys(MANIFEST.scripts));
    for (const [, text] of PAGES) {
      for (const [, script = ""] of text.matchAll(/\bnpm run (\w+)/g)) expect(listed).toContain(script);
    }
  });

  it("begins with what it is and the two commands", () => {
    const firstScreen = README.split("\n").slice(0, 40).join("\n");
    expect(firstScreen).toContain("npm ci && npm run demo");
    expect(firstScreen).toContain("npm ci && npm test");
  });
});

describe("links and examples", () => {
  it("lead somewhere", () => {
    const broken: string[] = [];
    for (const [path, text] of PAGES) {
      const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "x");
      for (const [, link = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(link)) continue;
        const [file = "", anchor] = link.split("#");
        const target = file === "" ? path : relative(ROOT, resolve(ROOT, dirname(path), file));
        if (!existsSync(join(ROOT, target))) broken.push(`${path}: ${link}`);
        else if (anchor !== undefined && !anchorsOf(read(target)).includes(anchor)) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("are valid: every pipeline", () => {
    const yaml = FENCES.filter(({ info }) => info === "yaml");
    expect(yaml.length).toBeGreaterThan(4);
    for (const { path, body } of yaml) {
      const dir = join(tempFolder(), "pipelines");
      const name = /^# pipelines\/(.+)\n/.exec(body)?.[1];
      expect([path, body, name]).not.toEqual([path, body, undefined]);
      mkdirSync(dir);
      writeFileSync(join(dir, name ?? ""), body);
      expect(loadPipelines(dir)).toHaveLength(1);
    }
    expect(loadPipelines(join(ROOT, "pipelines")).map(({ id }) => id)).toContain("manual");
  });

  it("are valid: every JSON text", () => {
    for (const { body } of FENCES.filter(({ info }) => info === "json"))
      expect(() => JSON.parse(body) as unknown).not.toThrow();
  });

  it("are accepted: every command line, those in the configurations of clients and schedulers too", async () => {
    const lines = FENCES.flatMap(({ body, info }) => commandLines(body, info === "sh"));
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines)
      expect(`carrel ${line.join(" ")}: ${await refusalOf(line)}`).toBe(`carrel ${line.join(" ")}: `);
    expect(await refusalOf(["serve", "--prot", "1"])).toContain("Unknown option");
  });
});

/** What commander has against a command line; "" when it accepts it. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const program = createProgram();
  let ran = false;
  let said = "";
  const output = { writeErr: (text: string) => (said += text), writeOut: () => (ran = true) };
  program.configureOutput(output);
  for (const { command } of commandsBelow(program)) command.configureOutput(output).action(() => void (ran = true));
  await program.parseAsync(args, { from: "user" }).catch((error: unknown) => {
    if (!ran) said ||= String(error);
  });
  return ran ? "" : said || "it does nothing";
}

/** Commands that need what the README only describes: a site on the internet, or a client that stays. */
const NOT_RUN_IN_TURN = /^(?:serve|refresh python|--help)/;

describe("the README's commands", () => {
  it("do what they say, in their order, with no internet", { timeout: 120_000 }, async () => {
    const data = tempFolder();
    const lines = fences("README.md").flatMap(({ body, info }) => (info === "sh" ? commandLines(body, true) : []));
    const run = lines.filter((line) => !NOT_RUN_IN_TURN.test(line.join(" ")) && line[0] !== "demo");
    expect(run.map(([command]) => command)).toEqual(["sources", "refresh", "search", "show", "runs", "doctor"]);
    const said: Record<string, string> = {};
    for (const line of run) {
      const { code, stdout, stderr } = await carrel([...line, "--data", data]);
      expect(`${line.join(" ")}: ${code}\n${code === 0 ? "" : stderr + stdout}`).toBe(`${line.join(" ")}: 0\n`);
      said[line[0] ?? ""] = stdout;
    }
    expect(said["sources"]).toMatch(/^manual +0 +never/m);
    expect(said["refresh"]).toContain(`manual: complete, ${PAGES.size - 1} fetched, ${PAGES.size - 1} added`);
    expect(said["search"]).toMatch(/^ {3}documents\/carrel\.internal\/manual\/(?:pipelines|getting-started)\.md/m);
    expect(said["show"]).toContain("## Keys of a web source");
    expect(said["runs"]).toMatch(/^1 +manual +complete/m);
    expect(said["doctor"]).not.toContain("BAD");

    const serving = startCarrel(["serve", "--port", "0", "--data", data]);
    const [url] = /http:\S+\/mcp/.exec(await written(serving, /\/mcp/)) ?? [];
    const [, body = ""] = /-d '([^']+)'/.exec(README) ?? [];
    const reply = await fetch(url ?? "", { method: "POST", body, headers: { "Content-Type": "application/json" } });
    const answer: { result: { structuredContent: { results: { parent: string }[] } } } = await reply.json();
    expect(answer.result.structuredContent.results[0]?.parent).toMatch(/manual\/(?:pipelines|getting-started)\.md$/);
  });

  it("demo asks three questions, and each is answered by the page that it is about", { timeout: 120_000 }, async () => {
    const { code, stdout, stderr } = await carrel(["demo", "--once", "--port", "0", "--json"]);
    expect(`${code}\n${code === 0 ? "" : stderr}`).toBe("0\n");
    const said: { answers: { results: { parent: string; content: string }[] }[] } = JSON.parse(stdout);
    const best = said.answers.map(({ results }) => results[0]);
    expect(best.map((result) => /manual\/([\w-]+)/.exec(result?.parent ?? "")?.[1])).toEqual([
      // Both are about it; one says how, the other all that there is.
      expect.stringMatching(/^(?:pipelines|getting-started)$/),
      "command-line",
      "serving",
    ]);
    expect(best[0]?.content).toContain("seeds:");
    expect(best[1]?.content).toMatch(/\| 10 +\|/);
    expect(best[2]?.content).toContain("claude mcp add --transport http carrel");
  });
});
