/** Where a secret is to be found. The secret itself is in no pipeline, store, message or result. */
export type SecretReference =
  /** The name of an environment variable. */
  | { readonly env: string }
  /** Absolute path of a file that holds it. */
  | { readonly file: string };

/** How a private site is reached, and as whom; what a pipeline says of it. */
export interface Access {
  /** An http or https URL without user, or `none` for no proxy; that of the environment unless given. */
  readonly proxy?: string;
  readonly proxyAuth?: Login;
  readonly tls?: TlsRules;
  readonly auth?: Credentials;
}

/** A user, who may be named, and a password, which may not. */
export interface Login {
  readonly user: string | SecretReference;
  readonly password: SecretReference;
}

/** Files are absolute paths. */
export interface TlsRules {
  /** PEM of authorities that are trusted besides those of Node. */
  readonly ca?: string;
  /** PEM of a client certificate and those above it; goes with `key`. */
  readonly cert?: string;
  readonly key?: string;
  readonly keyPassphrase?: SecretReference;
  /** false accepts any certificate of the source's origins; true unless given. */
  readonly verify?: boolean;
}

/** What is sent with each request to the source's origins. */
export interface Credentials {
  readonly bearer?: SecretReference;
  readonly basic?: Login;
  /** By the header's name. */
  readonly headers?: Readonly<Record<string, SecretReference>>;
  /** By the cookie's name. */
  readonly cookies?: Readonly<Record<string, SecretReference>>;
  /** Origins that get them, such as `https://docs.example.com`; those that the source is fetched from unless given. */
  readonly origins?: readonly string[];
}

/** What the references of a source led to when its crawl began. Holds secrets: never to be written or said. */
export interface OpenedAccess {
  readonly proxies: ProxyRules;
  readonly tls: {
    /** PEM, each of one or more authorities, besides those that are built in. */
    readonly ca: readonly string[];
    readonly cert?: string;
    readonly key?: string;
    readonly passphrase?: string;
    readonly verify: boolean;
  };
  /** Sent to `origins` and to no other; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Origins that get the headers and the client certificate. */
  readonly origins: ReadonlySet<string>;
  /** Texts that stand for a secret: an answer that repeats one is kept without it. */
  readonly secrets: readonly string[];
}

/** Which proxy is in the way to which host. */
export interface ProxyRules {
  /** For http URLs; undefined for none. */
  readonly http: Proxy | undefined;
  /** For https URLs; undefined for none. */
  readonly https: Proxy | undefined;
  /** Hosts that are asked directly, as NO_PROXY lists them. */
  readonly except: readonly string[];
}

export interface Proxy {
  /** Without user and password. */
  readonly url: string;
  /** The value of Proxy-Authorization; undefined for none. */
  readonly authorization?: string | undefined;
}

/** A reference, and whether what it leads to is there. */
export interface ReferenceFinding {
  readonly source: string;
  /** The key of the pipeline: `auth.bearer`. */
  readonly key: string;
  /** How it is written: `env DOCS_TOKEN`. */
  readonly reference: string;
  readonly ok: boolean;
  /** For people; holds no secret. */
  readonly says: string;
}
