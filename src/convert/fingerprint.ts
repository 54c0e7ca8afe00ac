import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Packages whose version changes what pages become. */
const PACKAGES = ["turndown", "htmlparser2", "css-select", "markdown-it", "unpdf", "@asciidoctor/core"];

/**
 * Names the rules of conversion: it changes when the code in `folder` does, or a package that it converts with. The code itself
 * is hashed, for a version that people have to raise is forgotten.
 */
export function fingerprintOf(folder: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  for (const file of files.toSorted())
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(folder, file)));
  for (const name of PACKAGES) hash.update(`${name}@${versionOf(name)}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** The version in the package's own package.json, which not every package lets through its exports. */
function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const found = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        name?: string;
        version?: string;
      };
      if (found.name === name && found.version !== undefined) return found.version;
    } catch {
      // No package.json here: it is further up.
    }
  }
  return "unknown";
}
