import { Command } from "commander";
import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import { changeKeys, checkedLabel, isExpired, makeKey, readKeys } from "../../server/keys.ts";
import type { StoredKey } from "../../server/keys.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { table } from "../output.ts";

/** `carrel keys` and what is below it. */
export function keysCommand(): Command {
  const command = new Command("keys").description("list the keys that serve wants; with add and revoke, change them");
  const add = new Command("add")
    .description("make a key, and print it once")
    .argument("<label>", "what the key is called in lists and in the log, such as the name of its user")
    .option("--sources <ids>", "only these sources may be read with it; ids with commas between them")
    .option("--expires <when>", "a day (2027-01-31), a time in ISO 8601, or so many days from now (90d)");
  const revoke = new Command("revoke")
    .description("refuse a key from now on")
    .argument("<label>", "as the key was called when it was made");
  withCommonFlags(command).action(action(listKeys));
  command.addCommand(withCommonFlags(add).action(action(addKey)));
  command.addCommand(withCommonFlags(revoke).action(action(revokeKey)));
  return command;
}

const MS_PER_DAY = 86_400_000;

function listKeys({ settings, output }: Context): number {
  const keys = readKeys(settings.keysFile);
  if (keys === undefined) {
    output.result({ keys: [] }, []);
    output.info(`There are no keys, and none are wanted; ${settings.keysFile} is where they would be.`);
    return 0;
  }
  const now = new Date();
  const rows = keys.map((key) => [
    key.label,
    key.sources?.join(", ") ?? "all",
    key.created.slice(0, 10),
    key.expires === undefined ? "never" : `${key.expires}${isExpired(key, now) ? " (expired)" : ""}`,
  ]);
  const listed = keys.map(shownKey);
  output.result({ keys: listed }, table(["LABEL", "SOURCES", "MADE", "EXPIRES"], rows));
  if (keys.length === 0) output.info("No key is left, and keys are wanted: nobody can ask a server.");
  return 0;
}

async function addKey(
  { settings, output, app }: Context,
  label: string,
  flags: { readonly sources?: string; readonly expires?: string },
): Promise<number> {
  checkedLabel(label);
  const sources = flags.sources === undefined ? undefined : listedSources(flags.sources);
  const now = new Date();
  const expires = flags.expires === undefined ? undefined : expiry(flags.expires, now);
  const { key, stored } = makeKey(
    { label, ...(sources !== undefined && { sources }), ...(expires !== undefined && { expires }) },
    now,
  );
  let isFirst = false;
  changeKeys(settings.keysFile, (keys) => {
    if (keys.some((other) => other.label === label)) {
      throw new CarrelError(
        "invalid",
        `There is a key ${JSON.stringify(label)} already; choose another label, or revoke that one first.`,
      );
    }
    isFirst = keys.length === 0;
    return [...keys, stored];
  });
  output.result({ key, ...shownKey(stored) }, [key]);
  output.info("This is the only time that the key is shown. A server that runs takes it from now on.");
  if (isFirst) output.info("It is the first: from now on a server answers nobody without a key.");
  const known = await knownSources(app);
  for (const source of sources ?? []) {
    if (!known.has(source)) output.warn(`There is no source ${source} yet.${didYouMean(source, known)}`);
  }
  return 0;
}

function revokeKey({ settings, output }: Context, label: string): number {
  let left = 0;
  changeKeys(settings.keysFile, (keys) => {
    const others = keys.filter((key) => key.label !== label);
    if (others.length === keys.length) throw unknownKey(label, keys);
    left = others.length;
    return others;
  });
  output.result({ revoked: label, left }, [`${label} is revoked; ${left} ${left === 1 ? "key is" : "keys are"} left.`]);
  if (left === 0) {
    output.info(
      `Keys are still wanted, so nobody can ask a server until one is added; to serve without keys, delete ${settings.keysFile} and start the server again.`,
    );
  }
  return 0;
}

/** What is told of a key: all but its hash. */
function shownKey({ label, sources, created, expires }: StoredKey): Omit<StoredKey, "sha256"> {
  return { label, created, ...(sources && { sources }), ...(expires !== undefined && { expires }) };
}

function unknownKey(label: string, keys: readonly StoredKey[]): CarrelError {
  const labels = keys.map((key) => key.label);
  return new CarrelError(
    "not-found",
    `There is no key ${JSON.stringify(label)}.${didYouMean(label, labels)} The keys are ${labels.join(", ") || "none"}.`,
  );
}

function listedSources(text: string): readonly string[] {
  const ids = text
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  if (ids.length > 0) return [...new Set(ids)];
  throw new CarrelError("invalid", "--sources names no source; leave it out for a key that may read all.");
}

/** ISO 8601, UTC: of a day, its end. */
function expiry(text: string, now: Date): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text);
  const ms =
    days !== undefined
      ? now.getTime() + Number(days) * MS_PER_DAY
      : isDay
        ? Date.parse(text) + MS_PER_DAY
        : isTime
          ? Date.parse(text)
          : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new CarrelError(
      "invalid",
      `"${text}" is no time to expire at; give a day such as 2027-01-31, a time such as 2027-01-31T12:00:00Z, or days from now such as 90d.`,
    );
  }
  if (ms <= now.getTime()) throw new CarrelError("invalid", `${text} is past; a key that has expired is of no use.`);
  return new Date(ms).toISOString();
}

/** Ids of what is listed, and of what there are documents of. */
async function knownSources(app: Context["app"]): Promise<ReadonlySet<string>> {
  const listed = (await app.sources().catch(() => [])).map(({ id }) => id);
  try {
    using reading = app.tryReading();
    return new Set([...listed, ...(reading?.corpus.stats().sources ?? []).map(({ source }) => source)]);
  } catch {
    // A store that cannot be read is no reason against a key.
    return new Set(listed);
  }
}
