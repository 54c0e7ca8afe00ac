import type { Passage } from "../domain/chunk.ts";
import type { Answer, Citation } from "./queries.ts";

/** `[1]`, `[1, 2]`; not `[1](…)`, which is a link. */
const MARKER = /[ \t]{0,4}\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/y;
/** Code is copied as it is: in it `[1]` is an index. */
const CODE = /(`+)(?!`)[^]*?[^`]\1(?!`)/y;

/**
 * Reads the citations of a written answer: `[1]` cites the first passage for what stands before it in its paragraph. The
 * passages that are cited are numbered anew in the order of the text; numbers that name none are taken out.
 */
export function citedAnswer(written: string, evidence: readonly Passage[]): Answer {
  const source = written.trim();
  const cited: number[] = [];
  const citations: Citation[] = [];
  let text = "";
  /** Where what the next marker cites begins in `text`. */
  let from = 0;
  for (let at = 0; at < source.length;) {
    const found = matchAt(MARKER, source, at);
    if (found !== undefined) {
      const numbers = (found[1] ?? "").split(",").map((number) => Number(number) - 1);
      const references = numbers
        .filter((number) => evidence[number] !== undefined)
        .map((number) => indexIn(cited, number));
      if (references.length > 0) {
        cite(citations, text, from, references);
        text += ` [${references.map((reference) => reference + 1).join(", ")}]`;
        from = text.length;
      }
      at += found[0].length;
      continue;
    }
    const piece = matchAt(CODE, source, at)?.[0] ?? source.slice(at, at + 1);
    text += piece;
    if (text.endsWith("\n\n")) from = text.length;
    at += piece.length;
  }
  return { text, citations, references: cited.map((number) => evidence[number] as Passage) };
}

/** Markers that follow one another cite the same words. */
function cite(citations: Citation[], text: string, from: number, references: readonly number[]): void {
  const words = text.slice(from);
  const last = citations.at(-1);
  if (!/[\p{L}\p{N}]/u.test(words) && last !== undefined) {
    citations[citations.length - 1] = { ...last, references: [...new Set([...last.references, ...references])] };
    return;
  }
  // What is left of the sentence before, such as its full stop, is not cited.
  const lead = /^[\s.,;:!?)]*/.exec(words)?.[0].length ?? 0;
  const startByte = Buffer.byteLength(text.slice(0, from + lead));
  citations.push({ startByte, endByte: Buffer.byteLength(text.trimEnd()), references: [...new Set(references)] });
}

function indexIn(cited: number[], number: number): number {
  const known = cited.indexOf(number);
  return known >= 0 ? known : cited.push(number) - 1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
