import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";
import { referenceName, type ApiDescription } from "./api-description.ts";
import { code, codeBlock, described, escapeHtml, tableOf } from "./api-markup.ts";
import { detailsOf, propertiesTable, typeOf } from "./api-schema.ts";

/** What is asked of one path with one method. */
export interface Operation {
  /** By which it is known, and no other one of the description: its own id, else made of method and path. */
  readonly id: string;
  /** In upper case; "" for what the service itself sends. */
  readonly method: string;
  readonly path: string;
  readonly fields: Fields;
  /** Parameters of all operations of the path. */
  readonly shared: readonly unknown[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** The headings in what describes an operation, and in what describes a section of it. */
const IN_OPERATION = 2;
const IN_SECTION = 3;

/** Operations in their order, then the requests that the service itself sends. */
export function operationsOf(api: ApiDescription): readonly Operation[] {
  const taken = new Set<string>();
  const list = (paths: unknown, prefix: string): Operation[] =>
    Object.entries(fieldsOf(paths)).flatMap(([path, item]) => {
      const fields = api.resolve(item);
      return METHODS.filter((method) => fields[method] !== undefined).map((method) => {
        const operation = fieldsOf(fields[method]);
        const id =
          textIn(operation["operationId"]) ||
          [method, ...(prefix + path).split(/\W+/).filter((word) => word !== "")].join("-");
        return {
          id: freeId(id, taken),
          method: method.toUpperCase(),
          path: prefix + path,
          fields: operation,
          shared: listOf(fields["parameters"]),
        };
      });
    });
  return [...list(api.root["paths"], ""), ...list(api.root["webhooks"], "webhook ")];
}

/** Ids are made by people, and may be given twice. */
function freeId(id: string, taken: Set<string>): string {
  // A path of dots would lead elsewhere.
  const trimmed = id.replaceAll(/^[.-]+|-$/g, "") || "operation";
  let free = trimmed;
  for (let i = 2; taken.has(free); i++) free = `${trimmed}-${i}`;
  taken.add(free);
  return free;
}

/** `GET /nests/{id}: Read a nest`. */
export function operationTitle({ method, path, fields }: Operation): string {
  const summary = textIn(fields["summary"]).trim();
  return `${method} ${path}${summary === "" ? "" : `: ${summary.replace(/\.$/, "")}`}`;
}

/** What there is to say of an operation, as the HTML of a page. */
export function operationPage(api: ApiDescription, operation: Operation): string {
  const { method, path, fields, shared } = operation;
  const id = textIn(fields["operationId"]);
  const tags = listOf(fields["tags"]).map(textIn);
  const parameters = parametersOf(api, [...shared, ...listOf(fields["parameters"])]);
  const title = escapeHtml(operationTitle(operation));
  return [
    `<head><title>${title}</title></head><body><h1>${title}</h1>`,
    `<p>${code(`${method} ${path.startsWith("/") ? (api.servers[0]?.url ?? "") : ""}${path}`)}</p>`,
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
    "</body>",
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
  return table === "" ? "" : `<h2>Parameters</h2>${table}`;
}

function requestSection(api: ApiDescription, fields: Fields, parameters: readonly Fields[]): string {
  const inSwagger = parameters.find((parameter) => parameter["in"] === "body");
  const request = inSwagger ?? api.resolve(fields["requestBody"]);
  const content = inSwagger === undefined ? contentOf(request) : [{ type: "", media: inSwagger }];
  if (content.length === 0) return "";
  return [
    "<h2>Request body</h2>",
    described(textIn(request["description"]), IN_SECTION),
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
    propertiesOf(api, schema),
    ...examplesOf(api, media).map((example) => exampleMarkup(example, type)),
  ].join("\n");
}

/** The properties of a schema; those of one that has a name too, for who reads of an operation wants to call it. */
function propertiesOf(api: ApiDescription, schema: unknown): string {
  return propertiesTable(api, referenceName(schema) === "" ? schema : api.resolve(schema));
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
  // All errors have the same body, as a rule.
  const shownProperties = new Set<string>();
  const inline = listed.flatMap(({ status, response }) => {
    const schemas = [...contentOf(response).map(({ media }) => media["schema"]), response["schema"]];
    const [first] = schemas.map((schema) => propertiesOf(api, schema)).filter((one) => one !== "");
    if (first === undefined || shownProperties.has(first)) return [];
    shownProperties.add(first);
    return [`<p>Body of ${code(status)}:</p>`, first];
  });
  return ["<h2>Responses</h2>", table, ...inline, ...examples].join("\n");
}
