import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPipelines } from "../../src/config/pipelines.ts";
import { groupNames, selectSource, selectSources } from "../../src/config/select-sources.ts";
import { tempFolder } from "../support/temp-folder.ts";

const LEAST = "title: T\nseeds: [https://docs.example.com/]\n";

function folderOf(...files: readonly string[]): string {
  const folder = tempFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), LEAST);
  }
  return folder;
}

const FILES = ["alone.yaml", "web/dart.dev.yaml", "web/old/perl.yaml", "web/old/tcl.yml", "local/manpages.yaml"];

describe("a subfolder is a group", () => {
  const load = () => loadPipelines(folderOf(...FILES));
  const selected = (...names: string[]): string[] => selectSources(load(), names).map(({ id }) => id);

  it("which is told of each source, with the groups around it", () => {
    const sources = load();
    expect(sources.map(({ id, group }) => [id, group])).toEqual([
      ["alone", undefined],
      ["dart.dev", "web"],
      ["manpages", "local"],
      ["perl", "web/old"],
      ["tcl", "web/old"],
    ]);
    expect(groupNames(sources)).toEqual(["local", "web", "web/old"]);
  });

  it("that is meant by its name, and by nothing less", () => {
    expect(selected()).toEqual(["alone"]);
    expect(selected("web")).toEqual(["dart.dev", "perl", "tcl"]);
    expect(selected("web/old")).toEqual(["perl", "tcl"]);
    expect(selected("local/")).toEqual(["manpages"]);
    expect(selected("perl", "alone", "web/old")).toEqual(["perl", "alone", "tcl"]);
  });

  it("whose name is suggested like an id", () => {
    expect(() => selected("wbe")).toThrow('There is no source "wbe", and no group of that name. Did you mean "web"?');
    expect(() => selected("alnoe")).toThrow(/Did you mean "alone"\? \(listed: alone; groups: local, web, web\/old\)/);
    expect(() => selectSources([], ["x"])).toThrow('There is no source "x". (none is listed)');
  });

  it("and is no source where one is wanted", () => {
    expect(selectSource(load(), "perl").id).toBe("perl");
    expect(() => selectSource(load(), "local")).toThrow(
      '"local" is a group of sources, and one source is wanted here: manpages.',
    );
  });
});

it("refuses a source and a group of one name", () => {
  const folder = folderOf("web.yaml", "web/dart.yaml", "a/old.yaml", "a/b/old/perl.yaml");
  expect(() => loadPipelines(folder)).toThrow(
    `${join(folder, "web.yaml")}:1: the id "web" is also the name of the folder web/, which is a group of sources; rename one`,
  );
  // "a/b/old" is the name of that group, and "old" is not.
  expect(() => loadPipelines(folder)).not.toThrow(/the id "old"/);
});

it("leaves out what begins with a dot or an underscore, with all that is in it", () => {
  const folder = folderOf(
    "a.yaml",
    "_models/a.yaml",
    ".git/b.yaml",
    "web/_old/c.yaml",
    "..2026_11_30/a.yaml",
    ".d.yaml",
    "_e.yaml",
  );
  expect(loadPipelines(folder).map(({ id }) => id)).toEqual(["a"]);
  // A folder that is named itself may be called as it likes.
  expect(loadPipelines(join(folder, "_models")).map(({ id }) => id)).toEqual(["a"]);
});
