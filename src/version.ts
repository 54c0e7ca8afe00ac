import { readFileSync } from "node:fs";

/** The version in package.json. */
export const VERSION = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;

/** Who asks, and where to complain: never a browser's name. @param contact a URL or e-mail address; "" for none. */
export function userAgent(contact: string): string {
  return contact === "" ? `Carrel/${VERSION}` : `Carrel/${VERSION} (+${contact})`;
}
