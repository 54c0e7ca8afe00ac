/** Longer addresses than this are made by programs that went astray; browsers and caches give up near it too. */
const MAX_URL_LENGTH = 2_000;
/** No documentation is nested deeper. */
const MAX_PATH_SEGMENTS = 30;
/** A segment this often in a row, or a sequence of segments one time less, is a relative link that feeds on itself. */
const MAX_REPEATS = 4;
const LONGEST_SEQUENCE = 5;

/** Why a URL looks like one of endlessly many; undefined when it does not. */
export function trapOf(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH) return `longer than ${MAX_URL_LENGTH} characters`;
  const start = url.indexOf("/", "https://".length);
  if (start === -1) return undefined;
  const end = url.search(/[?#]/);
  const segments = url.slice(start + 1, end === -1 ? undefined : end).split("/");
  if (segments.length > MAX_PATH_SEGMENTS) return `more than ${MAX_PATH_SEGMENTS} path segments`;
  for (let length = 1; length <= LONGEST_SEQUENCE; length++) {
    const repeats = length === 1 ? MAX_REPEATS : MAX_REPEATS - 1;
    if (repeatsInARow(segments, length) >= repeats) return "a path that repeats itself";
  }
  return undefined;
}

/** How often a sequence of this many segments comes in a row, at the most. */
function repeatsInARow(segments: readonly string[], length: number): number {
  let most = 1;
  let equal = 0;
  for (let i = length; i < segments.length; i++) {
    equal = segments[i] !== "" && segments[i] === segments[i - length] ? equal + 1 : 0;
    most = Math.max(most, 1 + Math.floor(equal / length));
  }
  return most;
}

/** Session ids that servers write into links for visitors without cookies: each visit would find a new site. */
const SESSION_PATH = /;(?:jsessionid|phpsessid|sid)=[^/?#;]{0,200}/i;
const SESSION_PARAMETER = /^(?:jsessionid|phpsessid|aspsessionid\w{0,20}|cfid|cftoken|sid|sessid|session_?id)$/i;

/** The URL without a session id. */
export function withoutSession(url: string): string {
  if (!/sess|cfid|cftoken|[;?&]sid=/i.test(url)) return url;
  const bare = new URL(url.replace(SESSION_PATH, ""));
  const names = [...bare.searchParams.keys()].filter((name) => SESSION_PARAMETER.test(name));
  for (const name of names) bare.searchParams.delete(name);
  return bare.href;
}
