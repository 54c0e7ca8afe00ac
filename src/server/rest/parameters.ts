import { CarrelError } from "../../domain/errors.ts";
import { didYouMean } from "../../domain/nearest.ts";
import type { View } from "./schemas.ts";
import { VIEWS } from "./schemas.ts";

/** Parameters that every call of a Google API takes; those that mean nothing here are let pass. */
const SYSTEM_PARAMETERS = [
  "$.xgafv",
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "passwd",
  "pp",
  "prettyPrint",
  "quotaUser",
  "trace",
  "uploadType",
  "upload_protocol",
  "userIp",
];

/** The parameters of a request, as sent: names decoded, values not. */
export type RawParameters = readonly { readonly name: string; readonly value: string }[];

/** Reads a query string, without its question mark. */
export function readQuery(query: string): RawParameters {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const name = equals === -1 ? pair : pair.slice(0, equals);
      return { name: decoded(name), value: equals === -1 ? "" : pair.slice(equals + 1) };
    });
}

/** What a parameter says; of several the last. Both spellings are known: `pageSize` and `page_size`. */
export function textParameter(parameters: RawParameters, name: string): string | undefined {
  const found = parameters.findLast((parameter) => spelling(parameter.name) === name);
  return found === undefined ? undefined : decoded(found.value);
}

/** The values of a parameter that may be repeated, as sent. */
export function listParameter(parameters: RawParameters, name: string): readonly string[] {
  return parameters.filter((parameter) => spelling(parameter.name) === name).map(({ value }) => value);
}

export function integerParameter(parameters: RawParameters, name: string): number | undefined {
  const text = textParameter(parameters, name);
  if (text === undefined || text === "") return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new CarrelError("invalid", `${name} is ${JSON.stringify(text.slice(0, 60))}; give a whole number.`);
}

export function flagParameter(parameters: RawParameters, name: string): boolean {
  const text = textParameter(parameters, name) ?? "";
  if (["", "true", "false", "1", "0"].includes(text)) return text === "true" || text === "1";
  throw new CarrelError("invalid", `${name} is ${JSON.stringify(text.slice(0, 60))}; give true or false.`);
}

/** A view by name or number; undefined when none is asked for. */
export function viewParameter(parameters: RawParameters): Exclude<View, "DOCUMENT_VIEW_UNSPECIFIED"> | undefined {
  const text = textParameter(parameters, "view") ?? "";
  if (text === "" || text === "0" || text === "DOCUMENT_VIEW_UNSPECIFIED") return undefined;
  const views = Object.keys(VIEWS) as View[];
  const view = views.find((known) => known === text || String(VIEWS[known]) === text);
  if (view !== undefined && view !== "DOCUMENT_VIEW_UNSPECIFIED") return view;
  const known = views.slice(1).join(", ");
  throw new CarrelError("invalid", `There is no view ${JSON.stringify(text.slice(0, 60))}; the views are ${known}.`);
}

/** How the reply is to be written. @throws CarrelError `invalid` for what is not JSON. */
export function replyForm(parameters: RawParameters): { readonly numericEnums: boolean; readonly pretty: boolean } {
  const alt = textParameter(parameters, "alt") ?? "json";
  const [, enums] = /^json(?:;enum-encoding=(int|string))?$/i.exec(alt) ?? [];
  if (!/^json\b/i.test(alt) || (alt.includes(";") && enums === undefined)) {
    throw new CarrelError(
      "invalid",
      `alt is ${JSON.stringify(alt.slice(0, 60))}; only json and json;enum-encoding=int are given.`,
    );
  }
  return { numericEnums: enums === "int", pretty: isTrue(parameters, "prettyPrint") || isTrue(parameters, "pp") };
}

/** Names of parameters that neither the call nor every call has. */
export function unknownParameters(parameters: RawParameters, known: readonly string[]): readonly string[] {
  const all = [...known, ...SYSTEM_PARAMETERS];
  return parameters.map(({ name }) => name).filter((name) => !all.includes(spelling(name)) && !all.includes(name));
}

/** @throws CarrelError `invalid` when a parameter is unknown: what it asks for would not be done. */
export function refuseUnknown(parameters: RawParameters, known: readonly string[]): void {
  const [unknown] = unknownParameters(parameters, known);
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, 60));
  const listed =
    known.length === 0
      ? "This call takes none: what it is to do stands in its body."
      : `The parameters are ${known.join(", ")}.`;
  throw new CarrelError("invalid", `There is no parameter ${shown} here.${didYouMean(unknown, known)} ${listed}`);
}

/**
 * Decodes the percent-encoding of one value, in which `+` stands for a space unless it is a name.
 * @throws CarrelError `invalid` when it is broken.
 */
export function decoded(value: string, plus: "space" | "plus" = "space"): string {
  try {
    return decodeURIComponent(plus === "space" ? value.replaceAll("+", " ") : value);
  } catch {
    throw new CarrelError("invalid", `${JSON.stringify(value.slice(0, 60))} is not percent-encoded UTF-8.`);
  }
}

/** `names[]`, `page_size` and `$alt` are `names`, `pageSize` and `alt`. */
function spelling(name: string): string {
  const bare = name.replace(/\[\]$/, "").replace(/^\$(?!\.)/, "");
  return /^(?:access_token|oauth_token|upload_protocol)$/.test(bare)
    ? bare
    : bare.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isTrue(parameters: RawParameters, name: string): boolean {
  const text = textParameter(parameters, name);
  return text === "true" || text === "1";
}
