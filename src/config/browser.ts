import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CarrelError } from "../domain/errors.ts";
import type { Environment } from "./proxy-environment.ts";
import { SETTINGS } from "./settings.ts";

/** How distributions call Chromium and the browsers made of it, likeliest first. */
const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "chrome-headless-shell",
  "microsoft-edge",
  "msedge",
];
/** Where they are on systems that do not put them on PATH. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  win32: [
    String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
  ],
};

/** What a browser is started with of the environment: nothing that may be a secret. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|XDG_[A-Z_]+|FONTCONFIG_[A-Z]+|SYSTEMROOT|LOCALAPPDATA|APPDATA|PROGRAMFILES|USERPROFILE)$/i;

/** A browser to render pages with. */
export interface InstalledBrowser {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The browser of the setting, else the first that is installed; undefined when none is.
 * @throws CarrelError `config` when the setting names no program.
 */
export function findBrowser(setting: string, environment: Environment = process.env): InstalledBrowser | undefined {
  const path = setting === "" ? installed(environment) : setting;
  if (path === undefined) return undefined;
  if (!isProgram(path)) {
    throw new CarrelError(
      "config",
      `${SETTINGS.browserPath.variable} is ${path}, and that is no program; give the path of Chromium, or unset it to take the one on PATH.`,
    );
  }
  const passed = Object.entries(environment).filter(
    (entry): entry is [string, string] => PASSED_ON.test(entry[0]) && entry[1] !== undefined,
  );
  return { path, environment: Object.fromEntries(passed) };
}

function installed(environment: Environment): string | undefined {
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const ending = process.platform === "win32" ? ".exe" : "";
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + ending)));
  return [...onPath, ...(PLACES[process.platform] ?? [])].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
