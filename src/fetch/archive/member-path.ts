import { posix } from "node:path";
import type { Omitted } from "./omitted.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The name of a member, of which archives keep the bytes. Undefined when they are not UTF-8. */
export function memberName(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The path of a member below the root of its archive, without a slash at either end; "" is the root itself. What would lead out
 * of a folder that one unpacks it into is refused, though nothing is unpacked: it is the sign of an attack, and has no URL.
 */
export function memberPath(name: string): { readonly path: string } | { readonly refused: Omitted } {
  if (name.includes("\uFFFD")) return { refused: "encoding" };
  // Absolute paths, drives of Windows and its separators, and what ends a path early.
  // oxlint-disable-next-line no-control-regex
  if (/^(?:\/|[A-Za-z]:)|[\\\u0000]/.test(name)) return { refused: "outside" };
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.includes("..") ? { refused: "outside" } : { path: segments.join("/") };
}

/** Whether a path is of what folders hide, or a Mac put beside it. */
export function isHidden(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith(".") || segment === "__MACOSX");
}

/** Links that lead to links are followed this far: past it they go in a circle. Linux has the same number. */
const MAX_LINKS = 40;

/**
 * Where a link in an archive leads in the end: to the path of a file that is there; undefined when to none, or out of it.
 * @param links targets by the paths of the links, both below the root of the archive.
 */
export function followLink(
  path: string,
  links: ReadonlyMap<string, string>,
  isFile: (path: string) => boolean,
): string | undefined {
  let here: string | undefined = path;
  for (let i = 0; i < MAX_LINKS && here !== undefined; i++) {
    if (isFile(here)) return here;
    here = links.get(here);
  }
  return undefined;
}

/** What a symbolic link at a path means by its text; undefined when it leads out. */
export function linkTarget(path: string, text: string): string | undefined {
  const target = memberPath(posix.normalize(posix.join(posix.dirname(path), text)));
  return text.startsWith("/") || "refused" in target ? undefined : target.path;
}
