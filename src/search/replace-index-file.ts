import { renameSync, rmSync } from "node:fs";

/**
 * Puts an index that is closed in the place of another, which other processes may have open: they go on reading the old one
 * until they see that the file is another, which they look for at each question. The old one's log must be gone before the new
 * one is there, for SQLite would read it as the new one's.
 */
export function replaceIndexFile(file: string, made: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  renameSync(made, file);
}
