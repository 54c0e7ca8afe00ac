import type { Logger } from "../../domain/ports.ts";

/** Why something in an archive is left out, as the end of "3 members are left out: …". */
export const OMITTED = {
  outside: "their paths lead out of the archive",
  encoding: "their names are not UTF-8",
  link: "they are links that lead out of the archive, to nothing or to a folder",
  device: "they are devices, pipes or of a kind that is not known",
  duplicate: "another one of the same name comes after them",
  archive: "they are archives themselves, and are not opened",
  status: "the site answered with an error",
  revisit: "they repeat captures that are not in this file",
  segment: "they are parts of captures that were split",
  unreadable: "they hold no answer of HTTP",
} as const;

export type Omitted = keyof typeof OMITTED;

/** Counts what of an archive is left out. */
export interface OmissionTally {
  add(why: Omitted, example: string): void;
  /** One line for each reason, with the number and the first example. */
  say(logger: Logger, id: string): void;
}

export function tallyOmissions(): OmissionTally {
  const tally = new Map<Omitted, { count: number; readonly example: string }>();
  return {
    add(why, example) {
      const found = tally.get(why);
      if (found === undefined) tally.set(why, { count: 1, example });
      else found.count++;
    },
    say(logger, id) {
      for (const [why, { count, example }] of tally) {
        const members = count === 1 ? "1 member is" : `${count} members are`;
        logger.warn(`${id}: ${members} left out: ${OMITTED[why]}, such as ${printable(example)}`);
      }
    },
  };
}

/** A stranger's name, for a terminal: no control characters, and not too long. */
export function printable(name: string): string {
  return name.slice(0, 200).replaceAll(/\p{C}/gu, "\uFFFD");
}
