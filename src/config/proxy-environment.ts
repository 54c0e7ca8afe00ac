import type { Proxy, ProxyRules } from "../domain/access.ts";
import { CarrelError } from "../domain/errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxies that an environment names: HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capitals or not; what is not in capitals
 * counts first, as in curl.
 * @throws CarrelError `config` for what is no http or https URL; the message does not repeat it, for it may hold a password.
 */
export function proxiesOf(environment: Environment): ProxyRules {
  return {
    http: proxyIn(environment, "HTTP_PROXY"),
    https: proxyIn(environment, "HTTPS_PROXY"),
    except: exceptionsOf(environment),
  };
}

function proxyIn(environment: Environment, variable: string): Proxy | undefined {
  const value = (environment[variable.toLowerCase()] ?? environment[variable] ?? "").trim();
  if (value === "") return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "") {
    throw new CarrelError(
      "config",
      `The environment's ${variable} is no http or https URL of a proxy, and no other kind is supported; change it, or write proxy: none in the pipeline.`,
    );
  }
  const { username, password } = url;
  return {
    url: `${url.protocol}//${url.host}/`,
    authorization: username === "" ? undefined : basicAuthorization(decoded(username), decoded(password)),
  };
}

/** The value of an Authorization header for a user and a password. Source: RFC 7617 section 2. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function exceptionsOf(environment: Environment): readonly string[] {
  return (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
    .split(/[,\s]/)
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== "");
}
