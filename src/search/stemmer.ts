/**
 * The stem of an English word, so that "indexes", "indexed" and "indexing" meet. Takes one word in lower case, of the
 * letters a to z only; gives a string that is for comparing, not for reading.
 * Source: the Porter2 algorithm as the Snowball project defines it for English, without its apostrophe step, for words
 * reach it without apostrophes.
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const special = EXCEPTIONS.get(word);
  if (special !== undefined) return special;
  const marked = markConsonantY(word);
  const r1 = firstRegion(marked);
  const r2 = regionAfter(marked, r1);

  let stem = step1a(marked);
  if (KEPT_AFTER_PLURAL.has(stem)) return stem;
  stem = step1b(stem, r1);
  if (
    stem.length > 2 &&
    (endsWithLetter(stem, SMALL_Y) || endsWithLetter(stem, LARGE_Y)) &&
    !isVowel(stem, stem.length - 2)
  )
    stem = `${stem.slice(0, -1)}i`;
  stem = step2(stem, r1);
  stem = step3(stem, r1, r2);
  stem = step4(stem, r2);
  stem = step5(stem, r1, r2);
  return stem.toLowerCase();
}

const EXCEPTIONS = new Map<string, string>([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((same): [string, string] => [same, same]),
]);

const KEPT_AFTER_PLURAL = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "proceed",
  "exceed",
  "succeed",
]);

const SMALL_Y = 0x79;
const LARGE_Y = 0x59;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

/** Ending → replacement. Longer endings stand first, for the longest that matches decides. */
const STEP2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["fulness", "ful"],
  ["iveness", "ive"],
  ["ization", "ize"],
  ["ousness", "ous"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["tional", "tion"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ation", "ate"],
  ["entli", "ent"],
  ["fulli", "ful"],
  ["iviti", "ive"],
  ["ousli", "ous"],
  ["abli", "able"],
  ["alli", "al"],
  ["anci", "ance"],
  ["ator", "ate"],
  ["enci", "ence"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];

const STEP3: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["ative", ""],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const STEP2_BY_LAST = byLastLetter(STEP2);
const STEP3_BY_LAST = byLastLetter(STEP3);

type Endings = readonly (readonly [ending: string, replacement: string])[];

/** Most words end in a letter that no ending of a step does. */
function byLastLetter(endings: Endings): ReadonlyMap<number, Endings> {
  const last = ([ending]: readonly [string, string]): number => ending.charCodeAt(ending.length - 1);
  return new Map(endings.map((each) => [last(each), endings.filter((other) => last(other) === last(each))]));
}

function findEnding(word: string, endings: ReadonlyMap<number, Endings>): readonly [string, string] | undefined {
  const possible = endings.get(word.charCodeAt(word.length - 1));
  if (possible === undefined) return undefined;
  for (const each of possible) if (word.endsWith(each[0])) return each;
  return undefined;
}

const LAST_OF_STEP4 = /[celmnirst]/;
const STEP4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

/** A y that stands for a consonant becomes Y: at the start, and after a vowel. */
function markConsonantY(word: string): string {
  if (!word.includes("y")) return word;
  let marked = "";
  for (let i = 0; i < word.length; i++) {
    const letter = word.charAt(i);
    const before = marked.charAt(i - 1);
    marked += letter === "y" && (i === 0 || VOWELS.has(before)) ? "Y" : letter;
  }
  return marked;
}

function firstRegion(word: string): number {
  for (const prefix of ["gener", "commun", "arsen"]) if (word.startsWith(prefix)) return prefix.length;
  return regionAfter(word, 0);
}

/** Where the part after the first non-vowel that follows a vowel begins. */
function regionAfter(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) {
    if (!isVowel(word, i) && isVowel(word, i - 1)) return i + 1;
  }
  return word.length;
}

const VOWELS: ReadonlySet<string> = new Set("aeiouy");
const IS_VOWEL = new Uint8Array(128);
for (const vowel of VOWELS) IS_VOWEL[vowel.charCodeAt(0)] = 1;

function isVowel(word: string, at: number): boolean {
  return IS_VOWEL[word.charCodeAt(at)] === 1;
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true;
  return false;
}

function endsWithLetter(word: string, letter: number): boolean {
  return word.charCodeAt(word.length - 1) === letter;
}

function step1a(word: string): string {
  if (!word.endsWith("s") && !word.endsWith("ied")) return word;
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (word.endsWith("us") || word.endsWith("ss")) return word;
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  if (!word.endsWith("d") && !word.endsWith("g") && !word.endsWith("ly")) return word;
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed !== null) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (ending === null) return word;
  const rest = word.slice(0, ending.index);
  if (!hasVowel(rest, rest.length)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLE.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

function endsInShortSyllable(word: string): boolean {
  return /(?:^|[^aeiouy])[aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word);
}

function step2(word: string, r1: number): string {
  const found = findEnding(word, STEP2_BY_LAST);
  if (found === undefined) return word;
  const at = word.length - found[0].length;
  if (at < r1) return word;
  if (found[0] === "ogi" && word.charAt(at - 1) !== "l") return word;
  if (found[0] === "li" && !/[cdeghkmnrt]/.test(word.charAt(at - 1))) return word;
  return word.slice(0, at) + found[1];
}

function step3(word: string, r1: number, r2: number): string {
  const found = findEnding(word, STEP3_BY_LAST);
  if (found === undefined) return word;
  const at = word.length - found[0].length;
  if (at < (found[0] === "ative" ? r2 : r1)) return word;
  return word.slice(0, at) + found[1];
}

function step4(word: string, r2: number): string {
  if (word.length <= r2 || !LAST_OF_STEP4.test(word.charAt(word.length - 1))) return word;
  const found = STEP4.exec(word);
  if (found === null || found.index < r2) return word;
  if (found[0] === "ion" && !/[st]/.test(word.charAt(found.index - 1))) return word;
  return word.slice(0, found.index);
}

function step5(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  if (word.endsWith("e") && (last >= r2 || (last >= r1 && !endsInShortSyllable(word.slice(0, -1))))) {
    return word.slice(0, -1);
  }
  return word.endsWith("ll") && last >= r2 ? word.slice(0, -1) : word;
}
