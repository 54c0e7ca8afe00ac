import type { Exclusion } from "./init-habits.ts";
import type { FolderPlan, PipelinePlan, WebPlan } from "./init-plan.ts";

const WIDTH = 118;

/**
 * A pipeline as a file: what was found as a comment, and each key that is not its default, with its reason.
 * @param from what was looked at. @param when the day, as ISO 8601.
 */
export function pipelineText(plan: PipelinePlan, from: string, when: string): string {
  const head = [
    `Written by "carrel init ${from}" on ${when}. What was found:`,
    ...plan.facts.map(({ name, value }) => `  ${name}: ${value}`),
  ];
  const { source } = plan;
  return [
    ...head.flatMap(comment),
    `title: ${quoted(plan.title)}`,
    ...(source.kind === "web" ? webLines(source) : folderLines(source)),
    "",
  ].join("\n");
}

function* webLines(plan: WebPlan): Iterable<string> {
  yield "seeds:";
  for (const seed of plan.seeds) yield `  - ${quoted(seed)}`;
  yield "scope:";
  yield `  # ${TYPE_MEANS[plan.type]}`;
  yield `  type: ${plan.type}`;
  if (plan.include.length > 0) {
    yield "  # Of the host what lies below the seed";
    yield "  include:";
    for (const pattern of plan.include) yield `    - ${quoted(pattern)}`;
  }
  if (plan.languages.length > 0) {
    yield* comment(`Also there: ${plan.otherLanguages.join(", ")}`).map((line) => `  ${line}`);
    yield `  languages: [${plan.languages.map(quoted).join(", ")}]`;
  }
  if (plan.versions.length > 0) {
    yield* comment(`Also there: ${plan.otherVersions.join(", ")}`).map((line) => `  ${line}`);
    yield `  versions: [${plan.versions.map(quoted).join(", ")}]`;
  }
  yield* exclusions(plan.exclude);
  if (plan.sitemaps.length > 0) {
    yield "# robots.txt does not name it";
    yield "sitemaps:";
    for (const url of plan.sitemaps) yield `  - ${quoted(url)}`;
  }
  if (plan.prefersMarkdown) {
    yield "# The site offers its pages as Markdown, and its HTML is of no kind that is known";
    yield "markdown: prefer";
  }
  if (plan.needsBrowser) {
    yield "# The first page holds no text until a script has run; pages that do are not built by the browser";
    yield "render: auto";
  }
  if (plan.allowAddresses.length > 0) yield `allowAddresses: [${plan.allowAddresses.map(quoted).join(", ")}]`;
  yield "limits:";
  if (plan.maxPages !== undefined) {
    yield "  # The sitemaps list more than a run asks for by default";
    yield `  maxPages: ${plan.maxPages}`;
  }
  yield `  concurrency: ${plan.concurrency}`;
  yield `  delayMs: ${plan.delayMs}`;
}

const TYPE_MEANS: Readonly<Record<WebPlan["type"], string>> = {
  page: "That page alone",
  prefix: "What lies in the directory of the seed",
  host: "The whole host",
};

function* folderLines(plan: FolderPlan): Iterable<string> {
  yield `folder: ${quoted(plan.folder)}`;
  yield plan.isBaseKnown
    ? "# As most of the pages say of themselves"
    : "# No page says it: put the public address of the folder here, for agents cite it";
  yield `baseUrl: ${quoted(plan.baseUrl)}`;
  if (plan.exclude.length > 0) yield "scope:";
  yield* exclusions(plan.exclude);
}

function* exclusions(excluded: readonly Exclusion[]): Iterable<string> {
  if (excluded.length === 0) return;
  yield "  exclude:";
  for (const { pattern, why } of excluded) {
    yield `    # ${why}`;
    yield `    - '${pattern.replaceAll("'", "''")}'`;
  }
}

/** What is found is written by others: a comment ends with its line, so nothing in it may end one. */
function comment(text: string): readonly string[] {
  const clean = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ");
  const indent = /^ */.exec(clean)?.[0] ?? "";
  const lines: string[] = [];
  let line = "";
  for (const word of clean.trim().split(" ")) {
    if (line !== "" && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = `${indent}  `;
    }
    line += line.trim() === "" ? (line === "" ? indent : "") + word : ` ${word}`;
  }
  return [...lines, line].map((one) => `# ${one}`);
}

/** A JSON string is a YAML string; what needs no quotes is easier to read without. */
function quoted(text: string): string {
  const isPlain = /^[A-Za-z][\w./~%-]*$|^https?:\/\/[\w./~%:-]*[\w/]$/.test(text);
  return isPlain && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text) ? text : JSON.stringify(text);
}
