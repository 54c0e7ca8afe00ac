import { parse as parseYaml } from "yaml";
import type { Conversion, ConversionInput, ConvertedText, PagePart } from "../../domain/conversion.ts";
import { operationPlace } from "../../domain/page-part.ts";
import { versionOf } from "../facts/release.ts";
import { convertHtml } from "../html-page.ts";
import { fieldsOf, listOf, textIn } from "../json-value.ts";
import type { PageTrace } from "../page-trace.ts";
import { ApiDescription } from "./api-description.ts";
import { code, described, escapeHtml, tableOf } from "./api-markup.ts";
import { operationPage, operationsOf, operationTitle, type Operation } from "./api-operation.ts";
import { detailsOf, literal, propertiesTable, typeOf } from "./api-schema.ts";

/** Only what says that it is a description is parsed: other data may be large. */
const SIGN = /["']?\b(?:openapi["']?\s{0,20}:\s{0,20}["']?3|swagger["']?\s{0,20}:\s{0,20}["']?2)/;

type PageInput = Pick<ConversionInput, "url" | "options" | "aliases">;

/**
 * Converts an OpenAPI 3 or Swagger 2 description, in JSON or YAML: a document for the whole, with a section for each schema that
 * has a name and a link to each operation, and a part for each operation. References out of the file, callbacks and links are left
 * out. Source: OpenAPI 3.1.1, Swagger 2.0.
 * @returns undefined when it is no such description.
 */
export function convertOpenApi(text: string, input: PageInput, trace?: PageTrace): Conversion | undefined {
  if (!SIGN.test(text)) return undefined;
  const root = fieldsOf(parsed(text));
  if (!textIn(root["openapi"]).startsWith("3") && !textIn(root["swagger"]).startsWith("2")) return undefined;
  const api = new ApiDescription(root);
  const operations = operationsOf(api);
  const whole = convertMarkup(descriptionMarkup(api, operations), input, trace);
  if (whole.kind !== "document") return whole;
  const facts = { product: titleOf(api), version: versionOf(textIn(fieldsOf(root["info"])["version"])) };
  const parts = operations.flatMap((operation): PagePart[] => {
    const converted = convertMarkup(operationPage(api, operation), input);
    if (converted.kind !== "document") return [];
    const { kind: _, parts: __, ...part } = converted;
    const { fields } = operation;
    return [
      {
        ...asReference(part),
        ...facts,
        title: operationTitle(operation),
        description: part.description || textIn(fields["summary"]),
        breadcrumbs: [titleOf(api), ...tagOf(operation)],
        ...operationPlace(operation.id),
      },
    ];
  });
  return { ...asReference(whole), ...facts, ...(parts.length === 0 ? {} : { parts }) };
}

function convertMarkup(html: string, input: PageInput, trace?: PageTrace): Conversion {
  const { content: _, ...options } = input.options;
  return convertHtml(html, { ...input, options: { ...options, preset: "generic" } }, trace);
}

function asReference<T extends ConvertedText>(text: T): T {
  return { ...text, generator: "", pageKind: "reference" };
}

/** undefined for what is neither JSON nor YAML. */
function parsed(text: string): unknown {
  try {
    return text.trimStart().startsWith("{") ? JSON.parse(text) : parseYaml(text);
  } catch {
    return undefined;
  }
}

function titleOf(api: ApiDescription): string {
  return textIn(fieldsOf(api.root["info"])["title"]).trim() || "API";
}

/** The first tag of an operation: operations are grouped by it. */
function tagOf({ fields }: Operation): readonly string[] {
  return listOf(fields["tags"]).map(textIn).slice(0, 1);
}

function descriptionMarkup(api: ApiDescription, operations: readonly Operation[]): string {
  const info = fieldsOf(api.root["info"]);
  const title = titleOf(api);
  const version = textIn(info["version"]);
  return [
    `<head><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1>`,
    described(textIn(info["description"]) || textIn(info["summary"]), 2),
    version === "" ? "" : `<p>Version ${code(version)}</p>`,
    serversMarkup(api),
    securityMarkup(api),
    operationsMarkup(api, operations),
    schemasMarkup(api),
    "</body>",
  ].join("\n");
}

function serversMarkup({ servers }: ApiDescription): string {
  if (servers.length === 0) return "";
  const items = servers.map(({ url, about }) => `<li>${code(url)}${about === "" ? "" : `: ${escapeHtml(about)}`}</li>`);
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

/** Links to the operations, under their tags. */
function operationsMarkup(api: ApiDescription, operations: readonly Operation[]): string {
  if (operations.length === 0) return "";
  const abouts = new Map(
    listOf(api.root["tags"])
      .map(fieldsOf)
      .map((tag): [string, string] => [textIn(tag["name"]), textIn(tag["description"])]),
  );
  const groups = new Map<string, Operation[]>([
    ["", []],
    ...[...abouts.keys()].map((tag): [string, Operation[]] => [tag, []]),
  ]);
  for (const operation of operations) {
    const [tag = ""] = tagOf(operation);
    const group = groups.get(tag);
    if (group === undefined) groups.set(tag, [operation]);
    else group.push(operation);
  }
  const sections = [...groups].map(([tag, members]) => {
    if (members.length === 0) return "";
    const items = members.map((operation) => {
      const { method, path, id, fields } = operation;
      const summary = textIn(fields["summary"]);
      const about = `${summary === "" ? "" : `: ${escapeHtml(summary)}`}${fields["deprecated"] === true ? " (deprecated)" : ""}`;
      return `<li><a href="#${escapeHtml(operationPlace(id).fragment)}">${escapeHtml(`${method} ${path}`)}</a>${about}</li>`;
    });
    const heading = tag === "" ? "" : `<h3>${escapeHtml(tag)}</h3>${described(abouts.get(tag) ?? "", 4)}`;
    return `${heading}<ul>${items.join("")}</ul>`;
  });
  return `<h2>Operations</h2>${sections.join("\n")}`;
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
