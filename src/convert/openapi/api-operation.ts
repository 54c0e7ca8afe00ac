import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";
import { referenceName, type ApiDescription } from "./api-description.ts";
import { code, codeBlock, described, escapeHtml, tableOf } from "./api-markup.ts";
import { detailsOf, propertiesTable, typeOf } from "./api-schema.ts";

/** What is asked of one path with one method. */
export interface Operation {
  /** In upper case; "" for what the service itself sends. */
  readonly method: string;
  readonly path: string;
  readonly fields: Fields;
  /** Parameters of all operations of the path. */
  readonly shared: readonly unknown[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** The headings in what describes an operation are below its own. */
const IN_OPERATION = 4;

/** Operations in their order, then the requests that the service itself sends. */
export function operationsOf(api: ApiDescription): readonly Operation[] {
  const list = (paths: unknown, prefix: string): Operation[] =>
    Object.entries(fieldsOf(paths)).flatMap(([path, item]) => {
      const fields = api.resolve(item);
      return METHODS.filter((method) => fields[method] !== undefined).map((method) => ({
        method: method.toUpperCase(),
        path: prefix + path,
        fields: fieldsOf(fields[method]),
        shared: listOf(fields["parameters"]),
      }));
    });
  return [...list(api.root["paths"], ""), ...list(api.root["webhooks"], "webhook ")];
}

/** The section of an operation, as HTML. */
export function operationSection(api: ApiDescription, { method, path, fields, shared }: Operation): string {
  const id = textIn(fields["operationId"]);
  const tags = listOf(fields["tags"]).map(textIn);
  const parameters = parametersOf(api, [...shared, ...listOf(fields["parameters"])]);
  return [
    `<h2${id === "" ? "" : ` id="${escapeHtml(id)}"`}>${escapeHtml(`${method} ${path}`)}</h2>`,
    described(textIn(fields["summary"]), IN_OPERATION),
    fields["deprecated"] === true ? "<p><strong>Deprecated.</strong></p>" : "",
    described(textIn(fields["description"]), IN_OPERATION),
    id === "" ? "" : `<p>Operation: ${code(id)}</p>`,
    tags.length === 0 ? "" : `<p>Tags: ${escapeHtml(tags.join(", "))}</p>`,
    parametersSection(parameters),
    requestSection(api, fields, parameters),
    responsesSection(api, fieldsOf(fields["responses"])),
    ...listOf(fields["x-codeSamples"] ?? fields["x-code-samples"]).map((sample) => {
      const { lang, source } = fieldsOf(sample);
      return codeBlock(textIn(source), textIn(lang).toLowerCase());
    }),
  ].join("\n");
}

/** Those of the operation stand for those of the path with the same name and place. */
function parametersOf(api: ApiDescription, listed: readonly unknown[]): readonly Fields[] {
  const parameters = new Map<string, Fields>();
  for (const one of listed) {
    const fields = api.resolve(one);
    parameters.set(`${textIn(fields["in"])} ${textIn(fields["name"])}`, fields);
  }
  return [...parameters.values()];
}

function parametersSection(parameters: readonly Fields[]): string {
  const rows = parameters
    .filter((parameter) => parameter["in"] !== "body")
    .map((parameter) => {
      const schema = parameter["schema"] ?? parameter;
      const details = detailsOf(fieldsOf(schema), parameter["description"]);
      const required = parameter["required"] === true ? "yes" : "";
      return [code(textIn(parameter["name"])), escapeHtml(textIn(parameter["in"])), typeOf(schema), required, details];
    });
  const table = tableOf(["Parameter", "In", "Type", "Required", "Description"], rows);
  return table === "" ? "" : `<h3>Parameters</h3>${table}`;
}

function requestSection(api: ApiDescription, fields: Fields, parameters: readonly Fields[]): string {
  const inSwagger = parameters.find((parameter) => parameter["in"] === "body");
  const request = inSwagger ?? api.resolve(fields["requestBody"]);
  const content = inSwagger === undefined ? contentOf(request) : [{ type: "", media: inSwagger }];
  if (content.length === 0) return "";
  return [
    "<h3>Request body</h3>",
    described(textIn(request["description"]), IN_OPERATION),
    ...content.map(({ type, media }) => bodyMarkup(api, type, media)),
  ].join("\n");
}

interface Content {
  /** The media type; "" where the description does not say. */
  readonly type: string;
  readonly media: Fields;
}

function contentOf(holder: Fields): readonly Content[] {
  return Object.entries(fieldsOf(holder["content"])).map(([type, media]) => ({ type, media: fieldsOf(media) }));
}

function bodyMarkup(api: ApiDescription, type: string, media: Fields): string {
  const { schema } = media;
  const words = schema === undefined ? "" : typeOf(schema);
  return [
    `<p>${[type === "" ? "" : code(type), words].filter((part) => part !== "").join(": ")}</p>`,
    referenceName(schema) === "" ? propertiesTable(api, schema) : "",
    ...examplesOf(api, media).map((example) => exampleMarkup(example, type)),
  ].join("\n");
}

function examplesOf(api: ApiDescription, media: Fields): readonly unknown[] {
  const named = Object.values(fieldsOf(media["examples"])).map((example) => api.resolve(example)["value"]);
  const schema = fieldsOf(media["schema"]);
  const examples = [media["example"], ...named, schema["example"], ...listOf(schema["examples"])];
  return examples.filter((example) => example !== undefined);
}

function exampleMarkup(example: unknown, type: string): string {
  if (typeof example === "string") return codeBlock(example, type.includes("json") ? "json" : "");
  return codeBlock(JSON.stringify(example, undefined, 2), "json");
}

function responsesSection(api: ApiDescription, responses: Fields): string {
  const listed = Object.entries(responses).map(([status, response]) => ({ status, response: api.resolve(response) }));
  const rows = listed.map(({ status, response }) => {
    const bodies = contentOf(response).map(({ type, media }) => `${code(type)}: ${typeOf(media["schema"])}`);
    const inSwagger = response["schema"] === undefined ? [] : [typeOf(response["schema"])];
    const body = [...bodies, ...inSwagger].join("<br>");
    return [code(status), described(textIn(response["description"]), 6), body];
  });
  const table = tableOf(["Status", "Description", "Body"], rows);
  if (table === "") return "";
  const examples = listed.flatMap(({ status, response }) => {
    const shown = contentOf(response).flatMap(({ type, media }) =>
      examplesOf(api, media).map((example) => exampleMarkup(example, type)),
    );
    const inSwagger = Object.entries(fieldsOf(response["examples"])).map(([type, one]) => exampleMarkup(one, type));
    const all = [...shown, ...inSwagger];
    return all.length === 0 ? [] : [`<p>Example of ${code(status)}:</p>`, ...all];
  });
  const inline = listed.flatMap(({ status, response }) => {
    const schemas = [...contentOf(response).map(({ media }) => media["schema"]), response["schema"]];
    const tables = schemas.filter((schema) => referenceName(schema) === "").map((one) => propertiesTable(api, one));
    const [first] = tables.filter((one) => one !== "");
    return first === undefined ? [] : [`<p>Properties of ${code(status)}:</p>`, first];
  });
  return ["<h3>Responses</h3>", table, ...inline, ...examples].join("\n");
}
