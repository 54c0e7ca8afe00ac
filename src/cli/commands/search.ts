import { Command } from "commander";
import type { QueryReading } from "../../domain/chunk.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../flow/queries.ts";
import { CarrelError } from "../../domain/errors.ts";
import { withoutText } from "../../flow/reading.ts";
import { action, withCommonFlags, type Context } from "../context.ts";

/** `carrel search QUERY` */
export function searchCommand(): Command {
  const command = new Command("search")
    .description("find passages, best first")
    .argument("<query...>", "a question, or an exact name; quotes are not needed")
    .option("--limit <n>", "how many passages, at most 100", String(DEFAULT_PAGE_SIZE))
    .option("--source <name>", "only documents of this source: its id, title or host")
    .option("--filter <expression>", "only documents for which this holds, such as 'content_length_bytes < 20000'");
  return withCommonFlags(command).action(action(search));
}

/** What was made of the query where it was not taken as it is written. */
function notes(reading: QueryReading): readonly string[] {
  const { corrected, relaxed, nearest } = reading;
  const without = withoutText(reading);
  return [
    ...corrected.map(
      ({ written, taken }) => `${JSON.stringify(written)} stands nowhere; ${JSON.stringify(taken)} was looked for.`,
    ),
    ...relaxed.map((phrase) => `No passage has ${JSON.stringify(phrase)} word for word; its words were looked for.`),
    ...(without === "" ? [] : [without]),
    ...(nearest.length === 0 ? [] : [`Words that are written like yours: ${nearest.join(", ")}.`]),
  ];
}

interface SearchFlags {
  readonly limit: string;
  readonly source?: string;
  readonly filter?: string;
}

async function search({ app, output }: Context, words: readonly string[], flags: SearchFlags): Promise<number> {
  if (!/^\d{1,3}$/.test(flags.limit) || Number(flags.limit) < 1 || Number(flags.limit) > MAX_PAGE_SIZE) {
    throw new CarrelError(
      "invalid",
      `"${flags.limit}" is no number of passages; give --limit a whole number from 1 to ${MAX_PAGE_SIZE}.`,
    );
  }
  using reading = app.openReading();
  const query = words.join(" ");
  const { source = "", filter = "" } = flags;
  const request = { query, pageSize: Number(flags.limit), source, filter, maxChars: Number.POSITIVE_INFINITY };
  const { passages, reading: taken } = await reading.queries.searchDocuments(request);
  output.result({ results: passages }, passages.length === 0 ? [] : lines(passages));
  for (const note of notes(taken)) output.info(note);
  if (passages.length === 0) output.info(`Nothing in the corpus matches ${JSON.stringify(query)}.`);
  return 0;

  function* lines(found: typeof passages): Iterable<string> {
    for (const [i, passage] of found.entries()) {
      if (i > 0) yield "";
      yield `${i + 1}. ${[passage.title, ...passage.headings].join(" > ")}`;
      yield `   ${passage.parent}  (${passage.uri})`;
      yield "";
      yield passage.content;
    }
  }
}
