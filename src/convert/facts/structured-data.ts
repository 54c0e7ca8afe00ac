import { collapse } from "../read/clean-text.ts";
import { attribute, descendants, textOf, type Element } from "../read/dom.ts";
import { fieldsOf, listOf, textIn, type Fields } from "../json-value.ts";
import { isoDate } from "./dates.ts";
import type { Crumb } from "./breadcrumbs.ts";

/** What a page says in JSON-LD and microdata. Source: schema.org, BreadcrumbList and CreativeWork. */
export interface StructuredData {
  readonly crumbs: readonly Crumb[];
  /** ISO 8601; "" when it does not say. */
  readonly modified: string;
  /** The types of its things, such as `BlogPosting`. */
  readonly types: ReadonlySet<string>;
}

const NOTHING: StructuredData = { crumbs: [], modified: "", types: new Set() };

/** More is data of an application. */
const LONGEST_SCRIPT = 200_000;
const MAX_SCRIPTS = 20;
/** Things in things that are looked into, in all and how deep. */
const MAX_THINGS = 500;
const MAX_DEPTH = 6;

/** @param html The page, by which most are told to have none. */
export function structuredData(elements: readonly Element[], html: string): StructuredData {
  const inJson = html.includes("ld+json") ? jsonLd(elements) : NOTHING;
  if (inJson.crumbs.length > 0 || !html.includes("schema.org/BreadcrumbList")) return inJson;
  return { ...inJson, crumbs: microdataCrumbs(elements) };
}

function jsonLd(elements: readonly Element[]): StructuredData {
  const things: Fields[] = [];
  const scripts = elements.filter(
    (element) => element.name === "script" && /ld\+json/i.test(attribute(element, "type")),
  );
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    const text = script.children.map((child) => (child.type === "text" ? child.data : "")).join("");
    if (text.length > LONGEST_SCRIPT) continue;
    try {
      gather(JSON.parse(text), 0, things);
    } catch {
      // Templates write broken JSON; nobody but machines reads it, and so nobody mends it.
    }
  }
  const list = things.find((thing) => typesOf(thing).includes("BreadcrumbList"));
  return {
    crumbs: list === undefined ? [] : listCrumbs(list),
    modified: things.map((thing) => isoDate(textIn(thing["dateModified"]))).find((date) => date !== "") ?? "",
    types: new Set(things.flatMap(typesOf)),
  };
}

function gather(value: unknown, depth: number, things: Fields[]): void {
  if (depth > MAX_DEPTH || things.length >= MAX_THINGS) return;
  for (const one of Array.isArray(value) ? listOf(value) : [value]) {
    const fields = fieldsOf(one);
    if (fields["@type"] !== undefined) things.push(fields);
    for (const inner of Object.values(fields)) {
      if (typeof inner === "object" && inner !== null) gather(inner, depth + 1, things);
    }
  }
}

function typesOf(thing: Fields): string[] {
  const type = thing["@type"];
  return (Array.isArray(type) ? listOf(type) : [type]).map(textIn).filter((name) => name !== "");
}

function listCrumbs(list: Fields): Crumb[] {
  return listOf(list["itemListElement"])
    .map(fieldsOf)
    .sort((a, b) => Number(a["position"]) - Number(b["position"]))
    .map((element) => {
      const item = fieldsOf(element["item"]);
      const url = textIn(element["item"]) || textIn(item["@id"]) || textIn(item["url"]);
      return { text: collapse(textIn(element["name"]) || textIn(item["name"])).trim(), href: url };
    });
}

function microdataCrumbs(elements: readonly Element[]): Crumb[] {
  const list = elements.find((element) => attribute(element, "itemtype").includes("BreadcrumbList"));
  if (list === undefined) return [];
  const crumbs: Crumb[] = [];
  for (const element of descendants(list)) {
    if (attribute(element, "itemprop") !== "itemListElement") continue;
    const inner = [...descendants(element)];
    const name = inner.find((one) => attribute(one, "itemprop") === "name");
    const text = name === undefined ? textOf(element) : attribute(name, "content") || textOf(name);
    const link = element.name === "a" ? element : inner.find((one) => one.name === "a");
    crumbs.push({ text: collapse(text).trim(), href: link === undefined ? "" : attribute(link, "href") });
  }
  return crumbs;
}
