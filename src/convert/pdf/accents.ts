import type { Run } from "./pdf-text.ts";

/** The accents that TeX's older fonts print as signs of their own before a letter, and what Unicode puts behind it. */
const COMBINING: Readonly<Record<string, string>> = {
  "´": "\u{301}",
  "`": "\u{300}",
  "¨": "\u{308}",
  ˆ: "\u{302}",
  "^": "\u{302}",
  "˜": "\u{303}",
  "¯": "\u{304}",
  "˘": "\u{306}",
  "˙": "\u{307}",
  "˚": "\u{30a}",
  "˝": "\u{30b}",
  ˇ: "\u{30c}",
};

const ACCENT_AND_LETTER = /([´`¨ˆ^˜¯˘˙˚˝ˇ])(ı|ȷ|\p{L})/gu;
const ENDS_WITH_ACCENT = /[´`¨ˆ^˜¯˘˙˚˝ˇ]$/;
/** These are quotes and signs as well: within a word alone they are accents. */
const AMBIGUOUS = /[`^]/;

/** Text in which accents are on their letters: `Biblioth`eque` is `Bibliothèque`, and `c©` the sign that TeX draws of both. */
export function withAccents(text: string): string {
  return text
    .replace(ACCENT_AND_LETTER, (found: string, accent: string, letter: string, at: number) => {
      if (AMBIGUOUS.test(accent) && !/\p{L}/u.test(text.charAt(at - 1))) return found;
      const base = letter === "ı" ? "i" : letter === "ȷ" ? "j" : letter;
      const composed = `${base}${COMBINING[accent] ?? ""}`.normalize("NFC");
      // A letter that has no such accent only stands behind a sign.
      return composed.length === 1 ? composed : found;
    })
    .replace(/([cCsStT])¸/g, (_found, letter: string) => `${letter}\u{327}`.normalize("NFC"))
    .replace(/\bc©/g, "©");
}

/** Runs of a line with their accents on their letters: an accent may end one run, and its letter begin the next. */
export function accented(runs: readonly Run[]): readonly Run[] {
  if (!runs.some(({ text }) => HAS_SIGN.test(text))) return runs;
  const out = runs.map((run) => ({ ...run }));
  for (const [i, run] of out.entries()) {
    const next = out[i + 1];
    if (run.mono) continue;
    const accent = ENDS_WITH_ACCENT.exec(run.text)?.[0];
    const isTogether = next !== undefined && !next.mono && next.x - run.right < run.size / 10;
    if (accent !== undefined && isTogether && /^(?:ı|\p{L})/u.test(next.text)) {
      // A run of the letter before lets the sign be told from a quote.
      const before = run.text.length > 1 ? (run.text.at(-2) ?? "") : (out[i - 1]?.text.at(-1) ?? "");
      const joined = withAccents(`${before}${accent}${next.text}`);
      if (!joined.startsWith(`${before}${accent}`)) {
        next.text = joined.slice(before.length);
        run.text = run.text.slice(0, -1);
      }
    }
    run.text = withAccents(run.text);
  }
  return out.filter(({ text }) => text !== "");
}

const HAS_SIGN = /[´`¨ˆ^˜¯˘˙˚˝ˇ¸©]/;
