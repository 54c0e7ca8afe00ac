import { createQueries } from "../../../src/flow/query.ts";
import type { Queries } from "../../../src/flow/queries.ts";
import { memoryCorpus, SMALL_PAGES, SMALL_TITLES } from "../../server/support/memory-corpus.ts";

/** Names that client libraries have to encode, each in its own way. */
export const ODD_NAMES = [
  "documents/wiki.example/view?page=7",
  "documents/wiki.example/c++/operator",
  "documents/wiki.example/gr%C3%B6%C3%9Fe",
  "documents/wiki.example/a%2Fb",
  "documents/wiki.example/a:b@c,d;e=f",
  "documents/wiki.example",
] as const;

/** A corpus with odd names and enough pages for paging. */
export function oddQueries(): Queries {
  const odd = ODD_NAMES.map((name) => ({
    uri: name.replace("documents/", "https://"),
    title: name,
    content: `What is kept as ${name}: größe 🙂.`,
  }));
  const many = Array.from({ length: 23 }, (_, i) => ({
    uri: `https://many.example/${i}`,
    content: `heron number ${i}`,
  }));
  return createQueries(memoryCorpus([...SMALL_PAGES, ...odd, ...many], SMALL_TITLES));
}
