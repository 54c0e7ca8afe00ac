import type { QueryReading } from "../domain/chunk.ts";
import { originLink } from "../flow/origin.ts";
import { withoutText } from "../flow/reading.ts";
import { statedFacts, type StatedFacts } from "../flow/stated-facts.ts";
import type {
  Answer,
  DocumentPart,
  DocumentsAnswer,
  FoundPassage,
  FurtherSections,
  SearchAnswer,
} from "../flow/queries.ts";

/** The names that a note lists; the others are counted. */
const MAX_NOTE_NAMES_CHARS = 600;

interface PassageReply {
  readonly parent: string;
  readonly id: string;
  readonly content: string;
  /** When asked for: what the passage is from, where it is on the web, and how near it is to the query, from 0 to 1. */
  readonly title?: string;
  readonly uri?: string;
  readonly headings?: readonly string[];
  readonly score?: number;
}

/** What `search_documents` answers. `note` says what was not given, and is absent when nothing was left out. */
export interface SearchReply {
  readonly results: readonly PassageReply[];
  /** For `page_token`; only for those who page, and absent when there are no more. */
  readonly nextPageToken?: string;
  /** What was made of the query; each absent when it is empty. */
  readonly corrected?: QueryReading["corrected"];
  readonly relaxed?: readonly string[];
  readonly nearest?: readonly string[];
  /** Perhaps nothing here answers the query. */
  readonly weak?: true;
  readonly note?: string;
}

/** What `answer_query` answers. */
export interface AnswerReply {
  readonly answerText: string;
  /** Names of the documents that the answer rests on. */
  readonly references: readonly string[];
  readonly note?: string;
}

interface DocumentReply extends Partial<StatedFacts> {
  readonly name: string;
  readonly uri: string;
  readonly content: string;
  readonly description: string;
  readonly title: string;
  /** Where to read on; absent when the content goes to the end. */
  readonly nextStart?: number;
  /** A fragment of the name that leads to no section, and the sections that there are, nearest first. */
  readonly unknownFragment?: string;
  readonly sections?: readonly string[];
}

/** What `get_documents` answers. */
export interface DocumentsReply {
  readonly documents: readonly DocumentReply[];
  readonly errors?: readonly { readonly name: string; readonly message: string; readonly nearest: readonly string[] }[];
  readonly note?: string;
}

/** @param how `verbose` gives the fields of a passage beyond the contract's, `paged` the token of the next page. */
export function searchReply(
  { passages, leftOut, further, doubt, hosts, reading, nextPageToken }: SearchAnswer,
  { verbose, paged }: { readonly verbose: boolean; readonly paged: boolean },
): SearchReply {
  const results = passages.map((passage): PassageReply => {
    const { parent, id, title, uri, headings, score } = passage;
    const extra = { title, uri, headings, score: Math.round(score * 1_000) / 1_000 };
    const origin = verbose ? "" : `${originLink(passage)}\n\n`;
    return { parent, id, content: origin + withCutNote(passage), ...(verbose && extra) };
  });
  const token = paged && nextPageToken !== undefined ? { nextPageToken } : {};
  const { corrected, relaxed, nearest } = reading;
  const taken = {
    ...(corrected.length > 0 && { corrected }),
    ...(relaxed.length > 0 && { relaxed }),
    ...(nearest.length > 0 && { nearest }),
    ...(doubt !== undefined && { weak: true as const }),
  };
  if (hosts !== undefined) {
    const note = `No document here satisfies the filter and the source. Documents are of ${listed(hosts)}.`;
    return { results, ...taken, note };
  }
  if (passages.length === 0) {
    const like = nearest.length === 0 ? "" : ` Words here that are written like yours: ${quoted(nearest)}.`;
    const note =
      paged && like === ""
        ? "There are no more passages."
        : `Nothing was found.${like} Try fewer or other words, or the exact name of a function, flag or setting.`;
    return { results, ...taken, note };
  }
  const silence = doubtText(doubt) + readingText(reading);
  if (leftOut.length === 0) {
    const note = (silence + (further.length > 0 ? furtherText(further) : "")).trim();
    return { results, ...token, ...taken, ...(note !== "" && { note }) };
  }
  const names = [...new Set(leftOut.map((passage) => passage.parent))];
  const ways = `give these names to get_documents, or ask for less${paged ? ", or go on with page_token" : ""}.`;
  return {
    results,
    ...token,
    ...taken,
    note: `${silence}${count(leftOut.length, "more passage")} did not fit into this reply, from ${listed(names)}. To read them, ${ways}`,
  };
}

function doubtText(doubt: SearchAnswer["doubt"]): string {
  if (doubt === undefined) return "";
  const { silentOn } = doubt;
  const why = silentOn.length === 0 ? "these have only a few of its words" : `no passage speaks of ${quoted(silentOn)}`;
  return `Perhaps nothing here answers this: ${why}. `;
}

/** What was made of a query, as sentences. */
function readingText(reading: QueryReading): string {
  const { corrected, relaxed } = reading;
  const words = corrected.map(
    ({ written, taken }) =>
      `${JSON.stringify(written)} stands nowhere here and was taken for ${JSON.stringify(taken)}. `,
  );
  const phrases =
    relaxed.length === 0 ? "" : `No passage has ${quoted(relaxed)} word for word; its words were looked for instead. `;
  const without = withoutText(reading);
  return words.join("") + phrases + (without === "" ? "" : `${without} `);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(", ");
}

export function answerReply({ text, references }: Answer): AnswerReply {
  return { answerText: text, references: [...new Set(references.map(({ parent }) => parent))] };
}

/** @param verbose Gives what the documents say of themselves. */
export function documentsReply({ documents, failures }: DocumentsAnswer, verbose: boolean): DocumentsReply {
  return {
    documents: documents.map((part) => ({ ...documentReply(part), ...(verbose && statedFacts(part)) })),
    ...(failures.length > 0 && {
      errors: failures.map(({ name, error, nearest }) => ({ name: shortened(name), message: error.message, nearest })),
    }),
  };
}

/** A document whole, or a part of it with a note at both its ends, for agents drop the middle or the end of long replies. */
function documentReply(part: DocumentPart): DocumentReply {
  const { name, uri, description, title, start, end, length } = part;
  const isWhole = start === 0 && end === length;
  if (isWhole && part.section === undefined && part.unknownFragment === undefined) {
    return { name, uri, content: part.content, description, title };
  }
  const note = `[${rangeText(part)}]`;
  return {
    name,
    uri,
    content: `${note}\n\n${part.content.trimEnd()}\n\n${note}`,
    description,
    title,
    ...(end < length && { nextStart: end }),
    ...(part.unknownFragment !== undefined && {
      unknownFragment: shortened(part.unknownFragment),
      sections: part.sections ?? [],
    }),
  };
}

function rangeText({ start, end, length, section, unknownFragment }: DocumentPart): string {
  const unknown =
    unknownFragment === undefined
      ? ""
      : `There is no section ${JSON.stringify(shortened(unknownFragment))} here; \`sections\` names those that there are, nearest first. `;
  const named = section === undefined || section.name === "" ? "" : `Section ${JSON.stringify(section.name)}. `;
  const range = `${unknown}${named}Characters ${start} to ${end} of the ${length} of this document.`;
  if (end === length) return `${range} This is its end.`;
  const onwards = `call get_documents with this name and start ${end}`;
  return end === section?.end
    ? `${range} The section ends here; for what follows, ${onwards}.`
    : `${range} To read on, ${onwards}.`;
}

/** What a failed call says of names that were not found. */
export function failuresText({ errors = [] }: DocumentsReply): string {
  return errors
    .map(({ message, nearest }) => (nearest.length === 0 ? message : `${message} Nearest: ${nearest.join(", ")}.`))
    .join("\n");
}

function furtherText(further: readonly FurtherSections[]): string {
  const places = further.map(({ name, sections }) => {
    const named = sections.map((section) =>
      section === "" ? "its beginning, without a section" : JSON.stringify(section),
    );
    return `${name} (${named.join(", ")})`;
  });
  return `More was found in ${places.join(" and ")}: get_documents gives a page, or one \`section\` of it.`;
}

function withCutNote({ content, omittedChars }: FoundPassage): string {
  if (omittedChars === 0) return content;
  return `${content.trimEnd()}\n\n[${count(omittedChars, "more character")} of this passage; get_documents gives its document.]`;
}

function listed(names: readonly string[]): string {
  let text = names[0] ?? "nothing yet";
  for (const [i, name] of names.entries()) {
    if (i === 0) continue;
    if (text.length + name.length > MAX_NOTE_NAMES_CHARS) return `${text} and ${names.length - i} more`;
    text += `, ${name}`;
  }
  return text;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A name is echoed so that it can be told which one failed; a whole page pasted for a name is not. */
function shortened(name: string): string {
  return name.length > 500 ? `${name.slice(0, 497)}...` : name;
}
