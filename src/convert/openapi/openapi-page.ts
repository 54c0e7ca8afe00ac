import { parse as parseYaml } from "yaml";
import type { Conversion, ConversionInput } from "../../domain/conversion.ts";
import { convertHtml } from "../html-page.ts";
import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";
import type { PageTrace } from "../page-trace.ts";
import { ApiDescription } from "./api-description.ts";
import { code, described, escapeHtml, tableOf } from "./api-markup.ts";
import { operationsOf, operationSection } from "./api-operation.ts";
import { detailsOf, literal, propertiesTable, typeOf } from "./api-schema.ts";

/** Only what says that it is a description is parsed: other data may be large. */
const SIGN = /["']?\b(?:openapi["']?\s{0,20}:\s{0,20}["']?3|swagger["']?\s{0,20}:\s{0,20}["']?2)/;

/**
 * Converts an OpenAPI 3 or Swagger 2 description, in JSON or YAML: a section for each operation and each schema with a name.
 * References out of the file, callbacks and links are left out. Source: OpenAPI 3.1.1, Swagger 2.0.
 * @returns undefined when it is no such description.
 */
export function convertOpenApi(
  text: string,
  input: Pick<ConversionInput, "url" | "options" | "aliases">,
  trace?: PageTrace,
): Conversion | undefined {
  if (!SIGN.test(text)) return undefined;
  const root = fieldsOf(parsed(text));
  if (!textIn(root["openapi"]).startsWith("3") && !textIn(root["swagger"]).startsWith("2")) return undefined;
  const html = descriptionMarkup(new ApiDescription(root));
  const { content: _, ...options } = input.options;
  return convertHtml(html, { ...input, options: { ...options, preset: "generic" } }, trace);
}

/** undefined for what is neither JSON nor YAML. */
function parsed(text: string): unknown {
  try {
    return text.trimStart().startsWith("{") ? JSON.parse(text) : parseYaml(text);
  } catch {
    return undefined;
  }
}

function descriptionMarkup(api: ApiDescription): string {
  const info = fieldsOf(api.root["info"]);
  const title = textIn(info["title"]) || "API";
  const version = textIn(info["version"]);
  return [
    `<head><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1>`,
    described(textIn(info["description"]) || textIn(info["summary"]), 2),
    version === "" ? "" : `<p>Version ${code(version)}</p>`,
    serversMarkup(api),
    securityMarkup(api),
    ...operationsOf(api).map((operation) => operationSection(api, operation)),
    schemasMarkup(api),
    "</body>",
  ].join("\n");
}

function serversMarkup(api: ApiDescription): string {
  const { host, basePath, schemes } = api.root;
  const inSwagger = api.isSwagger && textIn(host) !== "" ? listOf(schemes ?? ["https"]) : [];
  const urls = [
    ...listOf(api.root["servers"]).map(fieldsOf),
    ...inSwagger.map((scheme): Fields => ({ url: `${textIn(scheme)}://${textIn(host)}${textIn(basePath)}` })),
  ];
  if (urls.length === 0) return "";
  const items = urls.map(({ url, description }) => {
    const about = textIn(description);
    return `<li>${code(textIn(url))}${about === "" ? "" : `: ${escapeHtml(about)}`}</li>`;
  });
  return `<h2>Servers</h2><ul>${items.join("")}</ul>`;
}

function securityMarkup(api: ApiDescription): string {
  const rows = Object.entries(api.securitySchemes).map(([name, scheme]) => {
    const fields = api.resolve(scheme);
    const how = ["type", "scheme", "in", "name"].map((key) => textIn(fields[key])).filter((word) => word !== "");
    return [code(name), escapeHtml(how.join(", ")), described(textIn(fields["description"]), 6)];
  });
  const table = tableOf(["Scheme", "Kind", "Description"], rows);
  return table === "" ? "" : `<h2>Authentication</h2>${table}`;
}

function schemasMarkup(api: ApiDescription): string {
  const sections = Object.entries(api.schemas).map(([name, schema]) => {
    const fields = fieldsOf(schema);
    const { example } = fields;
    return [
      `<h3 id="schema-${escapeHtml(encodeURIComponent(name))}">${escapeHtml(name)}</h3>`,
      `<p>Type: ${typeOf(schema)}</p>`,
      detailsOf(fields, ""),
      propertiesTable(api, schema),
      example === undefined ? "" : `<pre><code class="language-json">${escapeHtml(shown(example))}</code></pre>`,
    ].join("\n");
  });
  return sections.length === 0 ? "" : `<h2>Schemas</h2>${sections.join("\n")}`;
}

function shown(example: unknown): string {
  return typeof example === "string" ? literal(example) : JSON.stringify(example, undefined, 2);
}
