import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { NAME_PREFIX, parseDocumentName } from "../domain/document-name.ts";
import { CarrelError } from "../domain/errors.ts";
import type { Collection, CollectionDocument, Question } from "../flow/evaluation.ts";

/**
 * Reads a collection of questions with right answers:
 * - a file of JSON Lines: `{"id", "query", "relevant": [document names or URLs]}`, asked of the corpus that is there;
 * - a folder in the layout of BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`, or the files of `qrels/`; the first two may be
 *   compressed (`.gz`). Questions without a right answer are left out, as is custom there.
 * @throws CarrelError `not-found` or `invalid`, with the line.
 */
export function readCollection(path: string): Collection {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new CarrelError("not-found", `There is no file or folder ${path}.`);
  return found.isDirectory() ? readBeir(path) : readQuestions(path);
}

/** The collections in a folder, by name. A folder that is one collection is that one. */
export function collectionsIn(folder: string): readonly string[] {
  if (isBeir(folder)) return [folder];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => (statSync(path).isDirectory() ? isBeir(path) : path.endsWith(".jsonl")));
}

function isBeir(folder: string): boolean {
  return plainOrCompressed(join(folder, "corpus.jsonl")) !== undefined;
}

function readQuestions(file: string): Collection {
  const questions = readLines(file).map(({ value, wrong }, i): Question => {
    const { id = String(i + 1), query, relevant } = value;
    if (typeof query !== "string" || !Array.isArray(relevant) || relevant.some((name) => typeof name !== "string")) {
      throw wrong('a question is {"id": "…", "query": "…", "relevant": ["documents/…", …]}');
    }
    const names = (relevant as readonly string[]).map((name) =>
      name.startsWith(NAME_PREFIX) ? name : parseDocumentName(name),
    );
    return { id: String(id), query, relevant: new Map(names.map((name) => [name, 1])) };
  });
  return { name: basename(file).replace(/\.jsonl$/, ""), questions, documents: undefined };
}

function readBeir(folder: string): Collection {
  const documents = readLines(join(folder, "corpus.jsonl")).map(({ value, wrong }): CollectionDocument => {
    const { _id: id, title = "", text } = value;
    if (typeof id !== "string" || typeof title !== "string" || typeof text !== "string") {
      throw wrong('a document is {"_id": "…", "title": "…", "text": "…"}');
    }
    return { id, title, text };
  });
  const judgements = readJudgements(folder);
  const questions = readLines(join(folder, "queries.jsonl")).flatMap(({ value, wrong }): readonly Question[] => {
    const { _id: id, text } = value;
    if (typeof id !== "string" || typeof text !== "string") throw wrong('a question is {"_id": "…", "text": "…"}');
    const relevant = judgements.get(id);
    return relevant === undefined ? [] : [{ id, query: text, relevant }];
  });
  return { name: basename(folder), questions, documents };
}

/** By id of a question: the documents judged above 0. */
function readJudgements(folder: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const below = join(folder, "qrels");
  const files = existsSync(below)
    ? readdirSync(below)
        .filter((name) => name.endsWith(".tsv"))
        .map((name) => join(below, name))
    : [join(folder, "qrels.tsv")];
  // Those of the part that is kept to test with are what published figures are of.
  const chosen = files.filter((file) => basename(file) === "test.tsv");
  const judgements = new Map<string, Map<string, number>>();
  for (const file of chosen.length > 0 ? chosen : files) {
    for (const [i, line] of readText(file).split(/\r?\n/).entries()) {
      const [question, document, score] = line.split("\t");
      if (line === "" || (i === 0 && Number.isNaN(Number(score)))) continue;
      if (question === undefined || document === undefined || Number.isNaN(Number(score ?? Number.NaN))) {
        throw new CarrelError(
          "invalid",
          `${file}, line ${i + 1}: a judgement is the ids of a question and a document, and a number, with tabs between them.`,
        );
      }
      if (Number(score) <= 0) continue;
      const known = judgements.get(question) ?? new Map<string, number>();
      judgements.set(question, known.set(document, Number(score)));
    }
  }
  return judgements;
}

interface Line {
  readonly value: Readonly<Record<string, unknown>>;
  /** The error that says what is wrong with it, and where it is. */
  wrong(what: string): CarrelError;
}

function readLines(file: string): readonly Line[] {
  return readText(file)
    .split(/\r?\n/)
    .flatMap((line, i): readonly Line[] => {
      if (line === "") return [];
      const wrong = (what: string): CarrelError => new CarrelError("invalid", `${file}, line ${i + 1}: ${what}.`);
      try {
        const value: unknown = JSON.parse(line);
        if (typeof value === "object" && value !== null) return [{ value: { ...value }, wrong }];
      } catch {
        // Said below.
      }
      throw wrong("it is no JSON object");
    });
}

function readText(file: string): string {
  const path = plainOrCompressed(file);
  if (path === undefined) throw new CarrelError("not-found", `There is no file ${file}.`);
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

function plainOrCompressed(file: string): string | undefined {
  return [file, `${file}.gz`].find((path) => existsSync(path));
}
