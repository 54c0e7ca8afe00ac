/** Tags that were looked at already: a crawl meets the same few in every URL. Bounded, for pages say anything. */
const MAX_REMEMBERED = 2_000;

/** A language of two or three letters, with a script, a region, or both: `en`, `pt-br`, `zh_CN`, `zh-Hans-CN`, `es-419`. */
const TAG = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?$/i;

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const segments = new Map<string, string | undefined>();

/**
 * The language tag that a segment of a path is, such as `pt-BR` for `pt-br`; undefined for what is none. A language is one
 * that Intl has the conventions of, which leaves `/go/`, `/api/` and `/js/` out. Codes of three letters count only with a
 * script or a region (`fil-PH`), since too many are words: `bin`, `man`, `new`, `lua`. What remains are languages whose code
 * is a word as well: `/is/`, `/it/`, `/ml/`, `/my/`, `/no/`, `/os/`, `/to/`.
 */
export function languageOfSegment(segment: string): string | undefined {
  if (segment.length > "zh-hans-cn".length || segment.length < 2) return undefined;
  if (segments.has(segment)) return segments.get(segment);
  if (segments.size >= MAX_REMEMBERED) segments.clear();
  const tag = readSegment(segment);
  segments.set(segment, tag);
  return tag;
}

function readSegment(segment: string): string | undefined {
  const [, language = "", script, region] = TAG.exec(segment) ?? [];
  const isBare = script === undefined && region === undefined;
  if (language === "" || (isBare && language.length > 2)) return undefined;
  if (Intl.DateTimeFormat.supportedLocalesOf(language).length === 0) return undefined;
  if (region !== undefined && regionNames.of(region.toUpperCase()) === undefined) return undefined;
  return localeOf(segment)?.toString();
}

/** The locale that a tag means; undefined when it is none. Underscores pass for dashes, as in `zh_CN`. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag.trim().replaceAll("_", "-"));
  } catch {
    return undefined;
  }
}

/** Whether a text can be listed as a language: a well-formed tag whose language has a name. */
export function isLanguageRange(text: string): boolean {
  const locale = localeOf(text);
  return (
    locale !== undefined &&
    new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(locale.language) !== undefined
  );
}

/**
 * What says whether a language tag is within one of these ranges: `en` takes `en` and `en-US`; `pt-BR` takes `pt-BR`, and
 * `pt`, which is likely Brazilian, and not `pt-PT`. A tag that is none is within all, for it says nothing.
 * Source: RFC 4647 section 3.3.2, held against tags with their likely subtags added.
 */
export function compileLanguages(ranges: readonly string[]): (tag: string) => boolean {
  const wanted = ranges.map((range) => localeOf(range)).filter((locale) => locale !== undefined);
  const judged = new Map<string, boolean>();
  return (tag) => {
    const known = judged.get(tag);
    if (known !== undefined) return known;
    const locale = localeOf(tag)?.maximize();
    const takes =
      locale === undefined ||
      wanted.some(
        ({ language, script, region }) =>
          language === locale.language &&
          (script === undefined || script === locale.script) &&
          (region === undefined || region === locale.region),
      );
    if (judged.size >= MAX_REMEMBERED) judged.clear();
    judged.set(tag, takes);
    return takes;
  };
}
