import { NAME_PREFIX } from "../domain/document.ts";

/**
 * The names under which a document may be kept when somebody asks for `name`: as asked, then without parameters, with the
 * other ending (`.md`, `.html`, none), then the same with or without `www.`; likeliest first, the asked one among them.
 */
export function documentSpellings(name: string): readonly string[] {
  const rest = name.slice(NAME_PREFIX.length);
  const queryAt = rest.indexOf("?");
  const whole = queryAt === -1 ? rest : rest.slice(0, queryAt);
  const slash = whole.indexOf("/");
  const host = slash === -1 ? whole : whole.slice(0, slash);
  const path = slash === -1 ? "" : whole.slice(slash);

  const otherHost = host.startsWith("www.") ? host.slice("www.".length) : `www.${host}`;
  const paths = [rest.slice(host.length), path, ...otherEndings(path)];
  const names = [host, otherHost].flatMap((host) => paths.map((path) => NAME_PREFIX + host + path));
  return [...new Set(names)];
}

function otherEndings(path: string): readonly string[] {
  if (path === "") return [];
  const base = path.replace(/\.(?:md|html?)$/, "");
  const folder = base.replace(/\/(?:index|README)$/, "");
  return [base, `${base}.html`, `${base}.md`, `${base}.htm`, folder];
}
