/** What a bundle and a registry are told of this program. */
export interface ProgramFacts {
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly platform: NodeJS.Platform;
  readonly nodeRange: string;
}

/** The folder in which an installed bundle keeps its stores, unless its user names another. */
const DATA_FOLDER = "${HOME}/.carrel";

/** What a person reads of each tool before it is installed. */
const TOOLS = [
  { name: "search_documents", description: "Finds passages of documentation, each with the name of its document." },
  { name: "answer_query", description: "Answers a question from documentation, with citations." },
  { name: "get_documents", description: "Gives whole documentation pages as Markdown." },
];

/** `manifest.json` of an MCPB bundle. Source: the MCPB manifest specification, version 0.3. */
export function bundleManifest({ version, license, description, platform, nodeRange }: ProgramFacts): object {
  return {
    manifest_version: "0.3",
    name: "carrel",
    display_name: "Carrel",
    version,
    description,
    author: { name: "Carrel" },
    license,
    keywords: ["documentation", "search", "offline"],
    server: {
      type: "node",
      entry_point: "dist/cli/main.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/dist/cli/main.js", "serve", "--stdio", "--data", "${user_config.data}"],
        env: {},
      },
    },
    tools: TOOLS,
    user_config: {
      data: {
        type: "directory",
        title: "Data folder",
        description: "The folder of the stores; where nothing was refreshed yet, the manual is indexed there.",
        required: false,
        default: DATA_FOLDER,
      },
    },
    // better-sqlite3 is compiled for one of them.
    compatibility: { platforms: [platform], runtimes: { node: nodeRange } },
  };
}

/** A bundle as it can be fetched. */
export interface PublishedBundle {
  /** As a registry knows the program: a domain the other way round, and a name. */
  readonly name: string;
  readonly url: string;
  readonly sha256: string;
}

/** At most 100 characters. */
const SHORT_DESCRIPTION = "A private copy of developer documentation that answers where there is no internet.";

/** `server.json`, by which a registry lists the bundle. Source: the server.json schema of the MCP registry, 2025-12-11. */
export function registryEntry({ version }: ProgramFacts, { name, url, sha256 }: PublishedBundle): object {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name,
    title: "Carrel",
    description: SHORT_DESCRIPTION,
    version,
    packages: [{ registryType: "mcpb", identifier: url, version, fileSha256: sha256, transport: { type: "stdio" } }],
  };
}
