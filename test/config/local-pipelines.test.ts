import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadPipelines } from "../../src/config/pipelines.ts";
import type { Source } from "../../src/domain/source.ts";
import { tempFolder } from "../support/temp-folder.ts";

function load(text: string): Source | undefined {
  const dir = tempFolder();
  writeFileSync(join(dir, "a.yaml"), text);
  return loadPipelines(dir)[0];
}

/** What is wrong with a pipeline, from its line on. */
function problem(text: string): string {
  try {
    load(text);
    return "";
  } catch (error) {
    return String(error).replaceAll(/^.*a\.yaml:/gm, "");
  }
}

const ARCHIVE = "title: A\nbaseUrl: https://docs.example.org/3/\narchive: ";
const WEB = "title: A\nseeds: [https://docs.example.org/]\nschedule: ";

it("reads archives, relative to the pipeline", () => {
  expect(load(`${ARCHIVE}../docs.zip\nroot: /docs/*/\n`)).toMatchObject({
    kind: "archive",
    archive: expect.stringMatching(/^\/.*docs\.zip$/) as string,
    baseUrl: "https://docs.example.org/3/",
    root: "docs/*",
  });
  const warc = load("title: A\narchive: /srv/site.WARC.GZ\n");
  expect(warc).toMatchObject({ kind: "archive", archive: "/srv/site.WARC.GZ" });
  expect(warc).not.toHaveProperty("baseUrl");
});

it("says what to do with archives that are not read", () => {
  expect(problem(`${ARCHIVE}wiki.zim`)).toMatch(/^3: "archive": .*\.zim is not: .*zimdump dump/);
  expect(problem(`${ARCHIVE}a.tar.xz`)).toMatch(/xz -dc FILE \| gzip/);
  expect(problem(`${ARCHIVE}a.tar.zst`)).toMatch(/zstd -dc/);
  expect(problem(`${ARCHIVE}docs`)).toMatch(/archives that are read end in \.zip, .*\.warc\.gz\./);
  expect(problem("title: A\narchive: a.zip\n")).toMatch(/"baseUrl" is missing/);
  expect(problem(`${ARCHIVE}a.zip\nroot: ../up`)).toMatch(/^4: "root": expected a folder in the archive/);
  expect(problem(`${ARCHIVE}a.warc\nroot: docs`)).toMatch(/^4: "root": a WARC has no folders/);
  expect(problem(`${ARCHIVE}a.zip\nfolder: docs`)).toMatch(/^4: unknown key "folder"/);
});

it("reads schedules", () => {
  expect(load(`${WEB}{ every: 12h }`)?.schedule).toEqual({ kind: "every", everyMs: 43_200_000 });
  expect(load(`${WEB}{ every: 1w, jitter: 0m }`)?.schedule).toEqual({
    kind: "every",
    everyMs: 604_800_000,
    jitterMs: 0,
  });
  expect(load(`${WEB}{ cron: "0 3 * * 1-5" }`)?.schedule).toEqual({
    kind: "cron",
    cron: "0 3 * * 1-5",
    timeZone: "UTC",
  });
  expect(
    load(`${ARCHIVE}a.zip\nschedule: { cron: "0 3 * * MON", timeZone: Europe/Berlin, jitter: 1h }`)?.schedule,
  ).toEqual({
    kind: "cron",
    cron: "0 3 * * MON",
    timeZone: "Europe/Berlin",
    jitterMs: 3_600_000,
  });
  expect(load("title: A\nseeds: [https://docs.example.org/]\n")).not.toHaveProperty("schedule");
});

it("names the line of what is wrong with a schedule", () => {
  expect(problem(`${WEB}{}`)).toMatch(/^3: "schedule": say when: either every, such as 1d, or cron/);
  expect(problem(`${WEB}\n  every: 1d\n  cron: '0 3 * * *'`)).toMatch(/^3: "schedule": say either every or cron/);
  expect(problem(`${WEB}\n  every: daily`)).toMatch(/^4: "schedule.every": expected a time such as 30m/);
  expect(problem(`${WEB}\n  every: 4m`)).toMatch(/^4: "schedule.every": expected at least 5m/);
  expect(problem(`${WEB}\n  every: 53w`)).toMatch(/at most 366d/);
  expect(problem(`${WEB}\n  every: 10m\n  jitter: 6m`)).toMatch(
    /^5: "schedule.jitter": expected at most half of every/,
  );
  expect(problem(`${WEB}\n  every: 1d\n  timeZone: UTC`)).toMatch(/^5: "schedule.timeZone": is for cron/);
  expect(problem(`${WEB}\n  cron: '0 25 * * *'`)).toMatch(/^4: "schedule.cron": "0 25 \* \* \*" is no cron expression/);
  expect(problem(`${WEB}\n  cron: '0 0 3 * * *'`)).toMatch(/is no cron expression of five fields/);
  expect(problem(`${WEB}\n  cron: '0 3 30 2 *'`)).toMatch(/"0 3 30 2 \*" never comes/);
  expect(problem(`${WEB}\n  cron: '*/2 * * * *'`)).toMatch(/comes more often than every 5 minutes/);
  expect(problem(`${WEB}\n  cron: '0 3 * * *'\n  timeZone: Europe/Berln`)).toMatch(
    /^5: "schedule.timeZone": "Europe\/Berln" is no time zone; expected a name such as Europe\/Berlin/,
  );
});
