import { expect, it } from "vitest";
import { fetchUrl, publicUrl, type Aliases } from "../../src/domain/source.ts";

const ALIASES: Aliases = [
  { fetch: "http://127.0.0.1:9001/", name: "https://docs.example.com/" },
  { fetch: "http://127.0.0.1:9002/old/", name: "https://docs.example.com/3.11/" },
];

it("names what is fetched, and fetches what is named", () => {
  expect(publicUrl(ALIASES, "http://127.0.0.1:9001/a?b#c")).toBe("https://docs.example.com/a?b#c");
  expect(fetchUrl(ALIASES, "https://docs.example.com/a?b")).toBe("http://127.0.0.1:9001/a?b");
});

it("takes the longest base, and the base without its slash", () => {
  expect(fetchUrl(ALIASES, "https://docs.example.com/3.11/os.html")).toBe("http://127.0.0.1:9002/old/os.html");
  expect(fetchUrl(ALIASES, "https://docs.example.com/3.11")).toBe("http://127.0.0.1:9002/old/");
});

it("leaves other URLs alone, also those that only begin alike", () => {
  expect(publicUrl(ALIASES, "http://127.0.0.1:90011/a")).toBe("http://127.0.0.1:90011/a");
  expect(publicUrl(ALIASES, "http://127.0.0.1:9002/older/a")).toBe("http://127.0.0.1:9002/older/a");
});
