/** A date stands at the beginning of a text of at most so many characters. */
const LONGEST = 80;

const ISO =
  /\b(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?(?![\d-])/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = `(${MONTHS.join("|")})[a-z]{0,6}`;
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "i");
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\.? ${MONTH}\\.?,? (\\d{4})\\b`, "i");

/**
 * The first date in a text in ISO 8601: a day, or a time in UTC when its zone is told; "" when there is none. Numbers parted by
 * slashes or dots are no date, for nobody can tell their day from their month.
 */
export function isoDate(text: string): string {
  const looked = text.slice(0, LONGEST);
  const iso = ISO.exec(looked);
  const monthFirst = MONTH_FIRST.exec(looked);
  const dayFirst = DAY_FIRST.exec(looked);
  const first = Math.min(...[iso, monthFirst, dayFirst].map((match) => match?.index ?? Infinity));
  if (iso?.index === first) return time8601(iso);
  if (monthFirst?.index === first) return day8601(monthFirst[3], monthOf(monthFirst[1]), Number(monthFirst[2]));
  return dayFirst === null ? "" : day8601(dayFirst[3], monthOf(dayFirst[2]), Number(dayFirst[1]));
}

function time8601([, year, month, day, hour, minute, second = "00", zone]: RegExpExecArray): string {
  const date = day8601(year, Number(month), Number(day));
  if (date === "" || hour === undefined || zone === undefined) return date;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : "Z";
  const time = new Date(`${date}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(time.getTime()) ? date : time.toISOString().replace(".000Z", "Z");
}

function monthOf(name = ""): number {
  return MONTHS.indexOf(name.toLowerCase()) + 1;
}

const EARLIEST_YEAR = 1980;
const LATEST_YEAR = 2199;

/** The day, if there is one; the zero of a template, 0001-01-01, is none. */
function day8601(year: string | undefined, month: number, day: number): string {
  const number = Number(year);
  if (number < EARLIEST_YEAR || number > LATEST_YEAR) return "";
  const date = new Date(Date.UTC(number, month - 1, day));
  const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere ? date.toISOString().slice(0, 10) : "";
}

const SAYING =
  /\b(?:last (?:updated?|modified|changed|edited|revised|reviewed|built)|(?:page|content) updated|updated|date modified)\b/i;

/** How far a date stands from the words that say what it is. */
const NEAR = 40;

/** The date in a line such as "This page was last updated on 3 May 2024". */
export function dateAfterWords(text: string): string {
  const words = SAYING.exec(text);
  if (words === null) return "";
  return isoDate(text.slice(words.index + words[0].length).slice(0, NEAR));
}
