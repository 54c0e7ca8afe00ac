import { join } from "node:path";

/** How a client reaches Carrel. */
export type Way =
  | {
      readonly kind: "http";
      readonly url: string;
      /** The environment variable in which the client finds the key. */
      readonly keyVariable?: string;
    }
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] };

/** Whose files are meant. */
export interface Place {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The folder of a project. */
  readonly folder: string;
}

/** A program that speaks MCP, and how it is told of a server. */
export interface Client {
  readonly id: string;
  readonly title: string;
  /** `jsonc` may hold comments. */
  readonly format: "json" | "jsonc" | "toml";
  /** The key under which its file lists servers by their names. */
  readonly servers: string;
  /** The file for all of a user's projects. */
  userFile(place: Place): string;
  /** The file for one project, from its folder; absent when the client has none. */
  readonly projectFile?: string;
  /** What stands under the name of the server; undefined when the client does not know that way. */
  entry(way: Way): Readonly<Record<string, unknown>> | undefined;
}

/** Where applications keep their settings on each platform. */
function settingsFolder({ home, platform }: Place): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return platform === "win32" ? join(home, "AppData", "Roaming") : join(home, ".config");
}

function stdio({ command, args }: Extract<Way, { kind: "stdio" }>): Readonly<Record<string, unknown>> {
  return { command, args };
}

/** The header with the key, or nothing without one; `reference` is how the client names a variable of its environment. */
function withKey({ keyVariable }: Extract<Way, { kind: "http" }>, reference: (name: string) => string): object {
  return keyVariable === undefined ? {} : { headers: { Authorization: `Bearer ${reference(keyVariable)}` } };
}

/**
 * The clients that are known. Sources: their documentation of late 2026, under "MCP". What is not in a file of theirs, such as
 * a remote server of Claude Desktop, is not written.
 */
export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    format: "json",
    servers: "mcpServers",
    userFile: ({ home }) => join(home, ".claude.json"),
    projectFile: ".mcp.json",
    entry: (way) =>
      way.kind === "http"
        ? { type: "http", url: way.url, ...withKey(way, (name) => `\${${name}}`) }
        : { type: "stdio", ...stdio(way) },
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    servers: "mcpServers",
    userFile: (place) => join(settingsFolder(place), "Claude", "claude_desktop_config.json"),
    entry: (way) => (way.kind === "http" ? undefined : stdio(way)),
  },
  {
    id: "vscode",
    title: "VS Code",
    format: "jsonc",
    servers: "servers",
    userFile: (place) => join(settingsFolder(place), "Code", "User", "mcp.json"),
    projectFile: ".vscode/mcp.json",
    entry: (way) =>
      way.kind === "http"
        ? { type: "http", url: way.url, ...withKey(way, (name) => `\${env:${name}}`) }
        : { type: "stdio", ...stdio(way) },
  },
  {
    id: "cursor",
    title: "Cursor",
    format: "json",
    servers: "mcpServers",
    userFile: ({ home }) => join(home, ".cursor", "mcp.json"),
    projectFile: ".cursor/mcp.json",
    entry: (way) => (way.kind === "http" ? { url: way.url, ...withKey(way, (name) => `\${env:${name}}`) } : stdio(way)),
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    format: "jsonc",
    servers: "mcpServers",
    userFile: ({ home }) => join(home, ".gemini", "settings.json"),
    projectFile: ".gemini/settings.json",
    // `url` would mean the older transport.
    entry: (way) => (way.kind === "http" ? { httpUrl: way.url, ...withKey(way, (name) => `$${name}`) } : stdio(way)),
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    servers: "mcp_servers",
    userFile: ({ home }) => join(home, ".codex", "config.toml"),
    projectFile: ".codex/config.toml",
    entry: (way) =>
      way.kind === "http"
        ? { url: way.url, ...(way.keyVariable !== undefined && { bearer_token_env_var: way.keyVariable }) }
        : stdio(way),
  },
  {
    id: "windsurf",
    title: "Windsurf",
    format: "json",
    servers: "mcpServers",
    userFile: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    entry: (way) =>
      way.kind === "http" ? { serverUrl: way.url, ...withKey(way, (name) => `\${env:${name}}`) } : stdio(way),
  },
  {
    id: "zed",
    title: "Zed",
    format: "jsonc",
    servers: "context_servers",
    userFile: ({ home, platform }) =>
      platform === "win32"
        ? join(home, "AppData", "Roaming", "Zed", "settings.json")
        : join(home, ".config", "zed", "settings.json"),
    projectFile: ".zed/settings.json",
    // It knows no variables in headers: a key is entered in its own settings.
    entry: (way) => (way.kind === "stdio" ? stdio(way) : way.keyVariable === undefined ? { url: way.url } : undefined),
  },
];
