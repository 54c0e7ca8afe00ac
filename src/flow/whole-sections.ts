import type { Chunk, Passage } from "../domain/chunk.ts";
import type { QueryPorts } from "./queries.ts";
import { jsonLength } from "./excerpt.ts";
import type { Ranked } from "./ranked-passages.ts";

/** Passages that are completed: those further down are rather there for the choice. */
const MAX_COMPLETED = 2;
/** A longer section is not given unasked. */
const MAX_SECTION_CHARS = 5_000;

/**
 * Completes the best passages to the sections that they are cut from, where the room allows: a passage from the middle of a
 * section begins with what it takes for known, and the next one may hold the example. Others of such a section that are
 * further down become part of it.
 * @param room characters as JSON that the passages may take besides what they take now.
 */
export function completeSections(
  corpus: Pick<QueryPorts["corpus"], "chunks">,
  page: readonly Ranked[],
  room: number,
): readonly Ranked[] {
  const completed: Ranked[] = [];
  const absorbed = new Set<Ranked>();
  let left = room;
  for (const [i, ranked] of page.entries()) {
    if (absorbed.has(ranked)) continue;
    const chunks = i < MAX_COMPLETED ? corpus.chunks(ranked.passage.parent) : [];
    const section = sectionAround(chunks, ranked);
    if (section === undefined || charsOf(chunks, section) > MAX_SECTION_CHARS) {
      completed.push(ranked);
      continue;
    }
    const others = page.filter((other) => !completed.includes(other) && isWithin(other, ranked, section));
    const ranges = others.map(rangeOf);
    const taken = ranges.reduce((sum, range) => sum + charsOf(chunks, range), 0);
    const together = { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
    const gaps = charsOf(chunks, together) - taken;
    if (gaps > left) {
      completed.push(ranked);
      continue;
    }
    for (const other of others) absorbed.add(other);
    const part = grown(chunks, together, section, left - gaps);
    left -= charsOf(chunks, part) - taken;
    completed.push(withChunks(ranked, chunks, part));
  }
  return completed;
}

/** A range within a section that takes as much more of it as there is room; what comes before explains more than what follows. */
function grown(chunks: readonly Chunk[], start: Range, section: Range, room: number): Range {
  let range = start;
  for (;;) {
    const wider = [
      { from: range.from - 1, to: range.to },
      { from: range.from, to: range.to + 1 },
    ].find(
      ({ from, to }) =>
        from >= section.from && to <= section.to && charsOf(chunks, { from, to }) - charsOf(chunks, start) <= room,
    );
    if (wider === undefined) return range;
    range = wider;
  }
}

function withChunks(ranked: Ranked, chunks: readonly Chunk[], range: Range): Ranked {
  const { id } = chunks[range.from] ?? ranked.passage;
  const passage: Passage = { ...ranked.passage, id, ordinal: range.from, content: contentOf(chunks, range) };
  return { ...ranked, passage, chunks: range.to - range.from };
}

/** Places among the chunks of a document: the first, and the one after the last. */
interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeOf({ passage, chunks }: Ranked): Range {
  return { from: passage.ordinal, to: passage.ordinal + chunks };
}

function contentOf(chunks: readonly Chunk[], { from, to }: Range): string {
  return chunks
    .slice(from, to)
    .map(({ content }) => content)
    .join("\n\n");
}

/** As JSON. */
function charsOf(chunks: readonly Chunk[], range: Range): number {
  return jsonLength(contentOf(chunks, range));
}

/** The chunks around a passage that stand under the same headings; undefined when the document has changed meanwhile. */
function sectionAround(chunks: readonly Chunk[], ranked: Ranked): Range | undefined {
  let { from, to } = rangeOf(ranked);
  if (chunks[from]?.id !== ranked.passage.id) return undefined;
  const path = JSON.stringify(ranked.passage.headings);
  const isOfSection = (at: number): boolean => JSON.stringify(chunks[at]?.headings) === path;
  while (isOfSection(from - 1)) from--;
  while (isOfSection(to)) to++;
  return { from, to };
}

/** Itself, and other passages that lie in its section as a whole. */
function isWithin(other: Ranked, { passage }: Ranked, section: Range): boolean {
  const { from, to } = rangeOf(other);
  return other.passage.parent === passage.parent && from >= section.from && to <= section.to;
}
