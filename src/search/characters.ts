/** What a UTF-16 code unit is to the scanner. */
const OTHER = 1;
export const WORD = 2;
/** Of a script that is written without spaces between words. */
export const UNSPACED = 3;
export const SPACE = 4;
export const OPERATOR = 5;

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}々〆ー]/u;

/** 0 where a code unit was never met. */
const CLASSES = new Uint8Array(0x10000);

/** The class of the code unit at `i`, which must be in the text. */
export function classAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  const known = CLASSES[code] ?? 0;
  if (known !== 0) return known;
  if (code >= 0xd800 && code <= 0xdfff) return classOfPair(text, i, code);
  const found = classOf(String.fromCharCode(code));
  CLASSES[code] = found;
  return found;
}

/** Where the word that goes on at `from` ends. */
export function wordEnd(text: string, from: number): number {
  let i = from;
  for (;;) {
    const known = CLASSES[text.charCodeAt(i)];
    if (known === WORD) i++;
    else if (known === 0 && i < text.length && classAt(text, i) === WORD) i++;
    else return i;
  }
}

/** Half of a surrogate pair is what the whole character is. */
function classOfPair(text: string, i: number, code: number): number {
  const point = code < 0xdc00 ? text.codePointAt(i) : text.codePointAt(i - 1);
  return point === undefined || point < 0x10000 ? OTHER : classOf(String.fromCodePoint(point));
}

function classOf(character: string): number {
  if (UNSPACED_SCRIPTS.test(character)) return UNSPACED;
  if (/[\p{L}\p{M}\p{N}_]/u.test(character)) return WORD;
  if (/[\s`"'()[\]{},;]/.test(character)) return SPACE;
  return /[-+*/%=<>!&|^~?:@#$.]/.test(character) ? OPERATOR : OTHER;
}

/** Whether a term is of a script that is written without spaces. */
export function isUnspaced(term: string): boolean {
  return UNSPACED_SCRIPTS.test(term);
}
