import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CarrelError } from "../domain/errors.ts";
import { MODEL_SETTINGS, modelSettings, type ModelSettings } from "./model-settings.ts";

/** The root of the installed package: where `pipelines/` and `data/manual` are shipped. */
export const PACKAGE_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Machine settings: flags before environment before defaults. No secret is among them. */
export const SETTINGS = {
  data: { variable: "CARREL_DATA", default: join(PACKAGE_ROOT, "data"), about: "folder of the stores" },
  pipelines: {
    variable: "CARREL_PIPELINES",
    default: join(PACKAGE_ROOT, "pipelines"),
    about: "folder of the listed sources",
  },
  host: { variable: "CARREL_HOST", default: "127.0.0.1", about: "address that serve listens on" },
  port: { variable: "CARREL_PORT", default: "8080", about: "port that serve listens on; 0 takes a free one" },
  keysFile: {
    variable: "CARREL_KEYS_FILE",
    default: "",
    about: "file of the keys, by default keys.json in the data folder",
  },
  rateLimit: {
    variable: "CARREL_RATE_LIMIT",
    default: "0",
    about: "requests that each key, or without keys each address, may make in a minute; 0 for any number",
  },
  tlsCert: {
    variable: "CARREL_TLS_CERT",
    default: "",
    about: "PEM file of the certificate and those above it; with it serve answers over HTTPS",
  },
  tlsKey: { variable: "CARREL_TLS_KEY", default: "", about: "PEM file of the certificate's key" },
  corsOrigins: {
    variable: "CARREL_CORS_ORIGINS",
    default: "",
    about: "origins whose pages may ask, with commas between them",
  },
  accessLog: {
    variable: "CARREL_ACCESS_LOG",
    default: "true",
    about: "whether serve writes a line of JSON for each request to standard error",
  },
  logQueries: {
    variable: "CARREL_LOG_QUERIES",
    default: "true",
    about: "whether what was searched for is in that line",
  },
  browserPath: {
    variable: "CARREL_BROWSER_PATH",
    default: "",
    about: "Chromium that renders pages which scripts build; the first one on PATH unless given",
  },
  contact: {
    variable: "CARREL_CONTACT",
    default: "",
    about: "URL or e-mail address in the User-Agent, for the sites' operators",
  },
  answerEndpoint: {
    variable: "CARREL_ANSWER_ENDPOINT",
    default: "",
    about: "URL of an OpenAI-compatible server on your network that writes answers; without it passages are quoted",
  },
  answerModel: {
    variable: "CARREL_ANSWER_MODEL",
    default: "",
    about: "model that writes answers, as the server calls it",
  },
  answerKeyFile: {
    variable: "CARREL_ANSWER_KEY_FILE",
    default: "",
    about: "file that holds the key of the server that writes answers",
  },
  ...MODEL_SETTINGS,
} as const;

export interface Settings extends ModelSettings {
  /** Absolute path. */
  readonly data: string;
  /** Absolute path. */
  readonly pipelines: string;
  readonly host: string;
  readonly port: number;
  /** Absolute path; the file need not be there. */
  readonly keysFile: string;
  /** Requests a minute; 0 for any number. */
  readonly rateLimit: number;
  /** Absolute paths; "" for both without TLS. */
  readonly tlsCert: string;
  readonly tlsKey: string;
  readonly corsOrigins: readonly string[];
  readonly accessLog: boolean;
  readonly logQueries: boolean;
  /** Absolute path; "" for the first one that is found. */
  readonly browserPath: string;
  readonly contact: string;
  /** An http or https URL; "" when answers are quotations. */
  readonly answerEndpoint: string;
  /** Not empty when there is an endpoint. */
  readonly answerModel: string;
  /** Absolute path; "" for an endpoint without keys. */
  readonly answerKeyFile: string;
}

const MAX_PORT = 65_535;

/**
 * Settles the settings from flags and environment.
 * @throws CarrelError `invalid` for a port that is none, and for a CARREL_ variable that no setting has.
 */
export function readSettings(
  flags: Partial<Record<keyof typeof SETTINGS, string>>,
  environment = process.env,
): Settings {
  const known = Object.values(SETTINGS).map(({ variable }) => variable as string);
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith("CARREL_") && !known.includes(variable)) {
      throw new CarrelError(
        "invalid",
        `The environment has ${variable}, which is no setting; known: ${known.join(", ")}.`,
      );
    }
  }
  const pick = (key: keyof typeof SETTINGS): string =>
    flags[key] ?? (environment[SETTINGS[key].variable] || SETTINGS[key].default);
  const port = /^\d{1,5}$/.test(pick("port")) ? Number(pick("port")) : Number.NaN;
  if (!(port <= MAX_PORT)) {
    throw new CarrelError(
      "invalid",
      `"${pick("port")}" is no port; give a whole number from 0 to ${MAX_PORT} (0 takes a free one).`,
    );
  }
  const contact = pick("contact");
  if (/[^\x20-\x7e]|[()]/.test(contact)) {
    throw new CarrelError(
      "invalid",
      "The contact must be plain ASCII without parentheses: it is sent in the User-Agent header.",
    );
  }
  const data = resolve(pick("data"));
  checkDataFolder(data);
  return {
    data,
    pipelines: resolve(pick("pipelines")),
    host: pick("host"),
    port,
    ...servingSettings(pick, data),
    browserPath: pick("browserPath") === "" ? "" : resolve(pick("browserPath")),
    contact,
    ...answerSettings(pick),
    ...modelSettings(pick),
  };
}

/** @throws CarrelError `invalid` when a file is in the place of the folder, or of one above it. */
function checkDataFolder(data: string): void {
  for (let path = data; ; path = dirname(path)) {
    const isFolder = isFolderThere(path);
    if (isFolder === true || path === dirname(path)) return;
    if (isFolder === undefined) continue;
    throw new CarrelError(
      "invalid",
      path === data
        ? `${data} is a file, and the stores need a folder; name one with --data DIR or ${SETTINGS.data.variable}.`
        : `${data} cannot be a folder, for ${path} is a file; name another with --data DIR or ${SETTINGS.data.variable}.`,
    );
  }
}

/** Undefined when nothing is there, or it cannot be told; the stores say then what is wrong. */
function isFolderThere(path: string): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}

const MAX_RATE_LIMIT = 1_000_000;

function servingSettings(
  pick: (key: keyof typeof SETTINGS) => string,
  data: string,
): Pick<Settings, "keysFile" | "rateLimit" | "tlsCert" | "tlsKey" | "corsOrigins" | "accessLog" | "logQueries"> {
  const rate = pick("rateLimit");
  if (!/^\d{1,7}$/.test(rate) || Number(rate) > MAX_RATE_LIMIT) {
    throw new CarrelError(
      "invalid",
      `${SETTINGS.rateLimit.variable} is "${rate}"; give a whole number of requests a minute up to ${MAX_RATE_LIMIT}, 0 for any number.`,
    );
  }
  const [cert, key] = [pick("tlsCert"), pick("tlsKey")];
  if ((cert === "") !== (key === "")) {
    const [missing, given] = cert === "" ? (["tlsCert", "tlsKey"] as const) : (["tlsKey", "tlsCert"] as const);
    throw new CarrelError(
      "invalid",
      `${SETTINGS[given].variable} is set and ${SETTINGS[missing].variable} is not; TLS needs a certificate and its key.`,
    );
  }
  const origins = pick("corsOrigins")
    .split(",")
    .map((origin) => origin.trim());
  const corsOrigins = origins.filter((origin) => origin !== "");
  const wrong = corsOrigins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) {
    throw new CarrelError(
      "invalid",
      `${SETTINGS.corsOrigins.variable} has "${wrong}", which is no origin; write scheme, host and port alone, such as https://portal.example.com.`,
    );
  }
  return {
    keysFile: pick("keysFile") === "" ? join(data, "keys.json") : resolve(pick("keysFile")),
    rateLimit: Number(rate),
    tlsCert: cert === "" ? "" : resolve(cert),
    tlsKey: key === "" ? "" : resolve(key),
    corsOrigins,
    accessLog: truth("accessLog", pick("accessLog")),
    logQueries: truth("logQueries", pick("logQueries")),
  };
}

/** As browsers send it. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function truth(key: keyof typeof SETTINGS, value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new CarrelError("invalid", `${SETTINGS[key].variable} is "${value}"; give true or false.`);
}

function answerSettings(
  pick: (key: keyof typeof SETTINGS) => string,
): Pick<Settings, "answerEndpoint" | "answerModel" | "answerKeyFile"> {
  const [answerEndpoint, answerModel, keyFile] = [pick("answerEndpoint"), pick("answerModel"), pick("answerKeyFile")];
  const url = URL.canParse(answerEndpoint) ? new URL(answerEndpoint) : undefined;
  const isHttp = (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "" && url.search === "";
  if (answerEndpoint !== "" && !isHttp) {
    throw new CarrelError(
      "invalid",
      `${SETTINGS.answerEndpoint.variable} is no http or https URL without user and parameters; a key goes into a file, which ${SETTINGS.answerKeyFile.variable} names.`,
    );
  }
  if ((answerEndpoint === "") !== (answerModel === "")) {
    const [missing, given] =
      answerModel === "" ? (["answerModel", "answerEndpoint"] as const) : (["answerEndpoint", "answerModel"] as const);
    throw new CarrelError(
      "invalid",
      `${SETTINGS[given].variable} is set and ${SETTINGS[missing].variable} is not; an answer needs a server and a model.`,
    );
  }
  return { answerEndpoint, answerModel, answerKeyFile: keyFile === "" ? "" : resolve(keyFile) };
}
