import type { Passage } from "../domain/chunk.ts";
import { reasonOf } from "../domain/errors.ts";
import { judge, JUDGED, shownWords } from "./answerable.ts";
import { citedAnswer } from "./cited-answer.ts";
import { excerpt, jsonLength } from "./excerpt.ts";
import { fairShares } from "./fair-shares.ts";
import { pathOf } from "./origin.ts";
import type { Answer, Citation, QueryPorts } from "./queries.ts";
import { pageOf, passagesOf, rankedPassages } from "./ranked-passages.ts";
import { completeSections } from "./whole-sections.ts";

/** Passages that an answer is made from. */
const MAX_EVIDENCE = 6;
/** Of all that a writer is given, in characters: a model with a window of 8,000 tokens reads it whole. */
const MAX_EVIDENCE_CHARS = 14_000;
/**
 * Passages that a quoting answer quotes. Of 150 users' questions on Python's documentation the right page was among the
 * documents of 3 quotations for 60 %, of 4 for 66 %, of 5 for 71 %; with 5 an answer is as long as a search reply.
 */
const MAX_QUOTES = 4;
/** Documents that a refusal names. */
const MAX_NEAREST = 3;
/**
 * A passage with less than this share of the best one's score is about something else. Of the same questions it leaves one in
 * eight quotations out, and with them the right page of one in 200.
 */
const LEAST_SHARE_OF_BEST = 0.7;
/** Two passages that share so many of the lines of the shorter one say the same. */
const SAME_LINES_SHARE = 0.8;
/** Shorter lines, such as a lone brace, say nothing about what a passage is. */
const LEAST_LINE_CHARS = 20;
/** What a quoting answer begins with where answers are otherwise written. */
const UNWRITTEN = "The language model that writes answers here gave none that can be relied on. The best passages:\n\n";
/** Room for what surrounds a quotation that is cut. */
const CUT_MARK = "\n\n[…]";

/**
 * Answers a question from the passages that are found for it. A writer that fails costs no more than its time: the best
 * passages are quoted instead.
 * @param within the documents to look in; all, when it is undefined.
 */
export async function answerQuestion(
  ports: QueryPorts,
  query: string,
  within: ReadonlySet<number> | undefined,
  maxChars: number,
): Promise<Answer> {
  const ranked = await rankedPassages(ports, query, MAX_EVIDENCE, within);
  const { page } = pageOf(ranked, 0, MAX_EVIDENCE, true);
  const room = Math.min(maxChars, MAX_EVIDENCE_CHARS);
  const taken = passagesOf(page).reduce((sum, { content }) => sum + jsonLength(content), 0);
  const evidence = withoutTwins(passagesOf(completeSections(ports.corpus, page, room - taken)));
  if (evidence.length === 0) {
    const advice = "Try other words, or the exact name of a function, flag or setting.";
    return unanswered(`The documentation kept here has nothing about this. ${advice}`);
  }
  const answer = await written(ports, query, evidence, maxChars);
  if (answer !== undefined) return answer;
  const lead = ports.writer === undefined ? "" : UNWRITTEN;
  const judged = passagesOf(pageOf(ranked, 0, JUDGED, false).page);
  const { isAnswered, missing } = judge(query, judged, ports.corpus.titles().values());
  return isAnswered ? quoted(evidence, maxChars, lead) : refusal(evidence, missing);
}

/** Says that nothing answers, and where to look all the same. @param missing words of the question that are nowhere. */
function refusal(evidence: readonly Passage[], missing: readonly string[]): Answer {
  const names = [...new Set(evidence.map(({ parent }) => parent))].slice(0, MAX_NEAREST);
  const words = shownWords(missing).map((word) => JSON.stringify(word));
  const silence = words.length === 0 ? "" : ` Nothing that was found speaks of ${words.join(", ")}.`;
  return unanswered(`The documentation kept here does not answer this.${silence} Nearest to it: ${names.join(", ")}.`);
}

/** What the writer makes of the passages; undefined without a writer, and when what it says cannot be relied on. */
async function written(
  { writer, logger }: QueryPorts,
  query: string,
  evidence: readonly Passage[],
  maxChars: number,
): Promise<Answer | undefined> {
  if (writer === undefined) return undefined;
  const shares = fairShares(
    evidence.map(({ content }) => jsonLength(content)),
    MAX_EVIDENCE_CHARS,
  );
  const passages = evidence.map(({ title, headings, content }, i) => ({
    path: [title, ...headings],
    content: excerpt(content, 0, Math.max(shares[i] ?? 0, 1)).text,
  }));
  let text: string | undefined;
  try {
    text = await writer.write(query, passages);
  } catch (thrown) {
    logger?.warn(`The best passages are quoted, for no answer was written: ${reasonOf(thrown)}`);
    return undefined;
  }
  if (text === undefined) return refusal(evidence, []);
  const answer = citedAnswer(text, evidence);
  if (answer.citations.length === 0 || jsonLength(answer.text) > maxChars) {
    const fault = answer.citations.length === 0 ? "cites no passage" : "is too long";
    logger?.warn(`The best passages are quoted, for the answer that was written ${fault}.`);
    return undefined;
  }
  return answer;
}

/** The best passages one after another, each under where it is from. @param lead what is said before them. */
function quoted(evidence: readonly Passage[], maxChars: number, lead: string): Answer {
  const best = Math.max(...evidence.map(({ score }) => score));
  const near = evidence.filter(({ score }) => score >= LEAST_SHARE_OF_BEST * best).slice(0, MAX_QUOTES);
  const references = fitting(near, maxChars);
  const frames = references.reduce((sum, passage) => sum + jsonLength(origin(passage) + CUT_MARK) + 4, 0);
  const shares = fairShares(
    references.map(({ content }) => jsonLength(content)),
    maxChars - frames - jsonLength(lead),
  );
  const citations: Citation[] = [];
  let text = lead;
  for (const [i, passage] of references.entries()) {
    const piece = excerpt(passage.content, 0, Math.max(shares[i] ?? 0, 1));
    const quotation = piece.text.trim() + (piece.end < passage.content.length ? CUT_MARK : "");
    text += `${i === 0 ? "" : "\n\n"}${origin(passage)}`;
    const startByte = Buffer.byteLength(text);
    text += quotation;
    citations.push({ startByte, endByte: Buffer.byteLength(text), references: [i] });
  }
  return { text, citations, references };
}

/** Those whose origins leave room for what they say: addresses can be long. */
function fitting(passages: readonly Passage[], maxChars: number): readonly Passage[] {
  let frames = 0;
  return passages.filter((passage, i) => (frames += jsonLength(origin(passage))) < maxChars / 2 || i === 0);
}

function origin({ title, headings, uri }: Passage): string {
  return `From **${pathOf({ title, headings }).replaceAll("*", "\\*")}** (${uri}):\n\n`;
}

function unanswered(text: string): Answer {
  return { text, citations: [], references: [] };
}

/** Leaves out passages that say what one before them says: twins of a page under another address or version. */
function withoutTwins(passages: readonly Passage[]): readonly Passage[] {
  const kept: { readonly passage: Passage; readonly lines: ReadonlySet<string> }[] = [];
  for (const passage of passages) {
    const lines = linesOf(passage.content);
    if (!kept.some((other) => isTwin(lines, other.lines))) kept.push({ passage, lines });
  }
  return kept.map(({ passage }) => passage);
}

function isTwin(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const line of fewer) if (more.has(line)) shared++;
  return fewer.size > 0 && shared >= SAME_LINES_SHARE * fewer.size;
}

function linesOf(content: string): ReadonlySet<string> {
  const lines = content.split("\n").map((line) => line.trim().replace(/\s+/g, " ").toLowerCase());
  return new Set(lines.filter((line) => line.length >= LEAST_LINE_CHARS));
}
