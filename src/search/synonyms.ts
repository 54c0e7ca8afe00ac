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
  "dict dictionary",
  "string str text",
  "integer int",
  "boolean bool",
  "character char letter",
  "env environment",
  "argument arg parameter param",
  "config configuration settings configure",
  "run execute launch",
  "regex regexp",
  "database db",
  "function func callable",
  "multiple several",
  "simultaneously concurrently parallel",
  "convert transform cast parse",
  "create make",
  "check verify validate",
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
  "uppercase upper capital",
  "lowercase lower",
  "image picture",
  "password credential secret",
  "authentication login auth authenticate",
  "permission privilege access",
  "url uri",
  "download fetch retrieve",
  "install setup",
  "upgrade update",
  "show display print",
  "print output",
  "documentation docs manual",
  "repository repo",
  "application app program",
  "memory ram",
  "timestamp epoch",
  "combine merge",
  "divide split",
  "unique distinct",
  "loop iterate iteration",
  "maximum max largest",
  "minimum min smallest",
  "asynchronous async",
  "synchronous sync",
  "cpu processor",
];

const ALTERNATIVES: ReadonlyMap<string, readonly string[]> = makeAlternatives();

/** Other terms for what a term says; none for most. */
export function alternatives(term: string): readonly string[] {
  return ALTERNATIVES.get(term) ?? [];
}

function makeAlternatives(): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  for (const group of GROUPS) {
    const terms = [...new Set(group.split(" ").map(stemEnglish))];
    for (const term of terms)
      all.set(
        term,
        [...new Set([...(all.get(term) ?? []), ...terms])].filter((t) => t !== term),
      );
  }
  return all;
}
