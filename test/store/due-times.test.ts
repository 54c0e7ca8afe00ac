import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { DueTime } from "../../src/domain/schedule.ts";
import { ARCHIVE_SCHEMA } from "../../src/store/archive-schema.ts";
import { openArchive } from "../../src/store/archive.ts";
import { openDueTimes, readDueTimes } from "../../src/store/due-times.ts";
import { tempFolder } from "../support/temp-folder.ts";

const row = (source: string, dueAt: number, more: Partial<DueTime> = {}): DueTime => ({
  source,
  schedule: "each day",
  nominalAt: dueAt - 1,
  dueAt,
  ranAt: undefined,
  failures: 0,
  ...more,
});

it("keeps due times, the next one first, until they are forgotten", () => {
  const file = join(tempFolder(), "archive.db");
  expect(readDueTimes(file)).toEqual([]);
  expect(existsSync(file)).toBe(false);
  const dueTimes = openDueTimes(file);
  dueTimes.put(row("late", 300));
  dueTimes.put(row("early", 100));
  dueTimes.put(row("late", 200, { ranAt: 150, failures: 2 }));
  dueTimes.put(row("gone", 1));
  dueTimes.forget("gone");
  dueTimes.close();
  expect(readDueTimes(file)).toEqual([row("early", 100), row("late", 200, { ranAt: 150, failures: 2 })]);
  const archive = openArchive(file, () => new Date(0));
  archive.removeSource("early");
  archive.close();
  expect(readDueTimes(file).map(({ source }) => source)).toEqual(["late"]);
});

it("finds room in an archive that an older Carrel made, and leaves what is in it", () => {
  const file = join(tempFolder(), "archive.db");
  const old = new Database(file);
  for (const migration of ARCHIVE_SCHEMA.migrations.slice(0, 2)) old.exec(migration);
  old.pragma(`application_id = ${ARCHIVE_SCHEMA.applicationId}`);
  old.pragma("user_version = 2");
  old.exec("INSERT INTO scopes (source, key, settled) VALUES ('python', 'k', 1)");
  old.close();
  const dueTimes = openDueTimes(file);
  dueTimes.put(row("python", 5));
  dueTimes.close();
  const db = new Database(file, { readonly: true });
  expect(db.prepare("SELECT source, due_at FROM schedules").raw().all()).toEqual([["python", 5]]);
  expect(db.prepare("SELECT source, key FROM scopes").raw().all()).toEqual([["python", "k"]]);
  db.close();
});
