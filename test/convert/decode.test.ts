import { describe, expect, it } from "vitest";
import { decodePage } from "../../src/convert/decode.ts";
import { convert } from "./page.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("the text of a page", () => {
  it("is UTF-8 where the server or the page says Latin-1 and it is not", () => {
    expect(decodePage(utf8("Grüße, “Ærø”"), "text/html; charset=ISO-8859-1")).toBe("Grüße, “Ærø”");
    expect(decodePage(utf8('<meta charset="windows-1252">ü'), "text/html")).toBe('<meta charset="windows-1252">ü');
    expect(decodePage(utf8("Привет"), "text/html; charset=windows-1251")).toBe("Привет");
  });

  it("is Latin-1 where the server or the page says UTF-8 and it is not", () => {
    expect(decodePage(latin1("Grüße aus Ærø"), "text/html; charset=utf-8")).toBe("Grüße aus Ærø");
    expect(decodePage(latin1('<meta charset="utf-8">Grüße'), "text/html")).toContain("Grüße");
  });

  it("is what the page says where the server is wrong", () => {
    const page = Uint8Array.from([...latin1('<meta charset="windows-1251">'), 0xcf, 0xf0, 0xe8]);
    expect(decodePage(page, "text/html; charset=utf-8")).toBe('<meta charset="windows-1251">При');
  });

  it("stays UTF-8 with a few wrong bytes in it, and when it is cut off within a letter", () => {
    const wrong = Uint8Array.from([...utf8("Ærø, Übung, façade"), 0xff]);
    expect(decodePage(wrong, "text/html; charset=utf-8")).toBe("Ærø, Übung, façade\ufffd");
    expect(decodePage(utf8("Grüße €").subarray(0, -1), "text/html")).toBe("Grüße ");
    expect(decodePage(utf8("Grüße €").subarray(0, -2), "text/html; charset=iso-8859-1")).toBe("Grüße ");
  });

  it("is what its encoding of several bytes a letter says", () => {
    const gbk = Uint8Array.from([0xc4, 0xe3, 0xba, 0xc3]);
    expect(decodePage(gbk, "text/html; charset=gbk")).toBe("你好");
  });
});

describe("bytes that are no text", () => {
  const random = Uint8Array.from({ length: 5000 }, (_, i) => Math.imul(i + 7, 2_654_435_761) >>> 13);

  it.each(["text/html", "text/html; charset=utf-8", "text/plain", "text/markdown", "text/x-rst", ""])(
    "are a failure, sent as %j",
    (contentType) => {
      expect(convert(random, { contentType })).toMatchObject({
        kind: "failed",
        reason: expect.stringContaining("not text"),
      });
    },
  );

  it("are let through where they are few", () => {
    expect(convert("<p>Bell \u0007 and \u0000 here.</p>")).toMatchObject({ kind: "document" });
  });
});
