import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** What lies below a root, as paths relative to it, sorted by code unit, so that two machines list it alike. */
export interface Listing {
  readonly files: readonly string[];
  /** Folders that cannot be read; each ends in a slash. */
  readonly unreadable: readonly string[];
  /** Symbolic links that lead out of the root, or nowhere. */
  readonly strayLinks: readonly string[];
}

/**
 * The files below a root. Hidden files and folders are left out. A symbolic link is followed only inside the root; a linked folder only when it is not among the
 * others under its own name, so that a cycle ends and no page is there twice.
 * @param root A real path.
 */
export async function listFiles(root: string): Promise<Listing> {
  const files: string[] = [];
  const unreadable: string[] = [];
  const strayLinks: string[] = [];
  const folders = [""];
  const walked = new Set<string>([root]);
  const linkedFolders: { path: string; target: string }[] = [];

  async function walk(): Promise<void> {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
        if (folder === "") throw error;
        unreadable.push(`${folder}/`);
        return [];
      });
      for (const entry of entries) {
        if (entry.name.startsWith(".")) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          walked.add(await realpath(join(root, path)));
          folders.push(path);
        } else if (entry.isFile()) {
          files.push(path);
        } else if (entry.isSymbolicLink()) {
          await follow(path);
        }
      }
    }
  }

  async function follow(path: string): Promise<void> {
    const target = await realpath(join(root, path)).catch(() => undefined);
    if (target === undefined || relative(root, target).split(sep)[0] === "..") {
      strayLinks.push(path);
      return;
    }
    const found = await stat(target);
    if (found.isFile()) files.push(path);
    else if (found.isDirectory()) linkedFolders.push({ path, target });
  }

  await walk();
  for (let link = linkedFolders.shift(); link !== undefined; link = linkedFolders.shift()) {
    if (walked.has(link.target)) continue;
    walked.add(link.target);
    folders.push(link.path);
    await walk();
  }
  return { files: files.sort(), unreadable: unreadable.sort(), strayLinks: strayLinks.sort() };
}
