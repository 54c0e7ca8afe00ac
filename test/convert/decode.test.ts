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

describe("a page that does not say its encoding", () => {
  it.each([
    ["shift_jis", "これは日本語の短い文章です。設定を変更してください。"],
    ["euc-jp", "これは日本語の短い文章です。設定を変更してください。"],
    ["gbk", "这是一个简短的中文段落，用于测试编码检测。请修改配置文件。"],
    ["big5", "這是一個簡短的中文段落，用於測試編碼。請修改設定檔。"],
    ["euc-kr", "이것은 짧은 한국어 문장입니다. 설정을 변경하십시오."],
    ["windows-1251", "Это русский текст о настройке сервера и базы данных."],
    ["koi8-r", "Это русский текст о настройке сервера и базы данных."],
    ["windows-1252", "Die Größe des Puffers für übliche Schlüssel: “naïve” – café, müßig, Öl."],
  ])("is read as %s where it looks like it", (encoding, text) => {
    const page = `<html><body><h1>Title</h1><p class="text">${text}</p></body></html>`;
    expect(decodePage(encoded(encoding, page), "text/html")).toBe(page);
    expect(decodePage(encoded(encoding, page), "text/html; charset=utf-8")).toBe(page);
  });

  it("is read as windows-1252 where a few letters tell nothing", () => {
    expect(decodePage(latin1("<p>Copyright © M. Müller</p>"), "text/html")).toBe("<p>Copyright © M. Müller</p>");
  });
});

/** A text in an encoding that Node only decodes. */
function encoded(encoding: string, text: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, readonly number[]>();
  for (let first = 0xff; first >= 0x80; first--) {
    bytesOf.set(decoder.decode(Uint8Array.of(first)), [first]);
    for (let second = 0x40; second <= 0xfe; second++) {
      const letter = decoder.decode(Uint8Array.of(first, second));
      if (letter.length === 1) bytesOf.set(letter, [first, second]);
    }
  }
  // Node decodes these of windows-1252 as controls.
  for (const [letter, byte] of [
    ["“", 0x93],
    ["”", 0x94],
    ["–", 0x96],
  ] as const) {
    if (encoding === "windows-1252") bytesOf.set(letter, [byte]);
  }
  return Uint8Array.from(
    [...text].flatMap((letter) => (letter < "\u0080" ? [letter.charCodeAt(0)] : (bytesOf.get(letter) ?? [0x3f]))),
  );
}

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
