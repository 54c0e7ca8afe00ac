import { describe, expect, it } from "vitest";
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
  const { title, description, content, chunks } = documentOf(NESTS, YAML);

  it("has the title, description, version and servers of the API", () => {
    expect([title, description]).toEqual(["Tern API", "Reads and writes nests."]);
    expect(content).toMatch(
      /^Reads and writes nests\.\n\n## Limits\n\nAt most `max_page_size` nests at once\.\n\nVersion `2\.4`\n\n## Servers\n\n- `https:\/\/api\.tern\.example\/v2`: Live\n/,
    );
    expect(content).toContain(
      "| Scheme | Kind | Description |\n| --- | --- | --- |\n| `key` | apiKey, header, X-Key | Ask us. |",
    );
  });

  it("has a section for each operation", () => {
    const section = content.slice(content.indexOf("## GET"), content.indexOf("## PUT")).trim();
    expect(section).toBe(`## GET /nests/{nest_id}

Read a nest

Gives *one* nest.

Operation: \`getNest\`

Tags: nests

### Parameters

| Parameter | In | Type | Required | Description |
| --- | --- | --- | --- | --- |
| \`nest_id\` | path | string | yes | \`pattern: ^n\\d+$\` |
| \`view\` | query | string |  | Parts \\| all<br>One of \`FULL\`, \`BASIC\`.<br>Default: \`BASIC\`. |

### Responses

| Status | Description | Body |
| --- | --- | --- |
| \`200\` | The nest. | \`application/json\`: [Nest](https://tern.example/api/openapi.yaml#schema-Nest) |
| \`default\` | An error. |  |

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
    expect(content).toContain("## PUT /nests/{nest_id}\n\n**Deprecated.**");
    expect(content).toContain("| `eggs` | array of object | yes |\n| `eggs[].colour` | string or null |  |");
    expect(content).toContain("## POST webhook hatched\n\nAn egg has hatched");
    expect(chunks.map((chunk) => chunk.content.split("\n")[0])).toContain("## PUT /nests/{nest_id}");
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
    const { content } = documentOf(JSON.stringify(swagger), JSON_PAGE);
    const nest = "[Nest](https://tern.example/api/swagger.json#schema-Nest)";
    expect(content).toContain("- `https://tern.example/v1`");
    expect(content).toContain("| `dry` | query | boolean |");
    expect(content).toContain(`### Request body\n\n${nest}`);
    expect(content).toContain(`| \`200\` | Made. | ${nest} |`);
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
    expect(documentOf(loop, YAML).content).toContain("## GET /c");
  });
});
