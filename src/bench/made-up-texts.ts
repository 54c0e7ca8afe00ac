/** A passage that is made up, and always the same for the same number. */
export interface MadeUpPassage {
  readonly title: string;
  readonly heading: string;
  readonly content: string;
}

export const PASSAGES_OF_A_DOCUMENT = 10;

/** Words in one passage: with them a passage has about 1,200 characters. */
const WORDS = 185;
const VOCABULARY = 500_000;
/** The word of rank r is drawn in proportion to 1 / (r + OFFSET) ^ EXPONENT. Source: Mandelbrot's form of Zipf's law. */
const OFFSET = 2.7;
const EXPONENT = 1.12;
/** A document draws this share of its words from some of its own, which it shares with others on its subject. */
const OWN_WORDS = 40;
const OWN_SHARE = 0.25;
const SUBJECTS = 2_000;
const WORDS_OF_A_SUBJECT = 150;
/** Of a hundred words so many are names in code, such as `kita_losur`. */
const NAME_SHARE = 0.03;
const NAMES = 12;

const COMMON =
  "the of to and a in is that for it as be this with are on or by an can from not if you will use when at which all has have other value set one any may also only there then but file into more each name do how what your see these where up so we type used using".split(
    " ",
  );
const SYLLABLES = [..."bdfgklmnprstvz"].flatMap((consonant) => [..."aeiou"].map((vowel) => consonant + vowel));

/** The words that documents of a number have, drawn as often as words are in languages. @param number of the passage, from 0. */
export function madeUpPassage(number: number): MadeUpPassage {
  const document = Math.floor(number / PASSAGES_OF_A_DOCUMENT);
  const own = ownWords(document);
  const random = randomNumbers(number * 2 + 1);
  const word = (): string => (random() < OWN_SHARE ? pick(own, random() ** 2) : wordOf(zipfRank(random())));
  const sentences: string[] = [];
  for (let words = 0; words < WORDS;) {
    const length = 6 + Math.floor(random() * 14);
    const sentence = Array.from({ length }, () =>
      random() < NAME_SHARE ? nameOf(own, Math.floor(random() * NAMES)) : word(),
    ).join(" ");
    sentences.push(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${random() < 0.25 ? "\n\n" : " "}`);
    words += length;
  }
  return {
    title: own.slice(0, 3).join(" "),
    heading: `${pick(own, random())} ${pick(own, random())}`,
    content: sentences.join("").trim(),
  };
}

/** Thirty of a hundred documents are of one source, the others of seventy sources. */
export function madeUpSource(document: number): string {
  const part = document % 100;
  return part < 30 ? "large" : `small-${part}`;
}

/** A question: so many words that stand next to each other in a passage. */
export function madeUpQuestion(number: number, words: number): string {
  const { content } = madeUpPassage(number);
  const all = content
    .replace(/[^a-z_\s]/gi, " ")
    .trim()
    .split(/\s+/);
  // A single word that holds a text together asks for nothing.
  const from = number % Math.max(1, all.length - words);
  const asked = all.slice(from, from + words);
  return words === 1 && COMMON.includes((asked[0] ?? "").toLowerCase())
    ? pick(ownWords(Math.floor(number / 10)), 0.5)
    : asked.join(" ");
}

function ownWords(document: number): readonly string[] {
  const subject = document % SUBJECTS;
  const random = randomNumbers(document * 2 + 2);
  return Array.from({ length: OWN_WORDS }, () => {
    const ofSubject = randomNumbers(
      (subject * WORDS_OF_A_SUBJECT + Math.floor(random() * WORDS_OF_A_SUBJECT)) * 2 + 1_000_001,
    );
    return wordOf(Math.floor(200 * (VOCABULARY / 200) ** ofSubject()));
  });
}

function nameOf(own: readonly string[], number: number): string {
  return `\`${own[number] ?? ""}_${own[number + 1] ?? ""}\``;
}

function pick(words: readonly string[], share: number): string {
  return words[Math.floor(share * words.length)] ?? "";
}

const POWER = 1 - EXPONENT;
const LOW = OFFSET ** POWER;
const HIGH = (VOCABULARY + OFFSET) ** POWER;

function zipfRank(share: number): number {
  return Math.floor((LOW + share * (HIGH - LOW)) ** (1 / POWER) - OFFSET);
}

const words: string[] = [];

/** Frequent words are short, as in languages. */
function wordOf(rank: number): string {
  const known = words[rank];
  if (known !== undefined) return known;
  let made = COMMON[rank] ?? "";
  if (made === "") {
    for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
      made += SYLLABLES[rest % SYLLABLES.length];
    made += "nrsl".charAt(rank % 4);
  }
  words[rank] = made;
  return made;
}

/** Numbers from 0 to below 1. Source: Mulberry32, public domain, by Tommy Ettinger. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
