/**
 * Spellings of Arabic that readers take for one: no vowel signs and no stretching, one alef, one yeh, one heh; and the
 * article and its prefixed particles are taken off, as in the light stemming of Larkey, Ballesteros and Connell (2002).
 */
export function normaliseArabic(word: string): string {
  let plain = word
    .replace(/[\u064b-\u065f\u0670\u0640]/g, "")
    .replace(/[\u0622\u0623\u0625\u0671]/g, "\u0627")
    .replace(/\u0649/g, "\u064a")
    .replace(/\u0629/g, "\u0647");
  for (const prefix of [
    "\u0648\u0627\u0644",
    "\u0628\u0627\u0644",
    "\u0643\u0627\u0644",
    "\u0641\u0627\u0644",
    "\u0627\u0644",
    "\u0644\u0644",
    "\u0648",
  ]) {
    const least = prefix.length === 1 ? 3 : 2;
    if (plain.startsWith(prefix) && plain.length - prefix.length >= least) {
      plain = plain.slice(prefix.length);
      break;
    }
  }
  for (const suffix of [
    "\u0647\u0627",
    "\u0627\u0646",
    "\u0627\u062a",
    "\u0648\u0646",
    "\u064a\u0646",
    "\u064a\u0647",
    "\u0647",
    "\u064a",
  ]) {
    if (plain.endsWith(suffix) && plain.length - suffix.length >= 2) plain = plain.slice(0, -suffix.length);
  }
  return plain;
}

/**
 * A Hindi word without its ending, which says number, case and tense; the nukta and the two signs of nasal vowels are taken
 * for spellings of one thing.
 * Source: the suffixes of Ramanathan and Rao, A Lightweight Stemmer for Hindi (2003).
 */
export function stemHindi(word: string): string {
  const plain = word.replace(/\u093c/g, "").replace(/\u0901/g, "\u0902");
  for (const suffixes of HINDI_SUFFIXES) {
    for (const suffix of suffixes) {
      if (plain.length > suffix.length + 1 && plain.endsWith(suffix)) return plain.slice(0, -suffix.length);
    }
  }
  return plain;
}

/** Longest first. */
const HINDI_SUFFIXES: readonly (readonly string[])[] = [
  "ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयों ाइयां",
  "ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियों ियां",
  "ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं",
  "कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ां ों ें",
  "ो े ू ु ी ि ा",
].map((suffixes) => suffixes.split(" "));
