import { createApp } from "../app.ts";
import { readSettings } from "../config/settings.ts";
import { collectionsIn, readCollection } from "../cli/collections.ts";
import { evaluationTable } from "../cli/commands/eval.ts";
import { evaluate, SEARCH_SETTINGS, type Collection, type Evaluation, type SearchSetting } from "../flow/evaluation.ts";
import { openCollectionTrial, openCorpusTrial } from "../trial.ts";

/**
 * Asks every collection of a folder under every setting, so that the worth of each part of the ranking is seen.
 * @param data the folder of the stores that questions without documents are asked of; without it they are left out.
 * @returns lines of a table.
 */
export async function benchQuality(
  folder: string,
  data: string | undefined,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const evaluations: Evaluation[] = [];
  const leftOut: string[] = [];
  for (const path of collectionsIn(folder)) {
    const collection = readCollection(path);
    if (collection.documents === undefined && data === undefined) {
      leftOut.push(collection.name);
      continue;
    }
    for (const setting of SEARCH_SETTINGS) {
      say(`${collection.name}: ${setting}`);
      evaluations.push(await ask(collection, setting, data));
    }
  }
  const notes = leftOut.map((name) => `${name} is asked of a corpus; give its folder with --data.`);
  return [...evaluationTable(evaluations), ...notes];
}

async function ask(collection: Collection, setting: SearchSetting, data: string | undefined): Promise<Evaluation> {
  const { signal } = new AbortController();
  if (collection.documents !== undefined) {
    await using trial = await openCollectionTrial(collection.documents, setting, signal);
    return await evaluate(trial, collection, setting, signal);
  }
  const app = createApp(readSettings(data === undefined ? {} : { data }), { info() {}, warn() {} });
  using reading = app.openReading();
  await using trial = await openCorpusTrial(reading.corpus, setting, signal);
  return await evaluate(trial, collection, setting, signal);
}
