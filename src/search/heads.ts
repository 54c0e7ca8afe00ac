/** More characters or words before a colon are a sentence, and not what is defined. */
const MAX_HEAD_CHARS = 120;
const MAX_HEAD_WORDS = 6;

/** More in one passage are a list of names, and none of them is what it is about. */
const MAX_HEADS = 60;

/**
 * What the entries of a Markdown passage define: the terms of its definition lists (`- \`work_mem\` (\`integer\`): Sets …`), its
 * signatures, which stand alone in a line of code, and the names in the first column of its tables. Each without its parameters
 * and types. They are to their entries what a heading is to a section. Takes time linear in the text.
 */
export function headsOf(markdown: string): readonly string[] {
  const heads: string[] = [];
  let fence = "";
  for (let from = 0; from < markdown.length && heads.length < MAX_HEADS;) {
    const newline = markdown.indexOf("\n", from);
    const end = newline < 0 ? markdown.length : newline;
    const start = afterSpace(markdown, from, end);
    from = end + 1;
    const marker = fenceMarker(markdown, start);
    if (fence !== "") {
      if (marker === fence) fence = "";
      continue;
    }
    if (marker !== "") fence = marker;
    else addHead(heads, markdown, start, end);
  }
  return heads;
}

function addHead(heads: string[], text: string, start: number, end: number): void {
  let head = "";
  switch (text.charAt(start)) {
    case "-":
    case "*":
      if (text[start + 1] === " ") head = termOf(text, start + 2, end);
      break;
    case "`":
      head = signatureOf(text, start, end);
      break;
    case "|":
      head = firstCell(text, start + 1, end);
  }
  const name = head.trim();
  if (name !== "") heads.push(name);
}

/** What stands before the colon of a list item, or the code that it begins with. */
function termOf(text: string, start: number, end: number): string {
  const last = Math.min(end, start + MAX_HEAD_CHARS);
  let codeEnd = start;
  for (let i = start; i < last; i++) {
    const sign = text[i];
    if (sign === "`") {
      const close = text.indexOf("`", i + 1);
      if (close < 0 || close >= end) return "";
      i = close;
      if (onlyCodeBetween(text, codeEnd, text.lastIndexOf("`", close - 1))) codeEnd = close + 1;
    } else if (sign === ":" && (i + 1 === end || text[i + 1] === " ")) {
      return withoutTypes(text.slice(start, i));
    } else if (sign === "." && text[i + 1] === " ") {
      break;
    }
  }
  return codeEnd > start ? withoutTypes(text.slice(start, codeEnd)) : "";
}

/** Whether between two pieces of code there is nothing but what joins names. */
function onlyCodeBetween(text: string, from: number, to: number): boolean {
  return /^[\s,/|]{0,4}$/.test(text.slice(from, to));
}

/** A line that is one piece of code: its name alone. */
function signatureOf(text: string, start: number, end: number): string {
  const close = text.indexOf("`", start + 1);
  if (close < 0 || close + 1 < end) return "";
  const code = text.slice(start + 1, close);
  const parameters = code.search(/[(=:]/);
  return (parameters > 0 ? code.slice(0, parameters) : code).slice(0, MAX_HEAD_CHARS);
}

function firstCell(text: string, start: number, end: number): string {
  const from = afterSpace(text, start, end);
  if (text[from] !== "`") return "";
  const close = text.indexOf("|", from);
  return close < 0 || close > Math.min(end, from + MAX_HEAD_CHARS) ? "" : withoutTypes(text.slice(from, close));
}

/** Without what is in round brackets, and the signs of Markdown. "" for what has too many words. */
function withoutTypes(term: string): string {
  const bare = term
    .replace(/\]\([^()\s]{0,1000}\)/g, "]")
    .replace(/\([^()]{0,100}\)/g, " ")
    .replace(/[`*[\]]/g, " ")
    .trim();
  return bare.split(/\s+/).length > MAX_HEAD_WORDS ? "" : bare;
}

function afterSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] === " " || text[at] === "\t")) at++;
  return at;
}

function fenceMarker(text: string, at: number): string {
  return text.startsWith("```", at) ? "```" : text.startsWith("~~~", at) ? "~~~" : "";
}
