import type { LocalReader, Logger } from "../domain/ports.ts";
import { createArchiveReader } from "./archive/archive-reader.ts";
import { createFolderReader } from "./folder.ts";

const SILENT: Logger = { info() {}, warn() {} };

/** Makes what reads folders and archives. */
export function createLocalReader(logger: Logger = SILENT): LocalReader {
  const folders = createFolderReader(logger);
  const archives = createArchiveReader(logger);
  return {
    list: (source) => (source.kind === "folder" ? folders.list(source) : archives.list(source)),
    read: (source, frontier, signal) =>
      source.kind === "folder" ? folders.read(source, frontier, signal) : archives.read(source, frontier, signal),
  };
}
