/** Names that sites give to versions in their paths. */
const NAMES = new Set(
  "latest stable current next dev devel develop main master trunk canary nightly unstable lts".split(" "),
);

/** `v1`, `1.2`, `v1.2.x`, `1.2.3-rc.1`, `3.13-dev`, `release-1.2`, `version-2`. A bare number is none, nor `release-notes`. */
const NUMBERED =
  /^(?:v\d{1,5}|v?\d{1,5}(?:\.(?:\d{1,5}|x)){1,4})(?:[-_.]?(?:alpha|beta|rc|dev|pre|snapshot)[-_.]?\d{0,5})?$/i;
const RELEASE = /^(?:releases?|version)[-_]v?\d[\w.-]{0,40}$/i;

/** Chapters and issues have up to three digits, years four. */
const BARE = /^(?:(\d{1,3})|(\d{4}))$/;

/**
 * What finds the version in a path: the first segment that looks like one. A bare number (`/15/`) is taken for a version
 * only where one of the listed is a bare number, and a year (`/2024/`) only where a year is listed: elsewhere these are
 * chapters, pages and dates.
 * @param listed the versions that are wanted.
 */
export function compileVersions(listed: readonly string[]): {
  /** @param segments of a path. @returns undefined when none is a version. */
  versionIn(segments: readonly string[]): string | undefined;
  /** Whether it is one of the listed, in any case, with or without its `v`. */
  isListed(version: string): boolean;
} {
  const wanted = new Set(listed.map(plain));
  const bare = listed.map((version) => BARE.exec(version));
  const takesNumbers = bare.some((match) => match?.[1] !== undefined);
  const takesYears = bare.some((match) => match?.[2] !== undefined);
  const looksLikeVersion = (segment: string): boolean => {
    if (segment === "" || segment.length > 60) return false;
    const number = BARE.exec(segment);
    if (number !== null) return number[1] === undefined ? takesYears : takesNumbers;
    return (
      NAMES.has(segment.toLowerCase()) || NUMBERED.test(segment) || RELEASE.test(segment) || wanted.has(plain(segment))
    );
  };
  return {
    versionIn: (segments) => segments.find(looksLikeVersion),
    isListed: (version) => wanted.has(plain(version)),
  };
}

function plain(version: string): string {
  return version.toLowerCase().replace(/^v(?=\d)/, "");
}
