import type { ScopeVerdict } from "../../domain/scope.ts";
import { compileLocalRules, type LocalRules } from "../folder-urls.ts";
import { holdsNothing } from "../local-documents.ts";
import { isWorthReading, mediaOfEnding, typeOfMedia } from "../media.ts";
import type { ArchivedDocument, ArchiveForm, MemberContent, OpenArchive } from "./archive-contents.ts";
import { createMeter } from "./archive-limits.ts";
import { expanded } from "./expand.ts";
import { decodeBody, httpHead, type HttpHead } from "./http-message.ts";
import { tooLarge } from "./tar.ts";
import { warcRecords, type WarcRecord } from "./warc-records.ts";

/** No head of an answer is longer. */
const MAX_HEAD_BYTES = 256 * 1024;

/**
 * WARC files: captures keep their own URLs. Of several captures of one document the newest counts, and one that is whole before
 * one that was cut off. Captures that are no answer with 200, 404, 410 or a redirect are left out and counted.
 */
export function warcForm(isGzip: boolean): ArchiveForm {
  return {
    async list(archive) {
      const captures = createCaptures(archive);
      const meter = createMeter(archive.limits);
      for await (const record of warcRecords(expanded(archive.file, isGzip, archive.limits))) {
        meter.member();
        await captures.add(record);
      }
      return captures.documents();
    },
    async *read(archive, places) {
      let left = places.size;
      for await (const record of warcRecords(expanded(archive.file, isGzip, archive.limits))) {
        if (!places.has(record.place)) continue;
        yield await content(record, archive.limits.maxMemberBytes);
        if (--left === 0) return;
      }
    },
  };
}

/** What is known of one document from its captures so far. */
interface Capture {
  readonly date: string;
  /** Undefined: the site said that it is gone. */
  readonly document: ArchivedDocument | undefined;
}

/** A record that may be a capture of a document in scope. */
interface Target {
  readonly record: WarcRecord;
  /** As it was captured. */
  readonly url: string;
  readonly name: string;
  readonly date: string;
}

interface Captures {
  add(record: WarcRecord): Promise<void>;
  documents(): ReadonlyMap<string, ArchivedDocument>;
}

function createCaptures({ source, omitted, limits }: OpenArchive): Captures {
  const rules = compileLocalRules(source);
  const newest = new Map<string, Capture>();
  /** By the digest of their payload: what a revisit may repeat. */
  const byDigest = new Map<string, ArchivedDocument>();

  function take({ name, date }: Target, document: ArchivedDocument | undefined): void {
    const before = newest.get(name);
    const isWorse =
      document?.problem !== undefined && before?.document !== undefined && before.document.problem === undefined;
    const mends = before?.document?.problem !== undefined && document !== undefined && document.problem === undefined;
    if (mends || (!isWorse && (before === undefined || date >= before.date))) newest.set(name, { date, document });
  }

  async function addResponse(target: Target): Promise<void> {
    const { record, url } = target;
    const head = await headOf(record);
    if (head === undefined) return omitted.add("unreadable", url);
    const { status } = head;
    if (status >= 300 && status < 400 && status !== 304) return addRedirect(target, head);
    if (status === 404 || status === 410) return take(target, undefined);
    if (status !== 200) return omitted.add("status", url);
    const contentType = head.headers.get("content-type") ?? "";
    if (!isWorthReading(contentType, url, rules.media, rules.isAsked(url))) return;
    const truncated = record.headers.get("warc-truncated");
    const document: ArchivedDocument = {
      ...addressesOf(rules, url),
      ...sent(rules, url),
      place: record.place,
      contentType,
      lastModified: head.headers.get("last-modified"),
      ...(truncated === undefined
        ? tooLarge(record.length - head.bodyAt, limits.maxMemberBytes)
        : { problem: `the capture is cut off (${truncated.slice(0, 40)})` }),
    };
    take(target, document);
    const digest = record.headers.get("warc-payload-digest");
    if (digest !== undefined) byDigest.set(digest, document);
  }

  function addRedirect(target: Target, { headers }: HttpHead): void {
    const { url, name, record } = target;
    const to = URL.parse(headers.get("location") ?? "", url);
    if (to === null || !/^https?:$/.test(to.protocol)) return omitted.add("status", url);
    to.hash = "";
    // One that leads to another spelling of the same document says nothing.
    if (rules.names.name(to.href) === name) return;
    take(target, {
      ...addressesOf(rules, url),
      ...sent(rules, url),
      place: record.place,
      contentType: "",
      lastModified: undefined,
      movedTo: rules.names.asked(to.href),
    });
  }

  /** The site sent what it had sent before, and the file says so in place of sending it twice. */
  function addRevisit(target: Target): void {
    const { record, name, url, date } = target;
    const before = newest.get(name);
    const same = byDigest.get(record.headers.get("warc-payload-digest") ?? "");
    if (same !== undefined) return take(target, { ...same, ...addressesOf(rules, url) });
    // Not modified since the capture before, of which nothing more is said.
    if (before?.document !== undefined) newest.set(name, { ...before, date: date > before.date ? date : before.date });
    else omitted.add("revisit", url);
  }

  return {
    async add(record) {
      const type = record.headers.get("warc-type");
      if (type === "continuation") return omitted.add("segment", record.headers.get("warc-target-uri") ?? "");
      if (type !== "response" && type !== "resource" && type !== "revisit") return;
      const target = targetOf(record, rules);
      if (target === undefined) return;
      if (type === "revisit") return addRevisit(target);
      if (type === "response") return addResponse(target);
      const contentType = resourceType(record, target.url);
      if (!isWorthReading(contentType, target.url, rules.media, rules.isAsked(target.url))) return;
      take(target, {
        ...addressesOf(rules, target.url),
        ...sent(rules, target.url),
        place: record.place,
        contentType,
        lastModified: undefined,
        ...tooLarge(record.length, limits.maxMemberBytes),
      });
    },
    documents() {
      const documents = new Map<string, ArchivedDocument>();
      for (const [name, { document }] of newest) if (document !== undefined) documents.set(name, document);
      if (documents.size === 0) throw holdsNothing(source);
      return documents;
    },
  };
}

function addressesOf({ names }: LocalRules, url: string): Pick<ArchivedDocument, "url" | "publicUrl"> {
  return { url: names.asked(url), publicUrl: names.tidy(url) };
}

function sent({ isAsked }: LocalRules, url: string): Pick<ArchivedDocument, "isSent" | "isAsked"> {
  return { isSent: true, isAsked: isAsked(url) };
}

/** Undefined for what is no document in scope. wget writes URLs in angle brackets, as a draft of the standard had it. */
function targetOf(record: WarcRecord, { names, scope }: LocalRules): Target | undefined {
  const written = (record.headers.get("warc-target-uri") ?? "").replace(/^<(.*)>$/, "$1");
  const parsed = URL.parse(written);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  parsed.hash = "";
  const url = parsed.href;
  const verdict: ScopeVerdict = scope.verdict(names.rewritten(url));
  if (!verdict.inScope) return undefined;
  return { record, url, name: names.name(url), date: record.headers.get("warc-date") ?? "" };
}

function resourceType(record: WarcRecord, url: string): string {
  const media = mediaOfEnding(url);
  return record.headers.get("content-type") ?? (media === undefined ? "" : typeOfMedia(media));
}

async function headOf(record: WarcRecord): Promise<HttpHead | undefined> {
  return httpHead(await record.block(MAX_HEAD_BYTES));
}

async function content(record: WarcRecord, maxBytes: number): Promise<MemberContent> {
  const { place } = record;
  const block = await record.block(maxBytes + MAX_HEAD_BYTES);
  if (record.headers.get("warc-type") === "resource") return { place, body: block };
  const head = httpHead(block);
  if (head === undefined) return { place, problem: "it holds no answer of HTTP" };
  return { place, ...decodeBody(block.subarray(head.bodyAt), head.headers, maxBytes) };
}
