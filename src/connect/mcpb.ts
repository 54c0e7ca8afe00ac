import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { bundleManifest, registryEntry } from "./manifest.ts";
import type { ProgramFacts } from "./manifest.ts";
import { writeZip } from "./zip.ts";
import type { ZipEntry } from "./zip.ts";

/**
 * Makes an MCPB bundle of the built program with the packages that it needs, for a client that installs such bundles, and
 * beside it `server.json` for a registry: `node dist/connect/mcpb.js [FOLDER] [--name NAME] [--url URL]`.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OWN = ["dist", "data/manual", "pipelines", "package.json", "README.md", "LICENSE"];
/** What no program reads that is installed: types, maps, sources to compile, and what only measures. */
const LEFT_OUT =
  /\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$|^dist\/(?:bench|mcpb)\/|^node_modules\/better-sqlite3\/(?:deps|src)\/|^node_modules\/better-sqlite3\/build\/(?!Release\/better_sqlite3\.node$)/;
const DEFAULT_NAME = "internal.carrel/carrel";

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly engines: { readonly node: string };
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: "string", default: DEFAULT_NAME }, url: { type: "string" } },
  });
  const folder = resolve(positionals[0] ?? join(ROOT, "dist", "mcpb"));
  if (!existsSync(join(ROOT, "dist", "cli", "main.js"))) {
    throw new CarrelError("not-found", `There is no built program below ${ROOT}; run "npm run build" first.`);
  }
  const { version, license, description, engines }: Manifest = JSON.parse(textOf("package.json"));
  const facts: ProgramFacts = { version, license, description, platform: process.platform, nodeRange: engines.node };
  mkdirSync(folder, { recursive: true });
  const file = `carrel-${version}-${process.platform}-${process.arch}.mcpb`;
  const count = writeZip(join(folder, file), entries(facts));
  const published = {
    name: values.name,
    url: values.url ?? `https://carrel.internal/${file}`,
    sha256: await sha256Of(join(folder, file)),
  };
  writeFileSync(join(folder, "server.json"), `${JSON.stringify(registryEntry(facts, published), undefined, 2)}\n`);
  process.stdout.write(`${join(folder, file)}: ${count} files\n${join(folder, "server.json")}\n`);
}

function* entries(facts: ProgramFacts): Iterable<ZipEntry> {
  yield { name: "manifest.json", bytes: Buffer.from(JSON.stringify(bundleManifest(facts), undefined, 2)) };
  for (const path of OWN) yield* below(path);
  const { packages }: Lock = JSON.parse(textOf("package-lock.json"));
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path !== "" && dev !== true && devOptional !== true && existsSync(join(ROOT, path))) yield* below(path);
  }
}

/** The files below a path, without packages within packages, which the lock file lists themselves. */
function* below(path: string): Iterable<ZipEntry> {
  const whole = join(ROOT, path);
  const files = existsSync(whole) ? filesIn(whole) : [];
  for (const one of files) {
    const name = relative(ROOT, one).split(sep).join("/");
    if (!LEFT_OUT.test(name)) yield { name, bytes: readFileSync(one) };
  }
}

function* filesIn(path: string): Iterable<string> {
  const listed = readDirectory(path);
  if (listed === undefined) {
    yield path;
    return;
  }
  for (const entry of listed) {
    if (entry.isDirectory() && entry.name !== "node_modules") yield* filesIn(join(path, entry.name));
    else if (entry.isFile()) yield join(path, entry.name);
  }
}

/** Undefined for a file. */
function readDirectory(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function textOf(name: string): string {
  return readFileSync(join(ROOT, name), "utf8");
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

try {
  await main();
} catch (error) {
  process.stderr.write(`mcpb: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof CarrelError ? 2 : 1;
}
