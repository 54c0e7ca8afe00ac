/** A text on a page: where it stands, in points from the lower left corner, and in what font. */
export interface PdfText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: "Helvetica" | "Helvetica-Bold" | "Courier";
}

export interface PdfOptions {
  readonly title?: string;
  readonly language?: string;
  /** Bookmarks, all at the top. */
  readonly outline?: readonly string[];
  readonly encrypted?: boolean;
}

const FONTS = ["Helvetica", "Helvetica-Bold", "Courier"] as const;

/** Writes a PDF of texts. Source: ISO 32000-1, sections 7.5 and 9.4. */
export function writePdf(pages: readonly (readonly PdfText[])[], options: PdfOptions = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const [catalog, tree, info] = [add(""), add(""), add(`<< /Title ${literal(options.title ?? "")} >>`)];
  const fonts = FONTS.map((name) =>
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
  );
  const resources = `<< /Font << ${fonts.map((id, i) => `/F${i} ${id} 0 R`).join(" ")} >> >>`;
  const kids = pages.map((texts) => {
    const stream = texts.map(operators).join("\n");
    const content = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 600 800] /Resources ${resources} /Contents ${content} 0 R >>`,
    );
  });
  objects[tree - 1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((id) => `${id} 0 R`).join(" ")}] >>`;
  const outlines = outlineObjects(options.outline ?? [], kids[0] ?? 0, objects);
  const language = options.language === undefined ? "" : ` /Lang ${literal(options.language)}`;
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R${outlines}${language} >>`;
  return file(objects, catalog, info, options.encrypted === true);
}

/** Lines of text below each other. */
export function pdfLines(
  lines: readonly string[],
  from: { readonly x: number; readonly y: number },
  style: Pick<PdfText, "size" | "font"> = {},
): PdfText[] {
  const leading = (style.size ?? 10) * 1.2;
  return lines.flatMap((text, i) => (text === "" ? [] : [{ text, x: from.x, y: from.y - i * leading, ...style }]));
}

function operators({ text, x, y, size = 10, font = "Helvetica" }: PdfText): string {
  return `BT /F${FONTS.indexOf(font)} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${literal(text)} Tj ET`;
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, (sign) => `\\${sign}`)})`;
}

function outlineObjects(titles: readonly string[], page: number, objects: string[]): string {
  if (titles.length === 0) return "";
  const root = objects.push("");
  const ids = titles.map((_, i) => root + 1 + i);
  for (const [i, title] of titles.entries()) {
    const next = ids[i + 1] === undefined ? "" : ` /Next ${ids[i + 1]} 0 R`;
    objects.push(`<< /Title ${literal(title)} /Parent ${root} 0 R /Dest [${page} 0 R /Fit]${next} >>`);
  }
  objects[root - 1] = `<< /Type /Outlines /First ${ids[0]} 0 R /Last ${ids.at(-1)} 0 R /Count ${ids.length} >>`;
  return ` /Outlines ${root} 0 R`;
}

function file(objects: readonly string[], catalog: number, info: number, encrypted: boolean): Uint8Array {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((body, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const key = "00".repeat(32);
  // Keys that no empty password opens.
  const lock = encrypted
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`
    : "";
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R /Info ${info} 0 R${lock} >>\nstartxref\n${start}\n%%EOF`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
