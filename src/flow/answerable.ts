import type { Passage } from "../domain/chunk.ts";
import type { Doubt } from "./queries.ts";
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
 * PostgreSQL: of 49 questions about other things 45 are refused, of 259 that it answers 5, three of them with the right page
 * named.
 */
const LEAST_SHARE = 0.6;
const LEAST_SHARE_OF_TWO = 0.5;
/** Of what was found for a few of its words only, nearly all have to be there. */
const LEAST_SHARE_OF_WEAK = 0.8;
/** With a name that nothing speaks of, more has to be there. */
const LEAST_SHARE_WITHOUT_A_NAME = 0.8;
/** Passages among which the one that answers is looked for. */
const LOOKED_AT = 6;
/**
 * Where the best passage has a lower score, what was found is near in a word or two. Of 234 questions on Python and PostgreSQL
 * all for which the right page was found are above, and of 32 on other things 27 are below.
 */
const WEAK_SCORE = 0.165;

/** Whether what was found is about the question. */
export interface Verdict {
  readonly isAnswered: boolean;
  /** Nothing found has more than a little of what was looked for, whether it can be judged by words or not. */
  readonly isWeak: boolean;
  /** Words of the question, as written, that stand in nothing that was found. */
  readonly missing: readonly string[];
}

/**
 * Judges what was found by the question's own words: a search gives the nearest there is, and for a question about something
 * else that is near in a word or two. What cannot be judged by its words, such as one word or a question in another language,
 * is judged by its score alone.
 * @param passages best first; a word is missing when it is in none of them.
 * @param sources what the sources are called: a page on Python does not say on each page that it is about Python.
 */
export function judge(question: string, passages: readonly Passage[], sources: Iterable<string>): Verdict {
  const written = question.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const isEnglish = written.some((word) => ENGLISH.has(word.toLowerCase()));
  const words = tellingWords(written);
  const ofSources = new Set(wordsOf(sources));
  const texts = passages.map(({ title, headings, content }) => [title, ...headings, content].join("\n").toLowerCase());
  const absentFrom = (some: readonly string[]): readonly Telling[] =>
    words.filter((word) => !some.some((text) => holds(text, word)));
  const missing = absentFrom(texts).map(({ word }) => word);
  const isWeak = Math.max(0, ...passages.map(({ score }) => score)) < WEAK_SCORE;
  if (words.length < 2) return { isAnswered: !isWeak || missing.length === 0, isWeak, missing };

  const best = texts.slice(0, LOOKED_AT);
  const share = Math.max(0, ...best.map((text) => words.filter((word) => holds(text, word)).length / words.length));
  if (isWeak || !isEnglish) {
    return { isAnswered: share > (isWeak ? LEAST_SHARE_OF_WEAK : 0), isWeak, missing };
  }
  const names = absentFrom(best).filter(({ isName, word }) => isName && !ofSources.has(word.toLowerCase()));
  const isAnswered =
    (words.length === 2 ? share >= LEAST_SHARE_OF_TWO : share > LEAST_SHARE) &&
    (names.length === 0 || share > LEAST_SHARE_WITHOUT_A_NAME);
  return { isAnswered, isWeak, missing };
}

function wordsOf(texts: Iterable<string>): readonly string[] {
  return [...texts].flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

/** Passages that are looked at for a word before it is called missing. */
export const JUDGED = 20;
const MAX_MISSING = 5;
const MAX_WORD_CHARS = 60;

/** What is to be said of a search; undefined when something of what it found may answer. @param page what was found first. */
export function doubtOf(
  question: string,
  ranked: Iterable<Ranked>,
  page: readonly Ranked[],
  sources: Iterable<string>,
): Doubt | undefined {
  const first = judge(question, passagesOf(page), sources);
  if (page.length === 0 || (first.isAnswered && !first.isWeak)) return undefined;
  const { isAnswered, isWeak, missing } = judge(question, passagesOf(pageOf(ranked, 0, JUDGED, false).page), sources);
  if (isAnswered && !isWeak) return undefined;
  return isWeak || missing.length > 0 ? { silentOn: shownWords(missing) } : undefined;
}

/** As many as are told to a reader, none of them long. */
export function shownWords(missing: readonly string[]): readonly string[] {
  return missing.slice(0, MAX_MISSING).map((word) => word.slice(0, MAX_WORD_CHARS));
}

/** A word of the question as it is written, and how it may begin in a text. */
interface Telling {
  readonly word: string;
  readonly stems: readonly string[];
  /** Then it stands as a whole word: `Redis` is not in "redistribution". */
  readonly isName: boolean;
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
  return [...words.values()].map((word) =>
    isName(word, written[0])
      ? { word, stems: namesOf(word), isName: true }
      : { word, stems: stemsOf(word), isName: false },
  );
}

/** `Kafka`, `useEffect`, `S3`; not the word that begins the question, or a title in it: `Python: Converting times`. */
function isName(word: string, first: string | undefined): boolean {
  return (
    /\p{Lu}/u.test(word.slice(1)) || (/^\p{Lu}/u.test(word) && word !== first && !/(?:ing|ed|[iy][sz]e)$/.test(word))
  );
}

/** Whether a text in lower case has a word that begins as this one does: `indexes` for `indexing`. */
function holds(text: string, { stems, isName }: Telling): boolean {
  return stems.some((stem) => beginsAWord(text, stem, isName));
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

function beginsAWord(text: string, stem: string, isWhole: boolean): boolean {
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    const isBegun = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
    if (isBegun && (!isWhole || /^(?:s?(?![\p{L}])|$)/u.test(text.slice(at + stem.length, at + stem.length + 2))))
      return true;
  }
  return false;
}

/** What the forms of a word have in common, roughly. */
function stemOf(word: string): string {
  if (word.length <= 4) return word;
  return word.slice(0, Math.max(4, word.length - (word.length > 6 ? 3 : 2)));
}
