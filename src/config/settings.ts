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
} as const;

export interface Settings {
  /** Absolute path. */
  readonly data: string;
  /** Absolute path. */
  readonly pipelines: string;
  readonly host: string;
  readonly port: number;
  readonly contact: string;
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
  };
}
