/** How many characters of English and code a token has, on average. Measured on documentation; it is on the safe side. */
const CHARACTERS_PER_TOKEN = 3.6;
/** Cyrillic, Greek, Arabic and the like take more tokens, and a character of Chinese, Japanese or Thai takes about one. */
const CHARACTERS_PER_TOKEN_BEYOND_LATIN = 2;
const BEYOND_LATIN = /[\u0370-\u0dff]/g;
const WIDE = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;
const NOT_LATIN = /[\u0370-\uffff]/;

/** About how many tokens a model makes of a text. */
export function tokensOf(text: string): number {
  if (!NOT_LATIN.test(text)) return text.length / CHARACTERS_PER_TOKEN;
  const beyond = count(text, BEYOND_LATIN);
  const wide = count(text, WIDE);
  return (text.length - beyond - wide) / CHARACTERS_PER_TOKEN + beyond / CHARACTERS_PER_TOKEN_BEYOND_LATIN + wide;
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found++;
  return found;
}
