import type { FolderLook, Preview, SiteLook } from "../domain/site-look.ts";
import type { PipelinePlan } from "../flow/init-plan.ts";

/** What a look at documentation came to. */
export interface InitFindings {
  readonly look: SiteLook | FolderLook;
  readonly plan: PipelinePlan;
  readonly preview: Preview;
}

const RULES_SHOWN = 8;

/** What was found, what a refresh would ask for, and what it would leave out and why. */
export function* initReport({ look, plan, preview }: InitFindings): Iterable<string> {
  yield look.kind === "site"
    ? `Looked at ${look.asked} with ${look.requests} request${look.requests === 1 ? "" : "s"}:`
    : `Looked at ${look.folder}:`;
  const width = Math.max(...plan.facts.map(({ name }) => name.length));
  for (const { name, value } of plan.facts) yield `  ${name.padEnd(width)}  ${value}`;
  yield "";
  yield heading(look, preview);
  for (const url of preview.samples) yield `  ${url}`;
  if (preview.taken > preview.samples.length) yield `  and ${preview.taken - preview.samples.length} more`;
  if (preview.leftOut.length > 0) {
    yield "Left out:";
    for (const { count, rule, example } of preview.leftOut.slice(0, RULES_SHOWN)) {
      yield `  ${count}: ${rule}, such as ${example}`;
    }
    const rest = preview.leftOut.slice(RULES_SHOWN);
    if (rest.length > 0) yield `  ${rest.reduce((sum, { count }) => sum + count, 0)}: by ${rest.length} more rules`;
  }
  if (plan.advice.length > 0) yield "";
  for (const advice of plan.advice) yield `Note: ${advice}`;
}

function heading(look: SiteLook | FolderLook, { taken, leftOut }: Preview): string {
  const all = taken + leftOut.reduce((sum, { count }) => sum + count, 0);
  if (look.kind === "folder") return `A refresh would read ${taken} of ${all} documents:`;
  if (look.listed.length === 0)
    return `No list of its pages was found, so links lead further; of ${all === 1 ? "1 address" : `${all} addresses`} on the first page a refresh would ask for ${taken}:`;
  const of =
    look.estimate > look.listed.length
      ? `the ${all} that were read, of about ${look.estimate}`
      : `${all} that are listed`;
  return `A refresh would ask for ${taken} pages of ${of}:`;
}
