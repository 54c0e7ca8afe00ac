import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";

/** References that lead to references; a chain that is longer goes round. */
const MAX_REFERENCES = 20;

/** An OpenAPI 3 or Swagger 2 description, whose references are followed. */
export class ApiDescription {
  readonly root: Fields;

  constructor(root: Fields) {
    this.root = root;
  }

  get isSwagger(): boolean {
    return this.root["swagger"] !== undefined;
  }

  /** The schemas that have names. Source: OpenAPI 3.1, section 4.8.7; Swagger 2.0, Definitions Object. */
  get schemas(): Fields {
    return fieldsOf(this.isSwagger ? this.root["definitions"] : fieldsOf(this.root["components"])["schemas"]);
  }

  get securitySchemes(): Fields {
    return fieldsOf(
      this.isSwagger ? this.root["securityDefinitions"] : fieldsOf(this.root["components"])["securitySchemes"],
    );
  }

  /** Where the service is. Source: OpenAPI 3.1, section 4.8.5; Swagger 2.0, host, basePath and schemes. */
  get servers(): readonly { readonly url: string; readonly about: string }[] {
    const { host, basePath, schemes } = this.root;
    const inSwagger = this.isSwagger && textIn(host) !== "" ? listOf(schemes ?? ["https"]) : [];
    return [
      ...listOf(this.root["servers"]).map(fieldsOf),
      ...inSwagger.map((scheme): Fields => ({ url: `${textIn(scheme)}://${textIn(host)}${textIn(basePath)}` })),
    ].map(({ url, description }) => ({ url: textIn(url).replace(/\/$/, ""), about: textIn(description) }));
  }

  /** What stands at the end of the references of a value; no fields when one leads nowhere, or out of the file. */
  resolve(value: unknown): Fields {
    let fields = fieldsOf(value);
    for (let hop = 0; fields["$ref"] !== undefined; hop++) {
      const reference = textIn(fields["$ref"]);
      if (hop === MAX_REFERENCES || !reference.startsWith("#/")) return {};
      fields = fieldsOf(this.at(reference));
    }
    return fields;
  }

  /** Source: RFC 6901, section 4. */
  private at(reference: string): unknown {
    let found: unknown = this.root;
    for (const part of reference.slice(2).split("/")) {
      const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      found = Array.isArray(found) ? (found as readonly unknown[])[Number(key)] : fieldsOf(found)[key];
    }
    return found;
  }
}

/** The last part of a reference, by which people call what it leads to; "" for what is no reference. */
export function referenceName(value: unknown): string {
  const reference = textIn(fieldsOf(value)["$ref"]);
  return decoded(reference.slice(reference.lastIndexOf("/") + 1));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
