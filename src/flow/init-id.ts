/** Labels of hosts that say only that there is documentation, or a site. */
const SAYS_NOTHING = /^(?:www\d?|docs?|documentation|developers?|help|support|api|learn|manual|wiki|en)$/;
/** Hosts on which the first label, or the first directory, is the project. */
const BY_LABEL =
  /\.(?:readthedocs\.io|readthedocs-hosted\.com|gitbook\.io|netlify\.app|pages\.dev|vercel\.app|web\.app)$/;
const BY_DIRECTORY = /^(?:[\w-]+\.(?:github|gitlab)\.io|docs\.rs)$/;
const VERSION = /^v?\d+(?:\.\w+)*$/i;

/** A name for a source: short, and told by its address: `python-3.11` for https://docs.python.org/3.11/. */
export function idOfSite(url: string): string {
  const { hostname, pathname } = new URL(url);
  const segments = pathname
    .split("/")
    .filter((segment) => segment !== "" && !/\.\w+$/.test(segment.replace(VERSION, "")));
  const [directory = ""] = segments;
  const project =
    BY_DIRECTORY.test(hostname) && directory !== "" && !VERSION.test(directory) ? directory : labelOf(hostname);
  const version = segments.find((segment) => VERSION.test(segment)) ?? "";
  return tidy(version === "" ? project : `${project}-${version}`);
}

function labelOf(hostname: string): string {
  if (/^[\d.]+$|:|^\[/.test(hostname) || hostname === "localhost") return "local";
  const labels = hostname.split(".");
  if (BY_LABEL.test(hostname)) return labels[0] ?? hostname;
  const telling = labels.slice(0, -1).filter((label) => !SAYS_NOTHING.test(label));
  // Of go.dev the whole: "go" alone could be anything.
  if (telling.length === 0) return hostname;
  return (telling[0] ?? "").length < 3
    ? labels.slice(labels.indexOf(telling[0] ?? "")).join(".")
    : (telling[0] ?? hostname);
}

/** A name for the source of a folder: of the likeliest of its names, the last that says something. */
export function idOfFolder(folder: string): string {
  const names = folder.split(/[/\\]/).filter((name) => name !== "");
  const telling = names.findLast(
    (name) => !/^(?:html|doc|docs|share|usr|build|_build|site|public|dist|output|api)$/i.test(name),
  );
  return tidy((telling ?? names.at(-1) ?? "local").replace(/-docs?(?=-\d|$)/, ""));
}

/** As an id has to be. */
function tidy(name: string): string {
  const id = name
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]{1,100}/, "");
  return id.replace(/-{1,100}$/, "") || "local";
}
