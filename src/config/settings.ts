import { fileURLToPath } from "node:url";
import { join, resolve } from "node:path";
import { CarrelError } from "../domain/errors.ts";

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
} as const;

export interface Settings {
  /** Absolute path. */
  readonly data: string;
  /** Absolute path. */
  readonly pipelines: string;
  readonly host: string;
  readonly port: number;
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
  return {
    data: resolve(pick("data")),
    pipelines: resolve(pick("pipelines")),
    host: pick("host"),
    port,
    contact,
    ...answerSettings(pick),
  };
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
