import type { Passage } from "../domain/chunk.ts";
import { excerpt, jsonLength } from "./excerpt.ts";
import { fairShares } from "./fair-shares.ts";
import type { FoundPassage, QueryPorts, SearchAnswer } from "./queries.ts";

/** More of one document crowds out the others. */
const MAX_PASSAGES_OF_A_DOCUMENT = 2;
/** A passage cut to less than this says too little: the last ones are left out instead. */
const LEAST_PASSAGE_CHARS = 1_200;
/** Room for what a surface says at the end of a cut passage, and of those that were left out. */
const CUT_NOTE_CHARS = 150;
const LEFT_OUT_NOTE_CHARS = 900;

/**
 * The best passages for a query, best first: at most two of one document, and no two that read the same. Reads more hits
 * than asked for, because some are dropped.
 */
export async function bestPassages(
  { corpus, index }: Pick<QueryPorts, "corpus" | "index">,
  query: string,
  pageSize: number,
): Promise<readonly Passage[]> {
  const perDocument = new Map<number, number>();
  const hits = (await index.search(query, pageSize * (MAX_PASSAGES_OF_A_DOCUMENT + 1))).filter((hit) => {
    const count = (perDocument.get(hit.documentId) ?? 0) + 1;
    perDocument.set(hit.documentId, count);
    return count <= MAX_PASSAGES_OF_A_DOCUMENT;
  });
  const found: Passage[] = [];
  const contents = new Set<string>();
  for (let at = 0; at < hits.length && found.length < pageSize;) {
    const batch = hits.slice(at, at + pageSize - found.length);
    at += batch.length;
    for (const passage of corpus.passages(batch)) {
      if (contents.has(passage.content)) continue;
      contents.add(passage.content);
      found.push(passage);
    }
  }
  return found;
}

/**
 * Keeps a search reply within a budget of JSON characters. Each passage gets a fair share: short ones stay whole, long ones
 * are cut, and when that leaves too little of each, the last ones are left out.
 */
export function fitPassages(found: readonly Passage[], maxChars: number): SearchAnswer {
  const sizes = found.map((passage) => frameChars(passage) + jsonLength(passage.content));
  if (sum(sizes) + '{"results":[]}'.length <= maxChars) {
    return { passages: found.map((passage) => ({ ...passage, omittedChars: 0 })), leftOut: [] };
  }
  const room = maxChars - LEFT_OUT_NOTE_CHARS;
  let kept = found.length;
  let shares = fairShares(sizes, room);
  while (kept > 1 && shares.some((share, i) => share < LEAST_PASSAGE_CHARS && share < (sizes[i] ?? 0))) {
    kept--;
    shares = fairShares(sizes.slice(0, kept), room);
  }
  const passages = found.slice(0, kept).map((passage, i): FoundPassage => {
    const share = shares[i] ?? 0;
    if (share === sizes[i]) return { ...passage, omittedChars: 0 };
    const piece = excerpt(passage.content, 0, Math.max(share - frameChars(passage) - CUT_NOTE_CHARS, 1));
    return { ...passage, content: piece.text, omittedChars: passage.content.length - piece.end };
  });
  return { passages, leftOut: found.slice(kept) };
}

/** What a passage takes in the reply besides its content. */
function frameChars({ parent, id }: Passage): number {
  return JSON.stringify({ parent, id, content: "" }).length + ",".length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
