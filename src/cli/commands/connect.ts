import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { SETTINGS } from "../../config/settings.ts";
import { CLIENTS, type Client, type Place, type Way } from "../../connect/clients.ts";
import { planEntry, readConfiguration, snippet, writeConfiguration } from "../../connect/install.ts";
import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";

const IDS = CLIENTS.map(({ id }) => id).join(", ");

/** `carrel connect [client]` */
export function connectCommand(): Command {
  const command = new Command("connect")
    .description("print what tells a client of this server, or write it into the client's file")
    .argument("[client]", `one of ${IDS}; without one, how each of them stands`)
    .option("--url <url>", "the client asks a server that runs there; by default the one that serve starts here")
    .option("--stdio", "the client starts Carrel itself")
    .option("--write", "add it to the client's file; what has its name there already is left alone")
    .option("--project", "the file of the project in this folder, rather than that of the user")
    .option("--name <name>", "what the client calls the server", "carrel")
    .option("--key-variable <name>", "the environment variable in which the client finds its key");
  return withCommonFlags(command).action(action(connect));
}

interface ConnectFlags {
  readonly url?: string;
  readonly stdio?: boolean;
  readonly write?: boolean;
  readonly project?: boolean;
  readonly name: string;
  readonly keyVariable?: string;
}

const NO_ADDRESS = new Set(["0.0.0.0", "::", ""]);

function connect(context: Context, id: string | undefined, flags: ConnectFlags): number {
  const { output } = context;
  checkFlags(flags);
  const place: Place = { home: homedir(), platform: process.platform, folder: process.cwd() };
  if (id === undefined) {
    if (flags.write === true) throw new CarrelError("invalid", `--write needs a client; name one of ${IDS}.`);
    return list(context, place, flags);
  }
  const client = CLIENTS.find((one) => one.id === id);
  if (client === undefined) {
    const known = CLIENTS.map((one) => one.id);
    throw new CarrelError(
      "not-found",
      `There is no client ${JSON.stringify(id)}.${didYouMean(id, known)} Known: ${IDS}.`,
    );
  }
  const file = fileOf(client, place, flags);
  const entry = entryOf(client, context, flags);
  const text = readConfiguration(file);
  const shown = snippet(client, flags.name, entry);
  if (flags.write !== true) {
    output.result({ client: client.id, file, servers: client.servers, name: flags.name, entry }, [shown]);
    output.info(`For ${client.title} this goes into ${file}; --write puts it there.`);
    return 0;
  }
  const plan = planned(client, flags.name, entry, text, file);
  const result = { client: client.id, file, name: flags.name, entry };
  if (plan.state === "other") {
    throw new CarrelError(
      "invalid",
      `${file} has an entry ${flags.name} already that says something else, and is left as it is. Remove it, or choose another --name. It would have been:\n${shown}`,
    );
  }
  if (plan.state === "same") {
    output.result({ ...result, written: false }, [`${file} has it already; nothing was changed.`]);
    return 0;
  }
  writeConfiguration(file, plan.text);
  output.result({ ...result, written: true }, [`${client.title} is told of ${flags.name} in ${file}. Start it again.`]);
  return 0;
}

function list(context: Context, place: Place, flags: ConnectFlags): number {
  const states = { absent: "not connected", same: "connected", other: "has another entry of this name" };
  const rows = CLIENTS.filter((client) => flags.project !== true || client.projectFile !== undefined).map((client) => {
    const file = fileOf(client, place, flags);
    return { client: client.id, title: client.title, state: stateOf(client, file), file };
  });
  context.output.result(
    { clients: rows },
    table(
      ["CLIENT", "STATE", "FILE"],
      rows.map(({ client, state, file }) => [client, state, file]),
    ),
  );
  context.output.info('"carrel connect CLIENT" prints what goes there; with --write it puts it there.');
  return 0;

  function stateOf(client: Client, file: string): string {
    try {
      const text = readConfiguration(file);
      const entry = entryOf(client, context, flags);
      if (text === undefined) return "no such file";
      return states[planEntry(client, flags.name, entry, text).state];
    } catch (error) {
      if (error instanceof CarrelError) return "cannot be read";
      throw error;
    }
  }
}

function planned(client: Client, name: string, entry: object, text: string | undefined, file: string) {
  try {
    return planEntry(client, name, { ...entry }, text);
  } catch (error) {
    if (!(error instanceof CarrelError) || error.code !== "invalid") throw error;
    throw new CarrelError("invalid", `${file} is left as it is: ${error.message}.`, { cause: error });
  }
}

function checkFlags({ url, stdio, name, keyVariable }: ConnectFlags): void {
  if (url !== undefined && stdio === true) {
    throw new CarrelError("invalid", "--url and --stdio are two ways; choose one.");
  }
  if (url !== undefined && !/^https?:\/\/[^\s"]+$/.test(url)) {
    throw new CarrelError("invalid", `"${url}" is no http or https URL, such as http://127.0.0.1:8080/mcp.`);
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new CarrelError("invalid", `"${name}" is no name that all clients take; use letters, digits, _ and -.`);
  }
  if (keyVariable !== undefined && !/^[A-Za-z_]\w*$/.test(keyVariable)) {
    throw new CarrelError("invalid", `"${keyVariable}" is no name of an environment variable, such as DOCS_KEY.`);
  }
}

function fileOf({ title, projectFile, userFile }: Client, place: Place, { project }: ConnectFlags): string {
  if (project !== true) return userFile(place);
  if (projectFile !== undefined) return join(place.folder, projectFile);
  throw new CarrelError("invalid", `${title} has no file for a project; leave --project out.`);
}

function entryOf(client: Client, { settings }: Context, flags: ConnectFlags): Readonly<Record<string, unknown>> {
  const { keyVariable } = flags;
  const http: Way = {
    kind: "http",
    url: flags.url ?? ownUrl(settings),
    ...(keyVariable !== undefined && { keyVariable }),
  };
  const asked = flags.stdio === true ? ownCommand(settings) : http;
  const entry = client.entry(asked);
  if (entry !== undefined) return entry;
  const other = flags.url === undefined && keyVariable === undefined ? client.entry(ownCommand(settings)) : undefined;
  if (other !== undefined) return other;
  throw new CarrelError(
    "invalid",
    `${client.title} cannot be told of that in its file; use --stdio, or enter it in the client's own settings.`,
  );
}

/** Where `serve` listens by the settings of this machine. */
function ownUrl({ host, port, tlsCert }: Context["settings"]): string {
  const name = NO_ADDRESS.has(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${tlsCert === "" ? "http" : "https"}://${name}:${port === 0 ? SETTINGS.port.default : port}/mcp`;
}

/** This program, by absolute paths: a client may start it in any folder. */
function ownCommand({ data }: Context["settings"]): Extract<Way, { kind: "stdio" }> {
  const program = fileURLToPath(new URL("../main.js", import.meta.url));
  const folder = data === resolve(SETTINGS.data.default) ? [] : ["--data", data];
  return { kind: "stdio", command: process.execPath, args: [program, "serve", "--stdio", ...folder] };
}
