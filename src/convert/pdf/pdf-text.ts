/** A run of text in one font, as it stands on a page. Lengths are in points, and `y` grows upwards. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly size: number;
  readonly mono: boolean;
  /** The name that the file gives its font: another one may be its bold or its slanted face. */
  readonly font: string;
}

/** A page's text. */
export interface PdfPage {
  /** From 1. */
  readonly number: number;
  readonly runs: readonly Run[];
}

/** What a PDF says of itself, and its text page by page. */
export interface PdfText {
  /** Of its metadata; "" when it has none. */
  readonly title: string;
  /** BCP 47; "" when it does not say. */
  readonly language: string;
  /** Bookmarks in their order, each with how deep it is, from 0. */
  readonly outline: readonly { readonly title: string; readonly depth: number }[];
  readonly pages: readonly PdfPage[];
}

/** Why a PDF cannot be read, for the person who reads the failure. */
export class UnreadablePdf extends Error {}

/** A table of contents with more entries names more than headings. */
const MAX_OUTLINE_ENTRIES = 5000;
/** pdf.js reports errors only. */
const VERBOSITY_ERRORS = 0;

/**
 * Reads the text of a PDF with pdf.js, page by page.
 * @throws UnreadablePdf when it is encrypted or damaged.
 */
export async function readPdf(body: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  // pdf.js takes the bytes away from whoever gives them.
  const pdf = await getDocumentProxy(new Uint8Array(body), { verbosity: VERBOSITY_ERRORS, stopAtErrors: false }).catch(
    (error: unknown) => {
      throw new UnreadablePdf(reasonOfRefusal(error));
    },
  );
  try {
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
    const pages: PdfPage[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items, styles } = await page.getTextContent();
      const runs: Run[] = [];
      for (const item of items) {
        if (!("str" in item)) continue;
        const run = runOf(item, styles[item.fontName]?.fontFamily === "monospace", item.fontName);
        if (run !== undefined) runs.push(run);
      }
      pages.push({ number, runs });
      page.cleanup();
    }
    return {
      title: textField(info, "Title"),
      language: textField(info, "Language"),
      outline: flatOutline(await pdf.getOutline().catch(() => [])),
      pages,
    };
  } finally {
    await pdf.destroy();
  }
}

interface TextItem {
  readonly str: string;
  /** a, b, c, d, e, f of the matrix that puts the text on the page. */
  readonly transform: readonly unknown[];
  readonly width: number;
}

/** Text that is not upright, such as a stamp along the margin, is none to read. */
function runOf(item: TextItem, mono: boolean, font: string): Run | undefined {
  const [a, b, c, d, x, y] = item.transform.map(Number);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  if (x === undefined || y === undefined || item.str === "") return undefined;
  const isUpright = a > 0 && Math.abs(b) < a / 10;
  const size = Math.hypot(c, d);
  return isUpright && size > 0 ? { text: item.str, x, y, right: x + item.width, size, mono, font } : undefined;
}

function reasonOfRefusal(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return "the PDF is encrypted, and needs a password to be read";
  const message = error instanceof Error ? error.message : String(error);
  return `the PDF is damaged, or is none: ${message}`;
}

function textField(info: object, name: string): string {
  const value = (info as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value.trim() : "";
}

interface Bookmark {
  readonly title: string;
  readonly items: readonly Bookmark[];
}

function flatOutline(bookmarks: readonly unknown[] | null): { readonly title: string; readonly depth: number }[] {
  const flat: { readonly title: string; readonly depth: number }[] = [];
  const stack = (bookmarks ?? []).toReversed().map((bookmark) => ({ bookmark: bookmark as Bookmark, depth: 0 }));
  for (let next = stack.pop(); next !== undefined && flat.length < MAX_OUTLINE_ENTRIES; next = stack.pop()) {
    const { bookmark, depth } = next;
    flat.push({ title: bookmark.title, depth });
    for (const inner of bookmark.items.toReversed()) stack.push({ bookmark: inner, depth: depth + 1 });
  }
  return flat;
}
