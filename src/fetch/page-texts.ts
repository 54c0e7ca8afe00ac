import { Parser } from "htmlparser2";

/** The distinct pieces of text of a page that a reader sees, without their order. */
export interface PageTexts {
  /** In lower case, blanks folded, numbers replaced by 0. The title is among them. */
  readonly texts: ReadonlySet<string>;
  /** The same with the page's own address taken out, which pages that say "not found" like to repeat. */
  readonly bare: ReadonlySet<string>;
}

const UNSEEN: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);
/** Shorter parts of an address than this are words that pages hold for other reasons. */
const SHORTEST_ECHO = 4;

/** @param url the page's address, as it was asked for. */
export function pageTexts(html: string, url: string): PageTexts {
  const texts = new Set<string>();
  const bare = new Set<string>();
  const echoes = echoesOf(url);
  let unseen = 0;
  let piece = "";

  function finish(): void {
    const text = fold(piece);
    piece = "";
    if (text === "") return;
    texts.add(digitless(text));
    let without = text;
    for (const echo of echoes) if (without.includes(echo)) without = without.replaceAll(echo, "");
    bare.add(digitless(fold(without)));
  }

  const parser = new Parser({
    onopentagname(name) {
      finish();
      if (UNSEEN.has(name)) unseen++;
    },
    ontext(data) {
      if (unseen === 0) piece += data;
    },
    onclosetag(name) {
      finish();
      if (UNSEEN.has(name) && unseen > 0) unseen--;
    },
    onend: finish,
  });
  parser.end(html);
  bare.delete("");
  return { texts, bare };
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function digitless(text: string): string {
  return text.replaceAll(/\d+/g, "0");
}

/** How a page may write the address that it was asked under, longest first. */
function echoesOf(url: string): readonly string[] {
  const { href, pathname, search, host } = new URL(url);
  const path = safelyDecoded(pathname);
  const file = path.slice(path.lastIndexOf("/", path.length - 2) + 1).replace(/\/$/, "");
  const dot = file.lastIndexOf(".");
  const stem = dot > 0 ? file.slice(0, dot) : file;
  const forms = [
    href,
    host + pathname,
    pathname + search,
    path,
    path.slice(1),
    file,
    stem,
    stem.replaceAll(/[-_]/g, " "),
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))]
    .filter((form) => form.length >= SHORTEST_ECHO)
    .sort((a, b) => b.length - a.length);
}

function safelyDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
