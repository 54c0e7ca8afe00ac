/** The archives that are read, by what is in them. */
export type ArchiveFormat = "zip" | "tar" | "tar.gz" | "warc" | "warc.gz";

/** By the end of the file's name, longer ones first. A Java archive is a zip by another name. */
const FORMATS: readonly (readonly [ending: string, format: ArchiveFormat])[] = [
  [".tar.gz", "tar.gz"],
  [".tgz", "tar.gz"],
  [".tar", "tar"],
  [".warc.gz", "warc.gz"],
  [".warc", "warc"],
  [".zip", "zip"],
  [".jar", "zip"],
];

/** What to do about archives that are not read. */
const ADVICE: readonly (readonly [ending: string, advice: string])[] = [
  [
    ".zim",
    'it takes a native library to read one. Unpack it, such as with "zimdump dump --dir=DIR FILE", and list DIR as a folder',
  ],
  [".wacz", "it is a zip of WARC files. Unpack it, and list one of the files in its folder archive/"],
  [".tar.xz", 'recompress it, such as with "xz -dc FILE | gzip >FILE.tar.gz"'],
  [".txz", 'recompress it, such as with "xz -dc FILE | gzip >FILE.tar.gz"'],
  [".tar.zst", 'recompress it, such as with "zstd -dc FILE | gzip >FILE.tar.gz"'],
  [".tar.bz2", 'recompress it, such as with "bzip2 -dc FILE | gzip >FILE.tar.gz"'],
  [".tbz2", 'recompress it, such as with "bzip2 -dc FILE | gzip >FILE.tar.gz"'],
];

const READ = ".zip, .jar, .tar, .tar.gz, .tgz, .warc and .warc.gz";

/** What a file is by its name. @returns why it is not read, for those that are not. */
export function archiveFormat(path: string): ArchiveFormat | { readonly refusal: string } {
  const name = path.toLowerCase();
  const known = FORMATS.find(([ending]) => name.endsWith(ending));
  if (known !== undefined) return known[1];
  const [ending, advice] = ADVICE.find(([end]) => name.endsWith(end)) ?? [];
  const own = ending === undefined ? "" : `; ${ending} is not: ${advice}`;
  return { refusal: `archives that are read end in ${READ}${own}.` };
}

/** Whether what is in an archive of this format has URLs of its own. */
export function isWarc(format: ArchiveFormat): boolean {
  return format === "warc" || format === "warc.gz";
}
