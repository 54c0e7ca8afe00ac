import type { Passage } from "../domain/chunk.ts";
import { excerpt, jsonLength } from "./excerpt.ts";
import { fairShares } from "./fair-shares.ts";
import { originLink } from "./origin.ts";
import type { FoundPassage, FurtherSections } from "./queries.ts";

/** A passage cut to less than this says too little: the last ones are left out instead. */
const LEAST_PASSAGE_CHARS = 1_200;
/** Room for what a surface says at the end of a cut passage, and of those that were left out. */
const CUT_NOTE_CHARS = 150;
const LEFT_OUT_NOTE_CHARS = 900;
/** Room for the reply itself and the token of the next page. */
const REPLY_FRAME_CHARS = 200;
/** Room for what a surface says of one document whose further sections it names. */
const FURTHER_NOTE_CHARS = 160;

/** Room for what a surface says when nothing that was found may answer. */
export const DOUBT_NOTE_CHARS = 500;

/** Whether passages fit whole into a search reply of so many JSON characters. */
export function fits(found: readonly Passage[], maxChars: number, frameChars: (passage: Passage) => number): boolean {
  return roomLeft(found, maxChars, frameChars) >= 0;
}

/** The characters as JSON that a search reply with these passages leaves; less than 0 when they do not fit. */
export function roomLeft(
  found: readonly Passage[],
  maxChars: number,
  frameChars: (passage: Passage) => number,
): number {
  return maxChars - sum(sizesOf(found, frameChars)) - REPLY_FRAME_CHARS;
}

/** What naming further sections takes of a search reply. */
export function furtherChars(further: readonly FurtherSections[]): number {
  return sum(further.map((sections) => jsonLength(JSON.stringify(sections)) + FURTHER_NOTE_CHARS));
}

/**
 * Keeps a search reply within a budget of JSON characters. Each passage gets a fair share: short ones stay whole, long ones
 * are cut, and when that leaves too little of each, the last ones are left out. Gives those that are kept, in order.
 * @param frameChars what a passage takes in the reply besides its content.
 */
export function fitPassages(
  found: readonly Passage[],
  maxChars: number,
  frameChars: (passage: Passage) => number,
): readonly FoundPassage[] {
  if (fits(found, maxChars, frameChars)) return found.map((passage) => ({ ...passage, omittedChars: 0 }));
  const sizes = sizesOf(found, frameChars);
  const room = maxChars - LEFT_OUT_NOTE_CHARS;
  let kept = found.length;
  let shares = fairShares(sizes, room);
  while (kept > 1 && shares.some((share, i) => share < LEAST_PASSAGE_CHARS && share < (sizes[i] ?? 0))) {
    kept--;
    shares = fairShares(sizes.slice(0, kept), room);
  }
  return found.slice(0, kept).map((passage, i): FoundPassage => {
    const share = shares[i] ?? 0;
    if (share === sizes[i]) return { ...passage, omittedChars: 0 };
    const piece = excerpt(passage.content, 0, Math.max(share - frameChars(passage) - CUT_NOTE_CHARS, 1));
    return { ...passage, content: piece.text, omittedChars: passage.content.length - piece.end };
  });
}

/**
 * What the contract's fields of a passage take besides its content, and the line that says where it is from; with `verbose`
 * the fields that say so.
 */
export function frameChars(verbose: boolean): (passage: Passage) => number {
  return ({ parent, id, title, uri, headings, score }) => {
    const origin = verbose ? "" : `${originLink({ title, uri, headings })}\n\n`;
    const extra = verbose && { title, uri, headings, score };
    return JSON.stringify({ parent, id, content: origin, ...extra }).length + ",".length;
  };
}

function sizesOf(found: readonly Passage[], frameChars: (passage: Passage) => number): readonly number[] {
  return found.map((passage) => frameChars(passage) + jsonLength(passage.content));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
