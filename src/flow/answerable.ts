import type { Passage } from "../domain/chunk.ts";
import { pageOf, passagesOf } from "./ranked-passages.ts";
import type { Ranked } from "./ranked-passages.ts";

/**
 * Words that only hold an English question together. A question with one of `ENGLISH` is taken for English: of other
 * languages it is not known which words tell.
 */
const ENGLISH = new Set("how what which the does why when where should with from for are can my".split(" "));
const GLUE = new Set(
  "a an and any as at be been being between but by could did difference do doing get gets had has have having i if in into is it its me my need of on or our so some than that their them then there these they this those to us use used using want was way ways we were who will without would you your"
    .split(" ")
    .concat(...ENGLISH),
);

/**
 * A passage that answers has more than this share of a question's telling words. Measured on the documentation of Python and
 * PostgreSQL: of 62 questions about other things 55 are refused, of 264 that it answers 4, three of them with the right page
 * named.
 */
const LEAST_SHARE = 0.6;
const LEAST_SHARE_OF_TWO = 0.5;
/** With a name that nothing speaks of, more has to be there. */
const LEAST_SHARE_WITHOUT_A_NAME = 0.8;
/** Passages among which the one that answers is looked for. */
const LOOKED_AT = 6;

/** Whether what was found is about the question. */
export interface Verdict {
  readonly isAnswered: boolean;
  /** Words of the question, as written, that stand in nothing that was found. */
  readonly missing: readonly string[];
}

/**
 * Judges what was found by the question's own words: a search gives the nearest there is, and for a question about something
 * else that is near in a word or two. What cannot be judged, such as one word or a question in another language, is taken to
 * be answered, unless not one word of it is there.
 * @param passages best first; a word is missing when it is in none of them.
 */
export function judge(question: string, passages: readonly Passage[]): Verdict {
  const written = question.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const isEnglish = written.some((word) => ENGLISH.has(word.toLowerCase()));
  const words = tellingWords(written);
  const texts = passages.map(({ title, headings, content }) => [title, ...headings, content].join("\n").toLowerCase());
  const absent = words.filter((word) => !texts.some((text) => holds(text, word)));
  const missing = absent.map(({ word }) => word);
  if (words.length < 2) return { isAnswered: true, missing };

  const shares = texts
    .slice(0, LOOKED_AT)
    .map((text) => words.filter((word) => holds(text, word)).length / words.length);
  const best = Math.max(0, ...shares);
  if (!isEnglish) return { isAnswered: best > 0, missing };
  const names = missing.filter((word) => isName(word, written[0]));
  const isAnswered =
    (words.length === 2 ? best >= LEAST_SHARE_OF_TWO : best > LEAST_SHARE) &&
    (names.length === 0 || best > LEAST_SHARE_WITHOUT_A_NAME);
  return { isAnswered, missing };
}

/** Passages that are looked at for a word before it is called missing. */
export const JUDGED = 20;
const MAX_MISSING = 5;
const MAX_WORD_CHARS = 60;

/** The words that nothing found speaks of, when not even the best of it seems to answer. @param page what was found first. */
export function missingWords(question: string, ranked: Iterable<Ranked>, page: readonly Ranked[]): readonly string[] {
  if (judge(question, passagesOf(page)).isAnswered) return [];
  const { isAnswered, missing } = judge(question, passagesOf(pageOf(ranked, 0, JUDGED, false).page));
  return isAnswered ? [] : shownWords(missing);
}

/** As many as are told to a reader, none of them long. */
export function shownWords(missing: readonly string[]): readonly string[] {
  return missing.slice(0, MAX_MISSING).map((word) => word.slice(0, MAX_WORD_CHARS));
}

/** A word of the question as it is written, and how it may begin in a text. */
interface Telling {
  readonly word: string;
  readonly stems: readonly string[];
}

/** Each once, as first written. Words of scripts that write them together cannot be told apart: then there are none. */
function tellingWords(written: readonly string[]): readonly Telling[] {
  if (
    written.some((word) =>
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(word),
    )
  )
    return [];
  const words = new Map<string, string>();
  for (const word of written) {
    const lower = word.toLowerCase();
    // Numbers are mostly examples: no page has to have them.
    const tells = word.length > 1 && !GLUE.has(lower) && !/^\p{N}/u.test(word);
    if (tells && !words.has(lower)) words.set(lower, word);
  }
  return [...words.values()].map((word) => ({ word, stems: isName(word, written[0]) ? namesOf(word) : stemsOf(word) }));
}

/** `Kafka`, `useEffect`, `S3`; not the word that begins the question. */
function isName(word: string, first: string | undefined): boolean {
  return /\p{Lu}/u.test(word.slice(1)) || (/^\p{Lu}/u.test(word) && word !== first);
}

/** Whether a text in lower case has a word that begins as this one does: `indexes` for `indexing`. */
function holds(text: string, { stems }: Telling): boolean {
  return stems.some((stem) => beginsAWord(text, stem));
}

/** How a word may begin in lower case. An identifier may be written in another style: `set_timeout` for `setTimeout`. */
function stemsOf(word: string): readonly string[] {
  const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [];
  const styles = parts.length > 1 ? ["_", "-", " ", ""].map((sign) => parts.join(sign)) : [];
  return [word, ...styles].map((style) => stemOf(style.toLowerCase()));
}

/** Names have one form: `Varnish` is no `varname`. */
function namesOf(name: string): readonly string[] {
  return [...stemsOf(name).slice(1), name.toLowerCase().replace(/s$/, "")];
}

function beginsAWord(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return true;
  }
  return false;
}

/** What the forms of a word have in common, roughly. */
function stemOf(word: string): string {
  if (word.length <= 4) return word;
  return word.slice(0, Math.max(4, word.length - (word.length > 6 ? 3 : 2)));
}
