/** A server in a TOML file of Codex: the table of its name. */
export type TomlState = "absent" | "same" | "other";

/** The table as it is written: `[mcp_servers.carrel]` and a line for each value. */
export function tomlTable(servers: string, name: string, entry: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[${servers}.${bareOrQuoted(name)}]`, ...lines].join("\n");
}

/**
 * Whether a file has a server of that name. It is read line by line: whatever may be such a server, in any of the ways in
 * which TOML can say it, counts as there, so that nothing is defined twice.
 */
export function tomlState(text: string, servers: string, name: string, table: string): TomlState {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const header = (table.split("\n", 1)[0] ?? "").trim();
  const at = lines.indexOf(header);
  if (at !== -1) {
    const end = lines.findIndex((line, i) => i > at && line.startsWith("["));
    const own = lines.slice(at, end === -1 ? undefined : end).filter((line) => line !== "");
    const isNested = lines.some((line) => line.startsWith(`${header.slice(0, -1)}.`));
    return !isNested && own.join("\n") === table ? "same" : "other";
  }
  const names = `(?:${escaped(name)}|"${escaped(name)}"|'${escaped(name)}')`;
  const key = `(?:${servers}|"${servers}"|'${servers}')`;
  const inHeader = new RegExp(`^\\[\\s*${key}\\s*\\.\\s*${names}\\s*[\\].]`);
  // All servers in one value, to which nothing can be added below; or one of them by a dotted key.
  const inValue = new RegExp(`^${key}\\s*(?:=|\\.\\s*${names}\\s*[.=])`);
  const inTable = new RegExp(`^${names}\\s*[.=]`);
  let section = "";
  for (const line of lines) {
    if (inHeader.test(line)) return "other";
    if (line.startsWith("[")) section = line;
    else if (section === "" && inValue.test(line)) return "other";
    else if (new RegExp(`^\\[\\s*${key}\\s*\\]`).test(section) && inTable.test(line)) return "other";
  }
  return "absent";
}

/** The file with the table at its end, where it is valid whatever stands before. */
export function appendTable(text: string, table: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const body = table.replaceAll("\n", newline) + newline;
  if (text.trim() === "") return text + body;
  return `${text}${text.endsWith("\n") ? "" : newline}${newline}${body}`;
}

/** A JSON text is a basic string of TOML, but for one sign. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

function bareOrQuoted(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
