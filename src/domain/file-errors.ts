import { reasonOf } from "./errors.ts";

/** What the codes of the operating system mean, said of a file or folder. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  ENOTDIR: "a part of its path is a file, and no folder",
  EISDIR: "it is a folder, and no file",
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  ELOOP: "its symbolic links go in a circle",
  ENAMETOOLONG: "its name is too long",
  EIO: "the disk cannot be read",
};

/** Why a file or folder could not be read, for a message that names it; what is no error of a file is told as it is. */
export function fileReasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return MEANINGS[code] ?? reasonOf(thrown);
}
