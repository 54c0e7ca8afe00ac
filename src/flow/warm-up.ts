import type { Queries } from "./queries.ts";

/**
 * What is asked of documentation of all kinds, in few words and in many, with a slip and with a quotation: so that the parts of
 * a search have run, and the pages of the index that many searches read are in memory.
 */
const TYPICAL_QUERIES: readonly string[] = [
  "install",
  "configuration options",
  "how to read a file line by line",
  "what is the default value of the timeout and how can it be changed",
  "error handling",
  '"command line"',
  "create user",
  "defualt setings",
  "convert string to number",
  "list of all functions",
  "version",
  "how do I connect to a server with a password and check that the connection is still open",
];

/**
 * Asks a few queries whose answers nobody waits for: the first searches of a process take several times as long as later ones.
 * What comes in meanwhile is answered in between. Says nothing of errors, for whoever asks next is told.
 * @param rounds how often each is asked: a function that has run a few times only is still slow.
 */
export async function warmUp(queries: Pick<Queries, "searchDocuments">, rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const query of TYPICAL_QUERIES) {
      try {
        await queries.searchDocuments({ query });
      } catch {
        return;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
