import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { loadPipeline, SOURCE_ID } from "../../config/pipelines.ts";
import { groupNames } from "../../config/select-sources.ts";
import { parseHttpUrl } from "../../domain/document-name.ts";
import { CarrelError } from "../../domain/errors.ts";
import { fileReasonOf } from "../../domain/file-errors.ts";
import type { FolderLook, SiteLook } from "../../domain/site-look.ts";
import type { Source } from "../../domain/source.ts";
import { idOfFolder, idOfSite } from "../../flow/init-id.ts";
import { planFolder, planSite } from "../../flow/init-plan.ts";
import { pipelineText } from "../../flow/init-text.ts";
import { createLooking } from "../../look.ts";
import { action, withCommonFlags, type Context } from "../context.ts";
import { initReport } from "../init-report.ts";

/** `carrel init URL|DIR` */
export function initCommand(): Command {
  const command = new Command("init")
    .description("look at a site or folder, and write a pipeline for it; a file that is there is left alone")
    .argument("<where>", "the address of the page at which readers begin, or a folder")
    .option("--id <name>", "the id of the source, and so the name of the file; made from the address if not given")
    .option("--print", "print the pipeline, and write no file")
    .option("--allow-address <range>", "an address or range that is not public and may be connected to");
  return withCommonFlags(command).action(action(init));
}

interface Flags {
  readonly id?: string;
  readonly print?: boolean;
  readonly allowAddress?: string;
}

/** What is to be listed, as it was told apart. */
type Target = { readonly kind: "site"; readonly url: string } | { readonly kind: "folder"; readonly path: string };

async function init(context: Context, where: string, flags: Flags): Promise<number> {
  const { app, output, settings, signal } = context;
  const target = targetOf(where);
  const listed = existsSync(settings.pipelines) ? await app.sources() : [];
  const isFree = (id: string): void => mustBeFree(id, listed, settings.pipelines, flags.print === true);
  // Before anything is asked of a site.
  isFree(flags.id ?? (target.kind === "site" ? idOfSite(target.url) : idOfFolder(target.path)));
  const looking = createLooking(settings);
  const { look, page } =
    target.kind === "site"
      ? await looking.site(target.url, flags.allowAddress === undefined ? [] : [flags.allowAddress], signal)
      : await looking.folder(target.path);
  const id = flags.id ?? idOf(look);
  isFree(id);
  const plan = look.kind === "site" ? planSite(look, page) : planFolder(look, page, id);
  const text = pipelineText(plan, where, new Date().toISOString().slice(0, 10));
  const preview = await looking.preview(checked(id, text), look);
  const report = initReport({ look, plan, preview });
  const file = join(settings.pipelines, `${id}.yaml`);
  const value = {
    id,
    ...(flags.print === true ? {} : { file }),
    requests: requestsOf(look),
    facts: plan.facts,
    advice: plan.advice,
    preview,
    text,
  };
  if (flags.print === true) {
    for (const line of report) output.info(line);
    output.result(value, [text.trimEnd()]);
    return 0;
  }
  write(settings.pipelines, file, text);
  output.result(value, [...report, "", `Written: ${file}. Look through it, then: carrel refresh ${id}`]);
  return 0;
}

function requestsOf(look: SiteLook | FolderLook): number {
  return look.kind === "site" ? look.requests : 0;
}

function idOf(look: SiteLook | FolderLook): string {
  return look.kind === "site" ? idOfSite(look.url) : idOfFolder(look.folder);
}

/** A site by its address, also without https://, or a folder that is there. */
function targetOf(where: string): Target {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(where);
  const looksLikeHost = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(where);
  if (!hasScheme && (existsSync(where) || !looksLikeHost)) return { kind: "folder", path: where };
  const url = parseHttpUrl(hasScheme ? where : `https://${where}`);
  if (url.username !== "" || url.password !== "") {
    throw new CarrelError(
      "invalid",
      'An address with a user name or password would put a secret into the pipeline; leave them out, and see "auth" in data/manual/pipelines.md.',
    );
  }
  url.hash = "";
  return { kind: "site", url: url.href };
}

function mustBeFree(id: string, listed: readonly Source[], pipelines: string, isPrinted: boolean): void {
  if (!SOURCE_ID.test(id)) {
    throw new CarrelError(
      "invalid",
      `"${id}" is no good id for a source: lower-case letters, digits, dots, dashes and underscores, beginning with a letter or digit.`,
    );
  }
  if (isPrinted) return;
  const isListed = listed.some((source) => source.id === id) || groupNames(listed).includes(id);
  const isThere = ["yaml", "yml"].some((ending) => existsSync(join(pipelines, `${id}.${ending}`)));
  if (!isListed && !isThere) return;
  throw new CarrelError(
    "invalid",
    `The id "${id}" is taken in ${pipelines}, and nothing is overwritten; say another one, --id ${id}-2, or look at what would be written with --print.`,
  );
}

/** The source that a text lists, read as any pipeline is. */
function checked(id: string, text: string): Source {
  const folder = mkdtempSync(join(tmpdir(), "carrel-init-"));
  try {
    const file = join(folder, `${id}.yaml`);
    writeFileSync(file, text);
    return loadPipeline(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, file: string, text: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    // Fails for a file that came there in the meantime.
    writeFileSync(file, text, { flag: "wx" });
  } catch (thrown) {
    throw new CarrelError(
      "config",
      `${file} cannot be written: ${fileReasonOf(thrown)}. Print the pipeline with --print.`,
    );
  }
}
