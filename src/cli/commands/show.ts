import { Command } from "commander";
import { CarrelError } from "../../domain/errors.ts";
import { action, withCommonFlags, type Context } from "../context.ts";

/** `carrel show NAME` */
export function showCommand(): Command {
  const command = new Command("show")
    .description("print documents as Markdown")
    .argument(
      "<name...>",
      "names of documents (documents/docs.python.org/3.11/library/os.html), or the URLs of their pages",
    );
  return withCommonFlags(command).action(action(show));
}

/** The nearest of them, in a message. */
const SECTIONS_NAMED = 5;

async function show({ app, output }: Context, names: readonly string[]): Promise<number> {
  using reading = app.openReading();
  const request = { names, maxChars: Number.POSITIVE_INFINITY };
  const { documents, failures } = await reading.queries.getDocuments(request);
  const texts = documents.map(({ title, uri, content }) => `# ${title}\n\n<${uri}>\n\n${content}`);
  if (documents.length > 0 || failures.length === 0) output.result({ documents }, [texts.join("\n\n---\n\n")]);
  for (const { name, unknownFragment, sections = [] } of documents) {
    if (unknownFragment === undefined) continue;
    const known = sections.length === 0 ? "" : ` Sections there are: ${sections.slice(0, SECTIONS_NAMED).join(", ")}.`;
    output.warn(`${name} has no section #${unknownFragment}; this is all of it.${known}`);
  }
  const [first, ...others] = failures;
  if (first === undefined) return 0;
  for (const { error } of others) output.warn(error.message);
  const nearest = first.nearest.length === 0 ? "" : `\nNearest: ${first.nearest.join(", ")}`;
  throw new CarrelError(first.error.code, first.error.message + nearest);
}
