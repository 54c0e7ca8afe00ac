import { afterEach, describe, expect, it } from "vitest";
import { createConverter, type ConverterOptions } from "../../src/convert/converter.ts";
import type { ConversionInput } from "../../src/domain/conversion.ts";
import type { Converter } from "../../src/domain/ports.ts";

const open: Converter[] = [];

function converter(options: Partial<ConverterOptions> = {}): Converter {
  const created = createConverter({ threads: 2, pageTimeoutMs: 30_000, ...options });
  open.push(created);
  return created;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

function input(html: string): ConversionInput {
  return {
    url: "https://tern.example/a.html",
    contentType: "text/html; charset=utf-8",
    body: new TextEncoder().encode(html),
    options: { remove: [] },
    aliases: [],
  };
}

/** So many levels that a thread is busy with them for seconds. */
const SLOW = "<table><tr><td>x".repeat(60_000);

describe("the pool of threads", () => {
  it("converts pages, more than it has threads", async () => {
    const pool = converter();
    const conversions = await Promise.all(
      Array.from({ length: 10 }, (_, i) => pool.convert(input(`<h1>T${i}</h1><p>Text ${i}.</p>`))),
    );
    expect(conversions.map((one) => (one.kind === "document" ? `${one.title}: ${one.content}` : one.kind))).toEqual(
      Array.from({ length: 10 }, (_, i) => `T${i}: Text ${i}.`),
    );
  });

  it("leaves the bytes of a page as they are", async () => {
    const page = input("<p>a</p>");
    await converter().convert(page);
    expect(new TextDecoder().decode(page.body)).toBe("<p>a</p>");
  });

  it("gives up a page that takes too long, and goes on with the next", async () => {
    const pool = converter({ threads: 1, pageTimeoutMs: 400 });
    await expect(pool.convert(input(SLOW))).resolves.toEqual({
      kind: "failed",
      reason: "it was not converted in 400 ms",
    });
    const patient = converter({ threads: 1 });
    await expect(patient.convert(input("<p>a</p>"))).resolves.toMatchObject({ kind: "document", content: "a" });
  });

  it("replaces a thread that a page has cost", async () => {
    const pool = converter({ threads: 1, pageTimeoutMs: 30_000, maxMemoryMb: 40 });
    await expect(pool.convert(input("<p>word</p>".repeat(200_000)))).resolves.toEqual({
      kind: "failed",
      reason: "it takes more memory to convert than a page may",
    });
    await expect(pool.convert(input("<p>a</p>"))).resolves.toMatchObject({ kind: "document", content: "a" });
  });

  it("takes no page once it is closed", async () => {
    const pool = converter();
    await pool.close();
    await expect(pool.convert(input("<p>a</p>"))).rejects.toMatchObject({ code: "stopped" });
  });

  it("answers for the pages that closing it cuts off", async () => {
    const pool = converter({ threads: 1 });
    const conversion = pool.convert(input(SLOW));
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    await expect(conversion).resolves.toEqual({ kind: "failed", reason: "the conversion was stopped" });
  });
});

describe("the fingerprint", () => {
  it("names the rules, and is the same for the same ones", () => {
    expect(converter().fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(converter().fingerprint).toBe(converter().fingerprint);
  });
});
