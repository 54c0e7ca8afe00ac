import { stemEnglish } from "./stemmer.ts";

/**
 * Words that writers of documentation and those who ask use for one thing. Only such as mean the same wherever software
 * is written about: a word of a group asks for the others too, for much less.
 */
const GROUPS: readonly string[] = [
  "folder directory",
  "delete remove erase unlink",
  "quit exit terminate",
  "concatenate join append",
  "trim strip",
  "dict dictionary mapping",
  "string str text",
  "integer int",
  "number numeric",
  "boolean bool",
  "character char letter",
  "env environment",
  "argument arg parameter param",
  "config configuration settings configure",
  "run execute launch",
  "regex regexp regular-expression",
  "database db",
  "function func callable",
  "multiple several many",
  "simultaneously concurrently parallel concurrent",
  "convert conversion transform cast parse",
  "create make new",
  "check test verify validate",
  "find search locate",
  "replace substitute",
  "copy duplicate clone",
  "error exception failure",
  "wait sleep delay pause",
  "begin start",
  "end finish stop",
  "fast speed performance quick",
  "size length",
  "list array sequence",
  "upper uppercase capital",
  "lower lowercase",
  "image picture",
  "password credential secret",
  "authentication login auth authenticate",
  "permission privilege access",
  "url link address uri",
  "web http internet",
  "download fetch retrieve",
  "install setup",
  "upgrade update",
  "disable turn-off",
  "enable turn-on",
  "show display print",
  "print output",
  "command shell",
  "documentation docs manual",
  "repository repo",
  "application app program",
  "memory ram",
  "timestamp epoch",
  "random shuffle",
  "round truncate",
  "combine merge",
  "combination permutation",
  "divide split",
  "unique distinct duplicate",
  "loop iterate iteration",
  "current present",
  "default standard",
  "max maximum largest",
  "min minimum smallest",
  "average mean",
  "async asynchronous",
  "sync synchronous",
  "gpu cuda",
  "cpu processor core",
];

const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = makeAlternatives();

/** Other terms for what a term says; none for most. */
export function alternatives(term: string): readonly string[] {
  return ALTERNATIVES.get(term) ?? [];
}

function makeAlternatives(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const group of GROUPS) {
    const terms = [...new Set(group.split(" ").map((word) => (word.includes("-") ? word : stemEnglish(word))))];
    for (const term of terms)
      all.set(
        term,
        [...new Set([...(all.get(term) ?? []), ...terms])].filter((t) => t !== term),
      );
  }
  return all;
}
