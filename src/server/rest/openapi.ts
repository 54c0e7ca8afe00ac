import { OPERATIONS } from "./operations.ts";
import type { Operation } from "./operations.ts";
import { ref, SCHEMAS } from "./schemas.ts";

/** The versions under which the API is served; they are the same. */
export const API_VERSIONS = ["v1", "v1alpha"] as const;

/** The path of a call as OpenAPI writes it. */
export function pathOf(version: string, { path }: Operation): string {
  return path.startsWith(":") ? `/${version}${path}` : `/${version}/${path}`;
}

/** The description of the REST API. Source: OpenAPI 3.1.1. */
export function openApi(version: string): object {
  const paths = API_VERSIONS.flatMap((api) =>
    OPERATIONS.map((operation) => [
      pathOf(api, operation),
      { [operation.method.toLowerCase()]: operationObject(api, operation) },
    ]),
  );
  return {
    openapi: "3.1.1",
    info: {
      title: "Carrel",
      version,
      description: "Searches and reads a private copy of developer documentation.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths: Object.fromEntries(paths) as object,
    components: { schemas: SCHEMAS },
  };
}

function operationObject(api: string, { id, summary, parameters, body, reply }: Operation): object {
  return {
    operationId: `${api}.${id}`,
    summary,
    parameters: [
      ...parameters,
      {
        name: "fields",
        in: "query",
        required: false,
        description: "The fields of the reply that are wanted, such as results(parent,content).",
        schema: { type: "string" },
      },
      {
        name: "$alt",
        in: "query",
        required: false,
        description: "json, or json;enum-encoding=int for enums as numbers.",
        schema: { type: "string" },
      },
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: ref(body) } } },
    }),
    responses: {
      "200": { description: "The answer.", content: { "application/json": { schema: ref(reply) } } },
      default: { description: "Why there is none.", content: { "application/json": { schema: ref("Error") } } },
    },
  };
}
