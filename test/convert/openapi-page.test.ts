import { describe, expect, it } from "vitest";
import { documentName } from "../../src/domain/document-name.ts";
import { partName } from "../../src/domain/page-part.ts";
import { convert, documentOf } from "./page.ts";

const YAML = { url: "https://tern.example/api/openapi.yaml", contentType: "application/yaml" };
const JSON_PAGE = { url: "https://tern.example/api/swagger.json", contentType: "application/json" };

const NESTS = `openapi: 3.1.0
info:
  title: Tern API
  version: "2.4"
  description: |
    Reads and writes nests.

    # Limits

    At most \`max_page_size\` nests at once.
servers:
  - url: https://api.tern.example/v2
    description: Live
paths:
  /nests/{nest_id}:
    parameters:
      - $ref: '#/components/parameters/NestId'
    get:
      operationId: getNest
      summary: Read a nest
      description: Gives *one* nest.
      tags: [nests]
      parameters:
        - { name: view, in: query, schema: { type: string, enum: [FULL, BASIC], default: BASIC }, description: "Parts | all" }
      responses:
        '200':
          description: The nest.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Nest' }
              example: { id: 7, eggs: [] }
        default: { description: An error. }
      x-codeSamples:
        - { lang: Shell, source: "curl https://api.tern.example/v2/nests/7" }
    put:
      deprecated: true
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [eggs]
              properties:
                eggs: { type: array, items: { type: object, properties: { colour: { type: [string, 'null'] } } } }
      responses: { '204': { description: Done. } }
webhooks:
  hatched: { post: { summary: An egg has hatched, responses: { '200': { description: Thanks. } } } }
components:
  parameters:
    NestId: { name: nest_id, in: path, required: true, schema: { type: string, pattern: '^n\\d+$' } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key, description: Ask us. }
  schemas:
    Nest:
      description: Where eggs are.
      allOf:
        - $ref: '#/components/schemas/Thing'
        - { properties: { parent: { $ref: '#/components/schemas/Nest' }, tags: { additionalProperties: { type: string } } } }
    Thing: { type: object, required: [id], properties: { id: { type: integer, format: int64, minimum: 0 } }, example: { id: 7 } }
`;

describe("an OpenAPI 3 description", () => {
  const { title, description, content, parts = [], ...facts } = documentOf(NESTS, YAML);
  const [get, put, hatched] = parts;

  it("has the title, description, version and servers of the API", () => {
    expect([title, description]).toEqual(["Tern API", "Reads and writes nests."]);
    expect(content).toMatch(
      /^Reads and writes nests\.\n\n## Limits\n\nAt most `max_page_size` nests at once\.\n\nVersion `2\.4`\n\n## Servers\n\n- `https:\/\/api\.tern\.example\/v2`: Live\n/,
    );
    expect(content).toContain(
      "| Scheme | Kind | Description |\n| --- | --- | --- |\n| `key` | apiKey, header, X-Key | Ask us. |",
    );
  });

  it("has a link to each operation, under its tag", () => {
    const link = (id: string): string => `(https://tern.example/api/openapi.yaml#operation/${id})`;
    expect(content).toContain(`## Operations

- [PUT /nests/{nest_id}]${link("put-nests-nest_id")} (deprecated)
- [POST webhook hatched]${link("post-webhook-hatched")}: An egg has hatched

### nests

- [GET /nests/{nest_id}]${link("getNest")}: Read a nest
`);
  });

  it("has a part for each operation", () => {
    expect(parts.map(({ title: of, path, fragment }) => [of, path, fragment])).toEqual([
      ["GET /nests/{nest_id}: Read a nest", "operations/getNest", "operation/getNest"],
      ["PUT /nests/{nest_id}", "operations/put-nests-nest_id", "operation/put-nests-nest_id"],
      ["POST webhook hatched: An egg has hatched", "operations/post-webhook-hatched", "operation/post-webhook-hatched"],
    ]);
    expect(get?.content).toBe(`\`GET https://api.tern.example/v2/nests/{nest_id}\`

Gives *one* nest.

Operation: \`getNest\`

Tags: nests

## Parameters

| Parameter | In | Type | Required | Description |
| --- | --- | --- | --- | --- |
| \`nest_id\` | path | string | yes | \`pattern: ^n\\d+$\` |
| \`view\` | query | string |  | Parts \\| all<br>One of \`FULL\`, \`BASIC\`.<br>Default: \`BASIC\`. |

## Responses

| Status | Description | Body |
| --- | --- | --- |
| \`200\` | The nest. | \`application/json\`: [Nest](https://tern.example/api/openapi.yaml#schema-Nest) |
| \`default\` | An error. |  |

Body of \`200\`:

| Property | Type | Description |
| --- | --- | --- |
| \`parent\` | [Nest](https://tern.example/api/openapi.yaml#schema-Nest) | Where eggs are. |
| \`tags\` | map of string |  |

Example of \`200\`:

\`\`\`json
{
  "id": 7,
  "eggs": []
}
\`\`\`

\`\`\`shell
curl https://api.tern.example/v2/nests/7
\`\`\``);
    expect(put?.content).toContain("`PUT https://api.tern.example/v2/nests/{nest_id}`\n\n**Deprecated.**");
    expect(put?.content).toContain("| `eggs` | array of object | yes |\n| `eggs[].colour` | string or null |  |");
    expect(hatched?.content).toMatch(/^`POST webhook hatched`/);
    expect(parts.flatMap(({ chunks }) => chunks).every(({ content: passage }) => passage !== "")).toBe(true);
  });

  it("says what it is", () => {
    const ofApi = { product: "Tern API", version: "2.4", pageKind: "reference", generator: "" };
    expect(facts).toMatchObject({ ...ofApi, breadcrumbs: [] });
    expect(get).toMatchObject({ ...ofApi, breadcrumbs: ["Tern API", "nests"], description: "Gives one nest." });
    expect(hatched).toMatchObject({ ...ofApi, breadcrumbs: ["Tern API"], description: "An egg has hatched" });
  });

  it("has a section for each schema, which what refers to it links to", () => {
    const link = "https://tern.example/api/openapi.yaml#schema";
    expect(content).toContain(`### Nest\n\nType: [Thing](${link}-Thing) and object\n\nWhere eggs are.`);
    expect(content).toContain(`| \`parent\` | [Nest](${link}-Nest) |`);
    expect(content).toContain("| `tags` | map of string |");
    expect(content).toContain("| `id` | integer (int64) | yes | `minimum: 0` |");
  });
});

describe("a Swagger 2 description", () => {
  it("is read the same way", () => {
    const swagger = {
      swagger: "2.0",
      info: { title: "Old API", description: "Reads nests." },
      host: "tern.example",
      basePath: "/v1",
      paths: {
        "/nests": {
          post: {
            parameters: [
              { name: "body", in: "body", schema: { $ref: "#/definitions/Nest" } },
              { name: "dry", in: "query", type: "boolean" },
            ],
            responses: { 200: { description: "Made.", schema: { $ref: "#/definitions/Nest" } } },
          },
        },
      },
      definitions: { Nest: { type: "object", properties: { id: { type: "integer" } } } },
    };
    const { content, parts = [] } = documentOf(JSON.stringify(swagger), JSON_PAGE);
    const [make] = parts;
    const nest = "[Nest](https://tern.example/api/swagger.json#schema-Nest)";
    expect(content).toContain("- `https://tern.example/v1`");
    expect(make).toMatchObject({ title: "POST /nests", path: "operations/post-nests", breadcrumbs: ["Old API"] });
    expect(make?.content).toMatch(/^`POST https:\/\/tern\.example\/v1\/nests`/);
    expect(make?.content).toContain("| `dry` | query | boolean |");
    expect(make?.content).toContain(`## Request body\n\n${nest}\n\n| Property | Type |`);
    expect(make?.content).toContain(`| \`200\` | Made. | ${nest} |`);
    expect(content).toContain("### Nest\n\nType: object");
  });
});

describe("data", () => {
  it("that describes no API fails, or is text if it is sent as text", () => {
    const reason = "it is data, and neither a notebook nor an OpenAPI description";
    expect(convert('{"a": 1}', JSON_PAGE)).toEqual({ kind: "failed", reason });
    expect(convert('{"openapi": "3.0", ', JSON_PAGE)).toEqual({ kind: "failed", reason });
    expect(convert("a: 1\n", { ...YAML, contentType: "text/yaml" }).kind).toBe("document");
  });

  it("may refer to itself, to nothing, or be of the wrong kinds", () => {
    const loop = `openapi: 3.0.0
info: []
paths:
  /a: { $ref: '#/paths/~1b' }
  /b: { $ref: '#/paths/~1a' }
  /c: { get: { parameters: [{ $ref: 'other.yaml#/x' }, 7], requestBody: 7, responses: { '200': [] } } }
components: { schemas: { A: { $ref: '#/components/schemas/A' }, B: 7 } }
`;
    expect(documentOf(loop, YAML).parts?.map(({ title }) => title)).toEqual(["GET /c"]);
  });

  it("may give an id twice, or one that no address may hold", () => {
    const twice = `swagger: '2.0'
paths:
  /a: { get: { operationId: read it/now }, put: { operationId: read it/now }, post: { operationId: .. } }
`;
    const { parts = [] } = documentOf(twice, YAML);
    const paths = ["operations/read%20it%2Fnow", "operations/read%20it%2Fnow-2", "operations/operation"];
    expect(parts.map(({ path }) => path)).toEqual(paths);
    for (const path of paths) {
      const name = partName("documents/tern.example/api.json", path);
      expect(documentName(`https://${name.slice("documents/".length)}`)).toBe(name);
    }
  });
});
