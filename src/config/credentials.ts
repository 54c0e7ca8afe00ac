import type { Login, OpenedAccess, ProxyRules, ReferenceFinding, SecretReference } from "../domain/access.ts";
import { CarrelError, reasonOf } from "../domain/errors.ts";
import { fetchUrl, type Source, type WebSource } from "../domain/source.ts";
import { basicAuthorization, proxiesOf, type Environment } from "./proxy-environment.ts";
import { readSecret, referenceText } from "./secret.ts";
import { openTls } from "./tls-files.ts";

/** Shorter texts stand in pages for other reasons, and are not taken out of them. */
const SHORTEST_REMOVED = 8;
/** What a header can hold as it is. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/**
 * Makes what reads the secrets of a source, when its crawl begins.
 * @param warn is told once of each file that others can read.
 */
export function createAccessReader(
  warn: (message: string) => void,
  environment: Environment = process.env,
): (source: WebSource) => OpenedAccess {
  const warned = new Set<string>();
  return (source) =>
    openAccess(source, environment, (warning) => {
      if (!warned.has(warning)) warn(warning);
      warned.add(warning);
    });
}

/** @throws CarrelError `config` that names every secret and file that is not there, and repeats none. */
function openAccess(source: WebSource, environment: Environment, warn: (message: string) => void): OpenedAccess {
  const { access = {} } = source;
  const { auth = {} } = access;
  const problems: string[] = [];
  const secrets = new Set<string>();

  function read(key: string, reference: SecretReference): string {
    const secret = readSecret(reference, environment);
    if ("missing" in secret) {
      problems.push(`${key}: ${secret.missing}`);
      return "";
    }
    if (secret.warning !== undefined) warn(secret.warning);
    for (const form of formsOf(secret.value)) secrets.add(form);
    return secret.value;
  }

  function headerValue(key: string, reference: SecretReference): string {
    const value = read(key, reference);
    if (!PRINTABLE.test(value)) problems.push(`${key}: what ${referenceText(reference)} holds is no plain ASCII`);
    return value;
  }

  function basic(key: string, { user, password }: Login): string {
    const name = typeof user === "string" ? user : read(`${key}.user`, user);
    const value = basicAuthorization(name, read(`${key}.password`, password));
    secrets.add(value.slice("Basic ".length));
    return value;
  }

  const headers: Record<string, string> = {};
  for (const [name, reference] of Object.entries(auth.headers ?? {})) {
    headers[name.toLowerCase()] = headerValue(`auth.headers.${name}`, reference);
  }
  if (auth.bearer !== undefined) headers["authorization"] = `Bearer ${headerValue("auth.bearer", auth.bearer)}`;
  if (auth.basic !== undefined) headers["authorization"] = basic("auth.basic", auth.basic);
  const cookies = Object.entries(auth.cookies ?? {}).map(([name, reference]) => {
    const value = headerValue(`auth.cookies.${name}`, reference);
    if (value.includes(";")) problems.push(`auth.cookies.${name}: what it holds is more than the value of one cookie`);
    return `${name}=${value}`;
  });
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ");

  const authorization = access.proxyAuth === undefined ? undefined : basic("proxyAuth", access.proxyAuth);
  const proxies = proxiesFor(access.proxy, authorization, environment);
  for (const proxy of [proxies.http, proxies.https]) {
    if (proxy?.authorization !== undefined) secrets.add(proxy.authorization.slice("Basic ".length));
  }
  const { keyPassphrase } = access.tls ?? {};
  const passphrase = keyPassphrase === undefined ? undefined : read("tls.keyPassphrase", keyPassphrase);
  const tls = openTls(access.tls, passphrase, environment, problems, warn);
  if (problems.length > 0) throw new CarrelError("config", problems.join("; "));
  return {
    proxies,
    tls,
    headers,
    origins: new Set(auth.origins ?? ownOrigins(source)),
    secrets: [...secrets],
  };
}

/** Where the source is fetched from. The public site of a mirror is none of them, for it is another's. */
function ownOrigins({ seeds, aliases }: WebSource): readonly string[] {
  return [...seeds.map((seed) => fetchUrl(aliases, seed)), ...aliases.map(({ fetch }) => fetch)].map(
    (url) => new URL(url).origin,
  );
}

function proxiesFor(
  proxy: string | undefined,
  authorization: string | undefined,
  environment: Environment,
): ProxyRules {
  if (proxy === "none") return { http: undefined, https: undefined, except: [] };
  if (proxy !== undefined) {
    const own = { url: proxy, authorization };
    return { http: own, https: own, except: [] };
  }
  const found = proxiesOf(environment);
  if (authorization === undefined) return found;
  const { http, https, except } = found;
  return {
    http: http === undefined ? undefined : { ...http, authorization },
    https: https === undefined ? undefined : { ...https, authorization },
    except,
  };
}

/** How a server may repeat a secret in a page or an address. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST_REMOVED) return [];
  const html = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = html.replaceAll('"', "&quot;").replaceAll("'", "&#39;");
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), html, quoted, json];
}

/** Says of each reference of these sources whether what it leads to is there; tells no secret. */
export function findReferences(
  sources: readonly Source[],
  environment: Environment = process.env,
): readonly ReferenceFinding[] {
  return sources.flatMap((source) => (source.kind === "web" ? findingsOf(source, environment) : []));
}

function findingsOf(source: WebSource, environment: Environment): readonly ReferenceFinding[] {
  const found = referencesOf(source).map(([key, reference]): ReferenceFinding => {
    const secret = readSecret(reference, environment);
    const isThere = "value" in secret;
    const says = !isThere ? secret.missing : (secret.warning ?? "it is there");
    return { source: source.id, key, reference: referenceText(reference), ok: isThere, says };
  });
  return found.every(({ ok }) => ok) ? [...found, ...filesOf(source, environment)] : found;
}

function referencesOf({ access = {} }: WebSource): readonly (readonly [key: string, SecretReference])[] {
  const { auth = {}, proxyAuth, tls = {} } = access;
  const login = (key: string, one: Login | undefined): (readonly [string, SecretReference])[] => {
    if (one === undefined) return [];
    const user = typeof one.user === "string" ? [] : [[`${key}.user`, one.user] as const];
    return [...user, [`${key}.password`, one.password]];
  };
  const single = (key: string, one: SecretReference | undefined): (readonly [string, SecretReference])[] =>
    one === undefined ? [] : [[key, one]];
  const all = (key: string, some: Readonly<Record<string, SecretReference>> = {}) =>
    Object.entries(some).map(([name, one]) => [`${key}.${name}`, one] as const);
  return [
    ...login("proxyAuth", proxyAuth),
    ...single("tls.keyPassphrase", tls.keyPassphrase),
    ...single("auth.bearer", auth.bearer),
    ...login("auth.basic", auth.basic),
    ...all("auth.headers", auth.headers),
    ...all("auth.cookies", auth.cookies),
  ];
}

/** Whether the files of `tls` can be used. */
function filesOf(source: WebSource, environment: Environment): readonly ReferenceFinding[] {
  const { ca, cert, key } = source.access?.tls ?? {};
  const files = [ca, cert, key].filter((file) => file !== undefined);
  if (files.length === 0) return [];
  const warnings: string[] = [];
  let says = "they can be used";
  let ok = true;
  try {
    openAccess(source, environment, (warning) => warnings.push(warning));
  } catch (error) {
    ok = false;
    says = reasonOf(error);
  }
  return [
    {
      source: source.id,
      key: "tls",
      reference: files.map((file) => `file ${file}`).join(", "),
      ok,
      says: warnings[0] ?? says,
    },
  ];
}
