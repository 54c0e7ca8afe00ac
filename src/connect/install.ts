import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CarrelError } from "../domain/errors.ts";
import type { Client } from "./clients.ts";
import { addMember, memberOf, parseJsonc, valueOf } from "./jsonc.ts";
import type { Node } from "./jsonc.ts";
import { appendTable, tomlState, tomlTable } from "./toml-entry.ts";

/** What a client's file says of the server, and what it would be with it. */
export interface Plan {
  /** `same` when it is there as it would be written, `other` when something else has its name. */
  readonly state: "absent" | "same" | "other";
  /** The whole file with the entry; as it is unless it is absent. */
  readonly text: string;
}

type Entry = Readonly<Record<string, unknown>>;

/** What is to be put into a file, as a person would: the entry within what surrounds it. */
export function snippet({ format, servers }: Client, name: string, entry: Entry): string {
  if (format === "toml") return tomlTable(servers, name, entry);
  return JSON.stringify({ [servers]: { [name]: entry } }, undefined, 2);
}

/**
 * What adding an entry would make of a file. Nothing that stands there is changed: whatever has the name already is its
 * owner's, whoever wrote it.
 * @param text of the file; undefined when there is none.
 * @throws CarrelError `invalid` when the file cannot be read as what it should be.
 */
export function planEntry(client: Client, name: string, entry: Entry, text: string | undefined): Plan {
  const { format, servers } = client;
  if (format === "toml") {
    const table = tomlTable(servers, name, entry);
    const state = tomlState(text ?? "", servers, name, table);
    return { state, text: state === "absent" ? appendTable(text ?? "", table) : (text ?? "") };
  }
  if (text === undefined || text.trim() === "") {
    return { state: "absent", text: `${snippet(client, name, entry)}\n` };
  }
  const root = parseJsonc(text);
  const list = memberOf(root, servers);
  const known = list === undefined ? undefined : memberOf(list, name);
  if (known !== undefined) return { state: isDeepStrictEqual(valueOf(known), entry) ? "same" : "other", text };
  const added =
    list === undefined
      ? addMember(text, objectIn(root, "the whole"), servers, { [name]: entry })
      : addMember(text, objectIn(list, servers), name, entry);
  const plan: Plan = { state: "absent", text: added };
  // An edit of somebody's file is read again before it is written.
  const read = memberOf(memberOf(parseJsonc(added), servers) ?? root, name);
  if (read === undefined || !isDeepStrictEqual(valueOf(read), entry)) {
    throw new CarrelError("internal", "The entry could not be added to the file without harm.");
  }
  return plan;
}

function objectIn(node: Node, what: string): Extract<Node, { kind: "object" }> {
  if (node.kind === "object") return node;
  throw new CarrelError("invalid", `${what} should be an object, and is something else`);
}

/** A file's text; undefined when there is none. */
export function readConfiguration(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CarrelError("invalid", `${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

const NEW_FILE_MODE = 0o600;

/**
 * Replaces a file in one step, so that a client that reads it meanwhile sees the old one or the new one. A link stays one, and
 * who may read it stays.
 * @throws CarrelError `config` when it cannot be written.
 */
export function writeConfiguration(file: string, text: string): void {
  let next: string | undefined;
  try {
    const known = statSync(file, { throwIfNoEntry: false });
    const target = known === undefined ? file : realpathSync(file);
    mkdirSync(dirname(target), { recursive: true });
    next = `${target}.carrel-new`;
    writeFileSync(next, text, { mode: known === undefined ? NEW_FILE_MODE : known.mode & 0o777, flag: "wx" });
    renameSync(next, target);
  } catch (error) {
    if (next !== undefined && (error as NodeJS.ErrnoException).code !== "EEXIST") rmSync(next, { force: true });
    throw new CarrelError("config", `${file} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
}
