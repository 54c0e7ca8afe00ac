import { describe, expect, it } from "vitest";
import { documentName, parseDocumentName, tidyUrl } from "../../src/domain/document-name.ts";
import { CarrelError } from "../../src/domain/errors.ts";

describe("documentName", () => {
  it.each([
    [
      "https://docs.cloud.google.com/storage/docs/creating-buckets",
      "docs.cloud.google.com/storage/docs/creating-buckets",
    ],
    ["http://docs.python.org/3.11/library/os.html#os.open", "docs.python.org/3.11/library/os.html"],
    ["HTTPS://Docs.Python.ORG:443/3.11/Library/", "docs.python.org/3.11/Library"],
    ["https://docs.python.org/3.11/library/index.html", "docs.python.org/3.11/library"],
    ["https://docs.python.org/3.11/library/", "docs.python.org/3.11/library"],
    ["https://example.com", "example.com"],
    ["https://example.com/", "example.com"],
    ["http://localhost:8080/a", "localhost:8080/a"],
    ["https://example.com/a?hl=de&utm_source=x", "example.com/a"],
    ["https://example.com/w?title=B&action=raw", "example.com/w?action=raw&title=B"],
    ["https://example.com/%7euser/a%2fb%c3%a9", "example.com/~user/a%2Fb%C3%A9"],
    ["https://example.com/é", "example.com/%C3%A9"],
    ["https://me:secret@example.com/a", "example.com/a"],
  ])("%s", (url, name) => {
    expect(documentName(url)).toBe(`documents/${name}`);
  });

  it("is the same for the name's own URL", () => {
    const name = documentName("http://example.com/a/index.html?b=1&hl=fr");
    expect(documentName(`https://${name.slice("documents/".length)}`)).toBe(name);
  });

  it.each(["ftp://example.com/a", "mailto:a@example.com", "not a url", "", "javascript:alert(1)"])(
    "refuses %s",
    (url) => {
      expect(() => documentName(url)).toThrow(CarrelError);
    },
  );
});

describe("tidyUrl", () => {
  it("keeps the scheme and the trailing slash, without which some servers do not answer", () => {
    expect(tidyUrl("http://example.com/a/#top")).toBe("http://example.com/a/");
    expect(tidyUrl("http://example.com/a/index.html")).toBe("http://example.com/a/");
    expect(tidyUrl("http://example.com/a")).toBe("http://example.com/a");
  });
});

describe("parseDocumentName", () => {
  it.each([
    ["documents/docs.python.org/3.11/library/os.html", "documents/docs.python.org/3.11/library/os.html"],
    ["  https://docs.python.org/3.11/library/os.html#os.open ", "documents/docs.python.org/3.11/library/os.html"],
    ["docs.python.org/3.11/", "documents/docs.python.org/3.11"],
    ["documents/localhost:8080/a", "documents/localhost:8080/a"],
  ])("reads %s", (text, name) => {
    expect(parseDocumentName(text)).toBe(name);
  });

  it("keeps dots from climbing out of the host", () => {
    expect(parseDocumentName("documents/example.com/../../etc/passwd")).toBe("documents/example.com/etc/passwd");
  });

  it.each([
    "",
    " ",
    "documents/",
    "file:///etc/passwd",
    "documents/a\u0000b",
    "two words",
    "/etc/passwd",
    "../../etc/passwd",
  ])("refuses %j", (text) => {
    expect(() => parseDocumentName(text)).toThrow(/is not a document name/);
  });
});
