import { compileVersions } from "../domain/version-segment.ts";
import { likeness } from "./signature.ts";

/** What tells the versions of one page from one another, and from other pages. */
export interface VersionedPage {
  /** Of the product, such as "3.11"; "" when it is not known. */
  readonly version: string;
  /** BCP 47; "" when it is not known. */
  readonly language: string;
  /** See `signatureOf`. */
  readonly signature: Uint8Array;
}

/** Pages of one title that share so much are versions of one page. */
const SAME_PAGE = 0.8;

/** What is written in English is what others are translations of, as a rule, and what is left untranslated in them. */
const DEFAULT_LANGUAGE = "en";

const { versionIn } = compileVersions([]);

/** The version that the address of a page names: `/v1.2/`, `/latest/`; "" for none. */
export function versionOfAddress(uri: string): string {
  const path = URL.canParse(uri) ? new URL(uri).pathname : uri;
  return versionIn(path.slice(1).split("/").slice(0, -1)) ?? "";
}

/** Whether two pages of one title are versions of one page. */
export function areVersions(a: VersionedPage, b: VersionedPage): boolean {
  return likeness(a.signature, b.signature) >= SAME_PAGE;
}

/** A title without the numbers of a version in it. */
export function plainTitle(title: string): string {
  return title
    .toLowerCase()
    .replace(/v?\d[\d.]*/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Orders versions of one page for a query, that to show first: a version that the query names, then the one that is read
 * unless another is asked for (`latest`, or one without a version in its address; else the greatest number), in English.
 */
export function preferredFirst(query: string): (a: VersionedPage, b: VersionedPage) => number {
  const named = new Set((query.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? []).map(plain));
  const asked = ({ version }: VersionedPage): number =>
    version !== "" && beginningsOf(plain(version)).some((beginning) => named.has(beginning)) ? 1 : 0;
  return (a, b) =>
    asked(b) - asked(a) || compareVersions(b.version, a.version) || isDefaultLanguage(b) - isDefaultLanguage(a);
}

function isDefaultLanguage({ language }: VersionedPage): number {
  return language.toLowerCase().split("-")[0] === DEFAULT_LANGUAGE ? 1 : 0;
}

/** `3.11.2` is asked for by `3.11.2`, `3.11` and `3`. */
function beginningsOf(version: string): readonly string[] {
  const parts = version.split(".");
  return parts.map((_, i) => parts.slice(0, i + 1).join("."));
}

function plain(version: string): string {
  return version
    .toLowerCase()
    .replace(/^v(?=\d)/, "")
    .replace(/\.$/, "");
}

/** Greater is what readers want unless they say otherwise. */
function compareVersions(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || compareNumbers(numbersOf(a), numbersOf(b));
}

const CURRENT = /^(?:latest|stable|current|lts|)$/i;
const UNRELEASED =
  /^(?:next|dev|devel|develop|main|master|trunk|canary|nightly|unstable)$|(?:alpha|beta|rc|dev|pre|snapshot)[-_.]?\d*$/i;

function rankOf(version: string): number {
  return CURRENT.test(version) ? 2 : UNRELEASED.test(version) ? 0 : 1;
}

function numbersOf(version: string): readonly number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
