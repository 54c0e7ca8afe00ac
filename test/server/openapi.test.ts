import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../src/server/rest/operations.ts";
import { startTestServer } from "./support/running-server.ts";
import type { TestServer } from "./support/running-server.ts";

const VACUUM = "documents/www.heron.example/docs/15/sql-vacuum.html";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly "application/json": { schema: Schema } } }>
  >;
}

interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let server: TestServer;
let description: Description;

beforeAll(async () => {
  server = await startTestServer();
  description = await (await fetch(`${server.url}openapi.json`)).json();
});
afterAll(() => server.close());

/** What is wrong with a value by a schema, with fields that the schema does not know among it. */
function faults(value: unknown, schema: Schema, at = "$"): readonly string[] {
  if (schema.$ref !== undefined) {
    const named = description.components.schemas[schema.$ref.replace("#/components/schemas/", "")];
    return named === undefined ? [`${at}: no schema ${schema.$ref}`] : faults(value, named, at);
  }
  if (schema.oneOf !== undefined) {
    return schema.oneOf.some((one) => faults(value, one, at).length === 0)
      ? []
      : [`${at}: none of ${schema.oneOf.length}`];
  }
  const type = Array.isArray(value)
    ? "array"
    : Number.isInteger(value) && schema.type === "integer"
      ? "integer"
      : typeof value;
  if (schema.type !== undefined && type !== schema.type) return [`${at}: ${type} for ${schema.type}`];
  if (schema.enum?.includes(value) === false) return [`${at}: not in the enum`];
  if (typeof value === "number" && (value < (schema.minimum ?? value) || value > (schema.maximum ?? value))) {
    return [`${at}: out of range`];
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => faults(item, schema.items ?? {}, `${at}[${i}]`));
  if (typeof value !== "object" || value === null) return [];
  const missing = (schema.required ?? []).filter((key) => !(key in value)).map((key) => `${at}.${key}: missing`);
  return missing.concat(
    Object.entries(value).flatMap(([key, inner]) => {
      const known = schema.properties?.[key];
      return known === undefined ? [`${at}.${key}: unknown`] : faults(inner, known, `${at}.${key}`);
    }),
  );
}

/** A request for each call. */
const REQUESTS: Readonly<Record<string, { readonly path: string; readonly body?: object }>> = {
  searchDocumentChunks: { path: "documents:searchDocumentChunks?query=timeout&pageSize=1" },
  batchGet: { path: `documents:batchGet?names=${VACUUM}&view=2` },
  get: { path: VACUUM },
  answerQuery: { path: ":answerQuery", body: { query: "what does vacuum do?" } },
};

describe("/openapi.json", () => {
  test("is OpenAPI 3.1 and has every call under both versions, and no other", () => {
    expect(description.openapi).toMatch(/^3\.1\./);
    expect(description.info.version).toBe("0.0.0-test");
    const listed = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(
      [
        "get /v1/documents:batchGet",
        "get /v1/documents:searchDocumentChunks",
        "get /v1/{name}",
        "get /v1alpha/documents:batchGet",
        "get /v1alpha/documents:searchDocumentChunks",
        "get /v1alpha/{name}",
        "post /v1:answerQuery",
        "post /v1alpha:answerQuery",
      ].sort(),
    );
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(Object.keys(REQUESTS).sort());
  });

  test("has a schema behind every reference", () => {
    const references = JSON.stringify(description).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, name = ""] of references) expect(Object.keys(description.components.schemas)).toContain(name);
  });

  test("what each call really answers is what it says", async () => {
    for (const version of ["v1", "v1alpha"]) {
      for (const operation of OPERATIONS) {
        const described = Object.entries(description.paths)
          .flatMap(([, methods]) => Object.values(methods))
          .find(({ operationId }) => operationId === `${version}.${operation.id}`);
        const { path = "", body } = REQUESTS[operation.id] ?? {};
        for (const numeric of ["", "$alt=json%3Benum-encoding=int"]) {
          const url = `${server.url}${version}${path.startsWith(":") ? "" : "/"}${path}`;
          const response = await fetch(`${url}${path.includes("?") ? "&" : "?"}${numeric}`, {
            method: operation.method,
            ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
          });
          expect(response.status).toBe(200);
          const schema = described?.responses["200"]?.content["application/json"].schema;
          expect(schema).toBeDefined();
          expect(faults(await response.json(), schema ?? {})).toEqual([]);
        }
      }
    }
  });

  test("an error is what it says", async () => {
    const response = await fetch(`${server.url}v1/documents/nowhere.example/x`);
    expect(faults(await response.json(), { $ref: "#/components/schemas/Error" })).toEqual([]);
  });

  test("every parameter that it names is taken, and another is refused", async () => {
    const search = `${server.url}v1/documents:searchDocumentChunks?query=timeout`;
    const operation = description.paths["/v1/documents:searchDocumentChunks"]?.["get"];
    expect(operation?.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(["query"]);
    for (const { name } of operation?.parameters ?? []) {
      const value = { fields: "results", $alt: "json", pageSize: "1", query: "x" }[name] ?? "";
      expect((await fetch(`${search}&${name}=${value}`)).status).toBe(200);
    }
    expect((await fetch(`${search}&pageOffset=1`)).status).toBe(400);
  });

  test("the check of this test finds faults", () => {
    expect(faults({ name: 5, extra: 1 }, { $ref: "#/components/schemas/Document" })).toEqual(
      expect.arrayContaining(["$.name: number for string", "$.extra: unknown", "$.uri: missing"]),
    );
  });
});
