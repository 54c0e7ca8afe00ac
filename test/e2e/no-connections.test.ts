import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCarrel, written } from "../support/command-line.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Says it when a process opens a connection, in any of its threads. */
const WATCH = `import fs from "node:fs";
import net from "node:net";
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  fs.writeSync(2, "CONNECTS OUT\\n");
  return connect.apply(this, args);
};
`;

test("no connection is made while serving", { timeout: 120_000 }, async () => {
  const watch = join(tempFolder(), "watch.mjs");
  writeFileSync(watch, WATCH);
  const control = `await fetch("http://127.0.0.1:65535/").catch(()=>{})`;
  const watched = spawnSync(process.execPath, ["--import", watch, "--input-type=module", "-e", control]);
  expect(watched.stderr.toString()).toContain("CONNECTS OUT");

  const serving = startCarrel(["serve", "--port", "0", "--data", tempFolder()], { NODE_OPTIONS: `--import=${watch}` });
  let said = "";
  serving.stderr.on("data", (text: string) => (said += text));
  const [url = ""] = /http:\S+\/mcp/.exec(await written(serving, /\/mcp/)) ?? [];
  // What was indexed first was read from files, in this process.
  const calls = [
    { name: "search_documents", arguments: { query: "list a site" } },
    { name: "answer_query", arguments: { query: "How do I list a site?" } },
    { name: "get_documents", arguments: { names: ["https://docs.example.com/not-kept", "http://10.0.0.1/"] } },
  ];
  for (const params of calls) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const response = await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
    expect(response.status).toBe(200);
  }
  for (const path of ["healthz", "readyz", "metrics", "openapi.json"]) {
    expect((await fetch(url.replace(/mcp$/, path))).status).toBe(200);
  }
  serving.kill("SIGTERM");
  await new Promise((resolve) => serving.once("close", resolve));
  expect(said).toContain('"call":"search_documents"');
  expect(said).not.toContain("CONNECTS OUT");
});
