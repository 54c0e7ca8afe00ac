import { Command } from "commander";
import type { App } from "../../app.ts";
import { findReferences } from "../../config/credentials.ts";
import { SETTINGS } from "../../config/settings.ts";
import { reasonOf } from "../../domain/errors.ts";
import { VERSION } from "../../version.ts";
import { action, withCommonFlags, type Context } from "../context.ts";

/** One thing that was looked at. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
}

/** `carrel doctor` */
export function doctorCommand(): Command {
  const command = new Command("doctor").description(
    "say which settings are in force, and whether the stores are sound",
  );
  return withCommonFlags(command).action(action(doctor));
}

async function doctor(context: Context): Promise<number> {
  const { app, output } = context;
  const findings: Finding[] = [
    { check: "carrel", ok: true, says: `${VERSION} on Node ${process.versions.node}` },
    ...(Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]).map((key) => ({
      check: key,
      ok: true,
      says: `${String(app.settings[key]) || "(not set)"}  (${SETTINGS[key].variable})`,
    })),
    await look("pipelines", async () => `listed: ${(await app.sources()).map(({ id }) => id).join(", ") || "none"}`),
    ...(await references(app)),
    ...(await Promise.all(app.checkStores().map(({ store, check }) => look(store, check)))),
  ];
  const lines = findings.map(({ check, ok, says }) => `${ok ? "ok  " : "BAD "} ${check.padEnd(10)} ${says}`);
  output.result({ findings }, lines);
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

/** Whether the secrets that pipelines refer to are there. Pipelines that cannot be read are told of before. */
async function references(app: App): Promise<readonly Finding[]> {
  const listed = await app.sources().catch(() => []);
  return findReferences(listed).map(({ source, key, reference, ok, says }) => ({
    check: "secret",
    ok,
    says: `${source}, ${key} (${reference}): ${says}`,
  }));
}

async function look(check: string, run: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, says: await run() };
  } catch (error) {
    return { check, ok: false, says: reasonOf(error).replaceAll("\n", "\n                ") };
  }
}
