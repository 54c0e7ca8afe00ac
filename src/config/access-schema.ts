import { dirname, resolve } from "node:path";
import { z } from "zod";
import type { Access, Credentials, Login, SecretReference, TlsRules } from "../domain/access.ts";

/** What to write in place of a secret. A message never repeats what was written: it may be the secret. */
const HOW = "write { env: NAME } for an environment variable, or { file: path } for a file that holds it";

/** A variable's name as POSIX has it; what is none may be a secret in its place. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,200}$/;

const reference = z.unknown().transform((value, context): SecretReference => {
  const problem = referenceProblem(value);
  if (problem === undefined) return value as SecretReference;
  context.addIssue(problem);
  return z.NEVER;
});

function referenceProblem(value: unknown): string | undefined {
  if (value === undefined || value === null) return `a secret is missing; ${HOW}.`;
  if (typeof value !== "object" || Array.isArray(value)) {
    return `a secret may not stand in a pipeline; ${HOW}.`;
  }
  const keys = Object.keys(value);
  const [key = ""] = keys;
  if (keys.length !== 1 || (key !== "env" && key !== "file")) {
    return `expected one of the keys env and file: ${HOW}.`;
  }
  const named: unknown = (value as Record<string, unknown>)[key];
  if (typeof named !== "string" || named === "") return `"${key}" must be a text; ${HOW}.`;
  if (key === "file") return named.includes("\0") ? "this is no path of a file." : undefined;
  if (!VARIABLE.test(named)) {
    return "expected the name of an environment variable (letters, digits and underscores), not its value.";
  }
  return named.startsWith("CARREL_")
    ? `${named} cannot hold a secret: variables that begin with CARREL_ are settings of the program; give it another name.`
    : undefined;
}

/** A user may stand in a pipeline, unlike a password. */
const user = z.unknown().transform((value, context): string | SecretReference => {
  if (typeof value === "string") {
    if (value !== "" && !/[:\p{Cc}]/u.test(value)) return value;
    context.addIssue("expected the name of a user, without colons: its password has a key of its own.");
    return z.NEVER;
  }
  const problem = referenceProblem(value);
  if (problem === undefined) return value as SecretReference;
  context.addIssue(problem);
  return z.NEVER;
});

const login = z.strictObject({ user, password: reference });

const proxy = z.string().superRefine((text, context) => {
  if (text === "none") return;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    context.addIssue("expected none, or the http or https URL of a proxy, such as http://proxy.example.com:3128.");
  } else if (url.username !== "" || url.password !== "") {
    context.addIssue("a proxy's URL may hold no user or password; say them in proxyAuth.");
  } else if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    context.addIssue("the URL of a proxy has a host and a port, and no path.");
  }
});

const path = z.string().min(1);

const tls = z
  .strictObject({
    ca: path.optional(),
    cert: path.optional(),
    key: path.optional(),
    keyPassphrase: reference.optional(),
    verify: z.boolean().default(true),
  })
  .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
    message: "a client certificate has two files: cert and key.",
  })
  .refine(({ key, keyPassphrase }) => keyPassphrase === undefined || key !== undefined, {
    message: "keyPassphrase opens a key, and there is none.",
  });

/** Headers that have a key of their own, or are Carrel's. */
const NOT_FREE: Readonly<Record<string, string>> = {
  cookie: "use cookies",
  "proxy-authorization": "use proxyAuth",
  "user-agent": "Carrel says who it is",
};
/** Headers that the exchange itself decides on. */
const TECHNICAL =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|range|if-.*|accept-encoding)$/;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

const headerName = z.string().superRefine((name, context) => {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name)) context.addIssue("expected the name of a header.");
  else if (TECHNICAL.test(lower)) context.addIssue("this header cannot be set.");
  else if (NOT_FREE[lower] !== undefined) context.addIssue(`${NOT_FREE[lower]}.`);
});

const cookieName = z.string().regex(TOKEN, "expected the name of a cookie.");

const origin = z.string().superRefine((text, context) => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || (url.origin !== text && `${url.origin}/` !== text)) {
    context.addIssue("expected an origin: scheme, host and port alone, such as https://docs.example.com.");
  }
});

const auth = z
  .strictObject({
    bearer: reference.optional(),
    basic: login.optional(),
    headers: z.record(headerName, reference).default({}),
    cookies: z.record(cookieName, reference).default({}),
    origins: z.array(origin).min(1).optional(),
  })
  .superRefine((given, context) => {
    const names = Object.keys(given.headers).map((name) => name.toLowerCase());
    const own = names.includes("authorization");
    if ([given.bearer !== undefined, given.basic !== undefined, own].filter(Boolean).length > 1) {
      context.addIssue("bearer, basic and a header Authorization are the same header; keep one of them.");
    }
    if (new Set(names).size < names.length) context.addIssue("a header is listed twice.");
    if (
      given.bearer === undefined &&
      given.basic === undefined &&
      names.length + Object.keys(given.cookies).length === 0
    )
      context.addIssue("nothing is sent: expected bearer, basic, headers or cookies.");
  });

/** The keys of a web source that say how it is reached, and as whom. */
export const accessKeys = {
  proxy: proxy.optional(),
  proxyAuth: login.optional(),
  tls: tls.optional(),
  auth: auth.optional(),
};

const accessSchema = z.object(accessKeys);

/** Origins as URLs have them. */
export const originList = z.array(origin);

/** What a pipeline says of access, its paths made absolute; undefined when it says nothing. @param file the pipeline's. */
export function accessOf(file: string, given: z.output<typeof accessSchema>): Access | undefined {
  const at = (path: string): string => resolve(dirname(file), path);
  const found = (one: SecretReference): SecretReference => ("file" in one ? { file: at(one.file) } : one);
  const loginOf = ({ user, password }: Login): Login => ({
    user: typeof user === "string" ? user : found(user),
    password: found(password),
  });
  const access: Access = {
    ...(given.proxy === undefined ? {} : { proxy: given.proxy === "none" ? "none" : new URL(given.proxy).href }),
    ...(given.proxyAuth === undefined ? {} : { proxyAuth: loginOf(given.proxyAuth) }),
    ...(given.tls === undefined ? {} : { tls: tlsOf(given.tls) }),
    ...(given.auth === undefined ? {} : { auth: authOf(given.auth) }),
  };
  return Object.keys(access).length === 0 ? undefined : access;

  function tlsOf({ ca, cert, key, keyPassphrase, verify }: z.output<typeof tls>): TlsRules {
    return {
      ...(ca === undefined ? {} : { ca: at(ca) }),
      ...(cert === undefined ? {} : { cert: at(cert) }),
      ...(key === undefined ? {} : { key: at(key) }),
      ...(keyPassphrase === undefined ? {} : { keyPassphrase: found(keyPassphrase) }),
      verify,
    };
  }

  function authOf({ bearer, basic, headers, cookies, origins }: z.output<typeof auth>): Credentials {
    const all = (given: Readonly<Record<string, SecretReference>>): Record<string, SecretReference> =>
      Object.fromEntries(Object.entries(given).map(([name, one]) => [name, found(one)]));
    return {
      ...(bearer === undefined ? {} : { bearer: found(bearer) }),
      ...(basic === undefined ? {} : { basic: loginOf(basic) }),
      ...(Object.keys(headers).length === 0 ? {} : { headers: all(headers) }),
      ...(Object.keys(cookies).length === 0 ? {} : { cookies: all(cookies) }),
      ...(origins === undefined ? {} : { origins: origins.map((one) => new URL(one).origin) }),
    };
  }
}
