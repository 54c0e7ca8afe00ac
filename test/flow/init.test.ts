import { describe, expect, it } from "vitest";
import { idOfFolder, idOfSite } from "../../src/flow/init-id.ts";
import { addressSigns, likelyVersion } from "../../src/flow/init-signs.ts";

describe("a name for a source", () => {
  it.each([
    ["https://docs.python.org/3.11/", "python-3.11"],
    ["https://docs.python.org/3.11/library/os.html", "python-3.11"],
    ["https://www.postgresql.org/docs/15/index.html", "postgresql-15"],
    ["https://squidfunk.github.io/mkdocs-material/", "mkdocs-material"],
    ["https://urllib3.readthedocs.io/en/stable/", "urllib3"],
    ["https://docs.rs/serde/latest/serde/", "serde"],
    ["https://go.dev/doc/", "go.dev"],
    ["https://developer.android.com/guide", "android"],
    ["http://127.0.0.1:8000/", "local"],
    ["http://[::1]:8000/v2/", "local-v2"],
    ["https://wiki.corp.example/", "corp"],
    ["https://xn--bcher-kva.example/", "xn--bcher-kva"],
  ])("%s → %s", (url, id) => expect(idOfSite(url)).toBe(id));

  it.each([
    ["/usr/share/doc/python3.11/html", "python3.11"],
    ["/usr/share/doc/postgresql-doc-15/html", "postgresql-15"],
    ["/home/me/My Docs!/_build/html/", "my-docs"],
    ["/srv/Über uns", "uber-uns"],
    ["/", "local"],
  ])("%s → %s", (folder, id) => expect(idOfFolder(folder)).toBe(id));
});

describe("what addresses say of a site", () => {
  const signs = (...paths: string[]) =>
    addressSigns(
      paths.map((path) => `https://x.example/${path}`),
      "https://x.example/",
    );

  it("languages: one directory of two letters is a word, two are languages", () => {
    expect(signs("ar/develop", "maps/a").languages).toEqual([]);
    expect(signs("ar/a", "de/a", "pt-br/a").languages).toEqual(["ar", "de", "pt-BR"]);
    expect(signs("a?hl=de", "a?hl=de&x=1").languages).toEqual(["de"]);
    // A file is no directory.
    expect(signs("de", "fr").languages).toEqual([]);
  });

  it("versions: side by side, also below a language; a single one is no choice", () => {
    expect(signs("1.0/a", "2.0/a", "b").versions).toEqual(["1.0", "2.0"]);
    expect(signs("en/stable/a", "en/latest/a").versions).toEqual(["stable", "latest"]);
    expect(signs("1.0/a", "api/v2/x").versions).toEqual([]);
  });

  it("sections and blogs", () => {
    expect(signs("docs/a", "docs/b", "blog/x", "pricing")).toMatchObject({
      sections: [
        { name: "docs/", count: 2 },
        { name: "blog/", count: 1 },
        { name: "", count: 1 },
      ],
      hasBlog: true,
    });
    expect(signs("blogging/a").hasBlog).toBe(false);
  });

  it("only below the directory where the crawl begins", () => {
    expect(
      addressSigns(["https://x.example/de/a", "https://x.example/fr/a"], "https://x.example/docs/").languages,
    ).toEqual([]);
  });

  it("the version that most want", () => {
    expect(likelyVersion(["latest", "stable", "9.0"])).toBe("stable");
    expect(likelyVersion(["1.9", "1.10", "main"])).toBe("1.10");
    expect(likelyVersion(["main", "dev"])).toBe("main");
    expect(likelyVersion([])).toBeUndefined();
  });
});
