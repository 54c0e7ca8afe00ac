import type { CorpusReader } from "../domain/ports.ts";

/** The longest query that the contract allows, in characters. */
const MAX_QUERY_CHARACTERS = 500;

/** About so many questions made of a corpus' own titles and headings: questions that have answers, on any site. */
export function corpusQuestions(corpus: CorpusReader, count: number): readonly string[] {
  const changes = corpus.changesSince(0, count * 5);
  const all = changes.flatMap((change) =>
    change.kind === "document" ? [[change.title, change.chunks.at(-1)?.headings.at(-1) ?? ""].join(" ")] : [],
  );
  const every = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, i) => i % every === 0).map((query) => query.slice(0, MAX_QUERY_CHARACTERS));
}
