/**
 * What clients that cannot run without a screen take in their files, as JSON Schema. VS Code has one for `mcp.json`; Zed's
 * is made from the types of its settings; Claude Desktop's is that of its documentation. Only what says which entries are
 * valid is here.
 */
export const SETTINGS_SCHEMAS: Readonly<Record<string, object>> = {
  vscode: {
    type: "object",
    additionalProperties: false,
    properties: {
      inputs: { type: "array" },
      servers: {
        type: "object",
        additionalProperties: {
          oneOf: [
            {
              type: "object",
              additionalProperties: false,
              properties: {
                type: { enum: ["stdio"] },
                command: { type: "string" },
                cwd: { type: "string" },
                args: { type: "array", items: { type: "string" } },
                envFile: { type: "string" },
                env: { type: "object", additionalProperties: { type: ["null", "string", "number"] } },
              },
            },
            {
              type: "object",
              additionalProperties: false,
              required: ["url"],
              properties: {
                type: { enum: ["http", "sse"] },
                url: { type: "string", pattern: "^https?://.+" },
                headers: { type: "object", additionalProperties: { type: "string" } },
              },
            },
          ],
        },
      },
    },
  },
  zed: {
    type: "object",
    required: ["context_servers"],
    properties: {
      context_servers: {
        type: "object",
        additionalProperties: {
          oneOf: [
            {
              type: "object",
              required: ["command", "args"],
              additionalProperties: false,
              properties: {
                enabled: { type: "boolean" },
                remote: { type: "boolean" },
                command: { type: "string" },
                args: { type: "array", items: { type: "string" } },
                env: { type: ["object", "null"], additionalProperties: { type: "string" } },
                timeout: { type: ["integer", "null"] },
              },
            },
            {
              type: "object",
              required: ["url"],
              additionalProperties: false,
              properties: {
                enabled: { type: "boolean" },
                url: { type: "string" },
                headers: { type: "object", additionalProperties: { type: "string" } },
                timeout: { type: ["integer", "null"] },
              },
            },
          ],
        },
      },
    },
  },
  "claude-desktop": {
    type: "object",
    required: ["mcpServers"],
    properties: {
      mcpServers: {
        type: "object",
        additionalProperties: {
          type: "object",
          required: ["command"],
          additionalProperties: false,
          properties: {
            command: { type: "string" },
            args: { type: "array", items: { type: "string" } },
            env: { type: "object", additionalProperties: { type: "string" } },
          },
        },
      },
    },
  },
};
