import type { Conversion, ConversionInput } from "../domain/conversion.ts";
import { reasonOf } from "../domain/errors.ts";
import { fieldsOf, listOf, textIn, type Fields } from "./json-value.ts";
import { convertMarkdown } from "./markdown-page.ts";
import { fenced } from "./markdown/code.ts";
import type { PageTrace } from "./page-trace.ts";

/**
 * Converts a Jupyter notebook (nbformat 3 and 4): its Markdown, and its code with the language of its kernel. What code printed
 * follows it as text, under the word "Output"; of a result that is there in several types, that which reads best as text is taken.
 * Source: nbformat.readthedocs.io, "The Notebook file format".
 */
export function convertNotebook(
  text: string,
  input: Pick<ConversionInput, "url" | "options" | "aliases">,
  trace?: PageTrace,
): Conversion {
  let notebook: Fields;
  try {
    notebook = fieldsOf(JSON.parse(text));
  } catch (error) {
    return { kind: "failed", reason: `the notebook is no JSON: ${reasonOf(error)}` };
  }
  const cells = [notebook, ...listOf(notebook["worksheets"]).map(fieldsOf)].flatMap(({ cells }) => listOf(cells));
  if (cells.length === 0) return { kind: "failed", reason: "the notebook has no cells" };
  const language = languageOf(notebook);
  const parts = cells.flatMap((cell) => cellParts(fieldsOf(cell), language));
  return convertMarkdown(parts.join("\n\n"), input, trace);
}

function languageOf(notebook: Fields): string {
  const metadata = fieldsOf(notebook["metadata"]);
  const named =
    textIn(fieldsOf(metadata["language_info"])["name"]) || textIn(fieldsOf(metadata["kernelspec"])["language"]);
  return named.toLowerCase().replace(/^ipython\d?$/, "python");
}

/** The cell as pieces of Markdown. */
function cellParts(cell: Fields, language: string): readonly string[] {
  const source = joined(cell["source"] ?? cell["input"]);
  switch (cell["cell_type"]) {
    case "markdown":
      return [source.replace(ATTACHED_IMAGE, "$1")];
    case "heading":
      return [`${"#".repeat(Math.min(6, Number(cell["level"]) || 1))} ${source.replaceAll("\n", " ")}`];
    case "code": {
      const own = MAGIC.exec(source)?.[1] ?? (textIn(cell["language"]) || language);
      const outputs = listOf(cell["outputs"]).flatMap((output) => outputParts(fieldsOf(output)));
      return [
        ...(source.trim() === "" ? [] : [fenced(source.trimEnd(), own)]),
        ...(outputs.length === 0 ? [] : ["Output:", ...outputs]),
      ];
    }
    default:
      // The front matter of Quarto's notebooks stands in a raw cell, the first.
      if (source.trim() === "" || source.startsWith("---\n")) return [source];
      return [fenced(source.trimEnd(), "")];
  }
}

/** The language of a cell that is handed to another program. Source: IPython, "Built-in magic commands", cell magics. */
const MAGIC = /^%%(bash|sh|html|javascript|latex|perl|ruby|sql|R)\b/;

/** A picture that is in the notebook itself and has no address; its text stays. */
const ATTACHED_IMAGE = /!\[([^\]]{0,500})\]\(attachment:[^)]{0,500}\)/g;

function outputParts(output: Fields): readonly string[] {
  const kind = textIn(output["output_type"]);
  if (kind === "stream") return printed(joined(output["text"]));
  if (kind === "error" || kind === "pyerr") {
    const traceback = joined(output["traceback"], "\n");
    return printed(traceback || `${textIn(output["ename"])}: ${textIn(output["evalue"])}`);
  }
  // In nbformat 3 the types stand beside the kind, and by other names.
  const data = output["data"] === undefined ? output : fieldsOf(output["data"]);
  const markdown = joined(data["text/markdown"]);
  if (markdown !== "") return [markdown];
  return printed(joined(data["text/plain"] ?? data["text"]));
}

function printed(text: string): readonly string[] {
  const plain = text.replaceAll(ESCAPE_SEQUENCE, "");
  return plain.trim() === "" ? [] : [fenced(plain.trimEnd(), "")];
}

/** Colours for terminals. Source: ECMA-48, section 5.4. */
const ESCAPE_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, "g");

/** Texts are written as one, or as a list of lines that have their ends. */
function joined(value: unknown, separator = ""): string {
  return (Array.isArray(value) ? listOf(value).map(textIn).join(separator) : textIn(value)).replaceAll("\r\n", "\n");
}
