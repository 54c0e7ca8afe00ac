/**
 * What no reader sees and what only breaks search: soft hyphens, zero-width spaces, empty Hangul letters, byte order marks, controls, bidirectional
 * overrides and isolates (they can make code read as what it is not), and tag characters (they can hide instructions).
 * ZWNJ, ZWJ and the LRM and RLM marks stay, for Persian, Indic scripts and emoji mean something by them. A flag emoji is
 * spelt with tag characters: the first alternative lets it through.
 */
const INVISIBLE =
  /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}|[\u{0}-\u{8}\u{b}\u{e}-\u{1f}\u{7f}\u{ad}\u{115f}\u{1160}\u{180e}\u{200b}\u{2060}-\u{2064}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{3164}\u{feff}\u{ffa0}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/** Spaces of a typographic width; the ideographic space is none of them. */
const ODD_SPACES = /[\u{a0}\u{2000}-\u{200a}\u{202f}\u{205f}]/gu;

const NOT_PLAIN = /[^\t\n\r\u{20}-\u{7e}]/u;

/** Text without what is invisible, and with plain spaces. Linear in the text. */
export function cleanText(text: string): string {
  if (!NOT_PLAIN.test(text)) return text;
  return withoutInvisible(text).replace(ODD_SPACES, " ");
}

/** Text without what is invisible, and with all of its spaces. Linear in the text. */
export function withoutInvisible(text: string): string {
  if (!NOT_PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, (found) => (found.length > 4 ? found : ""));
}

const WHITESPACE_RUN = /[ \t\n\r\f]+/g;
/** Most texts are clean and laid out already, and are spared being written anew. */
const NOT_LAID_OUT = /[^\u{20}-\u{7e}]| {2}/u;

/** Text as HTML lays it out in a line: runs of whitespace are one space. */
export function collapse(text: string): string {
  return NOT_LAID_OUT.test(text) ? cleanText(text).replace(WHITESPACE_RUN, " ") : text;
}
