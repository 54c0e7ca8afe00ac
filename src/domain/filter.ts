import { PAGE_KINDS } from "./document.ts";
import { CarrelError } from "./errors.ts";
import { didYouMean } from "./nearest.ts";

/** Which documents are meant: a condition on one of their fields, or several joined. */
export type Filter =
  | { readonly kind: "and" | "or"; readonly parts: readonly Filter[] }
  | { readonly kind: "not"; readonly part: Filter }
  | Comparison;

export type Comparison =
  /**
   * Equal as a whole; `language` and `version` also to what is more exact than the value, such as 3.11.2 to 3.11. `data_source`
   * is the host of the name; `source` is the id of a source, and not in the grammar.
   */
  | {
      readonly kind: "text";
      readonly field: "data_source" | "uri" | "language" | "version" | "kind" | "source";
      readonly operator: "=" | "!=";
      readonly value: string;
    }
  /** `value` is UTC as `2026-05-04T00:00:00.000`, with more digits if they were given: it sorts as the times do. */
  | {
      readonly kind: "time";
      readonly field: "update_time";
      readonly operator: Exclude<Operator, "!=">;
      readonly value: string;
    }
  /** Of the content in UTF-8. */
  | {
      readonly kind: "number";
      readonly field: "content_length_bytes";
      readonly operator: Operator;
      readonly value: number;
    };

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** Longest filter, in characters. Source: the Developer Knowledge contract, section 3. */
const MAX_FILTER_CHARS = 500;

const EQUALITY: readonly Operator[] = ["=", "!="];
const ORDER: readonly Operator[] = ["<", "<=", ">", ">="];
const FIELDS: Readonly<Record<Exclude<Comparison["field"], "source">, readonly Operator[]>> = {
  data_source: EQUALITY,
  uri: EQUALITY,
  update_time: ["=", ...ORDER],
  content_length_bytes: [...EQUALITY, ...ORDER],
  // Beyond the contract.
  language: EQUALITY,
  version: EQUALITY,
  kind: EQUALITY,
};
const NO_MEANING = "it has no meaning here";
const EXAMPLE = 'data_source = "docs.python.org" AND update_time >= "2026-01-01T00:00:00Z"';

/**
 * Reads a filter: comparisons of `data_source`, `uri`, `update_time` and `content_length_bytes`, joined by AND, OR, NOT, `-`
 * and parentheses, where OR binds tighter than AND. An empty one is undefined.
 * Source: the Developer Knowledge contract, section 3, a subset of https://google.aip.dev/160; besides its fields there are
 * `language`, `version` and `kind`.
 * @throws CarrelError `invalid` that names the place, counted in characters from 1.
 */
export function parseFilter(text: string): Filter | undefined {
  if (text.length > MAX_FILTER_CHARS) {
    throw new CarrelError(
      "invalid",
      `The filter has ${text.length} characters, and at most ${MAX_FILTER_CHARS} are read.`,
    );
  }
  const parser = new Parser(text);
  return parser.isAtEnd() ? undefined : parser.whole();
}

interface Token {
  readonly kind: "word" | "text" | "number" | "operator" | "(" | ")" | "-" | "other" | "end";
  /** As written; of a quoted text what is between the quotes, without escapes. */
  readonly value: string;
  /** In characters from 0. */
  readonly at: number;
}

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = this.#read();
  }

  isAtEnd(): boolean {
    return this.#peek().kind === "end";
  }

  whole(): Filter {
    const filter = this.#conjunction();
    const rest = this.#peek();
    if (rest.kind !== "end") {
      throw this.#wrong(rest, rest.kind === ")" ? "no parenthesis is open" : missingBefore(rest));
    }
    return filter;
  }

  #conjunction(): Filter {
    return this.#joined("and", () => this.#joined("or", () => this.#negation()));
  }

  #joined(kind: "and" | "or", part: () => Filter): Filter {
    const parts = [part()];
    while (this.#isWord(kind.toUpperCase())) {
      this.#next++;
      parts.push(part());
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind, parts };
  }

  #negation(): Filter {
    if (this.#isWord("NOT") || this.#peek().kind === "-") {
      this.#next++;
      return { kind: "not", part: this.#negation() };
    }
    const open = this.#peek();
    if (open.kind !== "(") return this.#comparison();
    this.#next++;
    const inner = this.#conjunction();
    if (this.#peek().kind !== ")") throw this.#wrong(this.#peek(), `the parenthesis at ${open.at + 1} is not closed`);
    this.#next++;
    return inner;
  }

  #comparison(): Comparison {
    const name = this.#take();
    if (name.kind !== "word" || !isField(name.value)) {
      const capitals = /^not$/i.test(name.value) && name.value !== "NOT";
      if (capitals) throw this.#wrong(name, "NOT is written in capitals");
      if (name.kind === "other") throw this.#wrong(name, NO_MEANING);
      const hint = name.kind === "word" ? didYouMean(name.value, Object.keys(FIELDS)) : "";
      throw this.#wrong(name, `a field is expected: ${Object.keys(FIELDS).join(", ")}${hint === "" ? "" : `.${hint}`}`);
    }
    const field = name.value;
    const sign = this.#take();
    if (sign.kind === "other") throw this.#wrong(sign, NO_MEANING);
    const operator = FIELDS[field].find((known) => sign.kind === "operator" && known === sign.value);
    if (operator === undefined) throw this.#wrong(sign, `after ${field} one of ${FIELDS[field].join(" ")} is expected`);
    const value = this.#take();
    if (field === "content_length_bytes") {
      const number = value.kind === "number" ? Number(value.value) : Number.NaN;
      if (!Number.isSafeInteger(number)) {
        const right =
          value.kind === "text" && /^\d{1,15}$/.test(value.value) ? `: ${field} ${operator} ${value.value}` : "";
        throw this.#wrong(value, `${field} is compared to a whole number, unquoted${right}`);
      }
      return { kind: "number", field, operator, value: number };
    }
    if (value.kind !== "text") {
      const bare = this.#bareAt(value.at);
      const right = bare === "" ? "" : `: ${field} ${operator} "${field === "update_time" ? wholeTime(bare) : bare}"`;
      throw this.#wrong(
        { ...value, value: bare || value.value },
        `${field} is compared to a text in quotation marks${right}`,
      );
    }
    if (field === "update_time") {
      const time = sortableTime(value.value);
      if (time === undefined) {
        throw this.#wrong(value, `a time in RFC 3339 is expected, such as ${wholeTime(value.value)}`);
      }
      return { kind: "time", field, operator: operator as Exclude<Operator, "!=">, value: time };
    }
    if (field === "kind" && !PAGE_KINDS.some((kind) => kind === value.value)) {
      throw this.#wrong(value, `a kind of page is one of ${PAGE_KINDS.join(", ")}`);
    }
    const text = field === "version" ? value.value.replace(/^v(?=\d)/i, "") : value.value;
    return { kind: "text", field, operator: operator as "=" | "!=", value: text };
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", value: "", at: this.#text.length };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #isWord(word: string): boolean {
    const token = this.#peek();
    return token.kind === "word" && token.value === word;
  }

  #read(): readonly Token[] {
    const tokens: Token[] = [];
    const pattern = /\s*(?:([A-Za-z_]\w*)|(-?\d+(?![\w.]))|(!=|<=|>=|=|<|>)|([()-])|("|')|(.|$))/suy;
    while (pattern.lastIndex < this.#text.length) {
      const found = pattern.exec(this.#text);
      if (found === null) break;
      const [whole, word, number, operator, sign, quote, other] = found;
      const length = (word ?? number ?? operator ?? sign ?? quote ?? other ?? "").length;
      const at = found.index + whole.length - length;
      if (word !== undefined) tokens.push({ kind: "word", value: word, at });
      else if (number !== undefined) tokens.push({ kind: "number", value: number, at });
      else if (operator !== undefined) tokens.push({ kind: "operator", value: operator, at });
      else if (sign !== undefined) tokens.push({ kind: sign as "(" | ")" | "-", value: sign, at });
      else if (quote !== undefined) tokens.push(this.#quoted(at, pattern));
      else if (length > 0) tokens.push({ kind: "other", value: other ?? "", at });
      else break;
    }
    return tokens;
  }

  /** A text in double or single quotes, in which a backslash takes the next character as it is. */
  #quoted(at: number, pattern: RegExp): Token {
    const quote = this.#text[at];
    let value = "";
    for (let i = at + 1; i < this.#text.length; i++) {
      if (this.#text[i] === quote) {
        pattern.lastIndex = i + 1;
        return { kind: "text", value, at };
      }
      if (this.#text[i] === "\\") i++;
      value += this.#text[i] ?? "";
    }
    throw this.#wrong({ kind: "word", value: quote ?? "", at }, "the quotation mark is not closed");
  }

  /** What stands there up to the next space or parenthesis: a text without its quotation marks. */
  #bareAt(at: number): string {
    return /^[^\s()"']{1,200}/.exec(this.#text.slice(at))?.[0] ?? "";
  }

  #wrong({ kind, value, at }: Token, what: string): CarrelError {
    const where = kind === "end" ? "At its end" : `At character ${at + 1}, ${JSON.stringify(value.slice(0, 60))}`;
    return new CarrelError("invalid", `The filter cannot be read. ${where}: ${what}. An example: ${EXAMPLE}`);
  }
}

function missingBefore({ kind, value }: Token): string {
  if (/^(?:and|or)$/i.test(value)) return `${value.toUpperCase()} is written in capitals`;
  if (/^[&|]/.test(value)) return "AND and OR are written as words";
  return kind === "other" ? NO_MEANING : "AND or OR is missing before it";
}

/** A day with the time at which it begins, else an example: what a filter's author may have meant. */
function wholeTime(text: string): string {
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  return sortableTime(whole) === undefined ? "2026-01-31T12:00:00Z" : whole;
}

function isField(word: string): word is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, word);
}

/** A time of RFC 3339 as UTC without its zone; undefined when it is none. */
function sortableTime(text: string): string | undefined {
  const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;
  const [, year, month, day, clock, fraction = "", zone] = pattern.exec(text) ?? [];
  if (day === undefined || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) {
    return undefined;
  }
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const time = new Date(`${year}-${month}-${day}T${clock}.${milliseconds}${zone?.toUpperCase()}`);
  if (Number.isNaN(time.getTime())) return undefined;
  return time.toISOString().slice(0, -1) + fraction.slice(3).replace(/0{1,6}$/, "");
}
