import type Database from "better-sqlite3";
import { checkFingerprint, guarded, openIndexFile } from "../index-file.ts";
import { SegmentStore } from "../segment-store.ts";
import { ordinalOf } from "../segment.ts";
import { eachVector } from "./chunk-vectors.ts";
import { checkHeldOut, helps, type HeldOut, type HeldOutCheck } from "./held-out.ts";
import { readSample, spreadEvenly, type ReadableSegment, type SampledChunk } from "./index-terms.ts";
import { MeaningTables } from "./tables.ts";
import { DIMENSIONS, makeTermSpace } from "./term-space.ts";
import { bytesIn } from "./vector-bytes.ts";

/** Chunks that the space is made of: more make it hardly better, and memory and time grow with them. */
const MAX_SAMPLE = 8_000;

/**
 * What a cosine counts in the check beside the words' score: as much as in the ranking, where the words' score is about half
 * of all evidence.
 */
const CHECK_WEIGHT = 0.14;

/** What is given to `fitMeaning`; can be sent to a thread. */
export interface FitRequest {
  readonly file: string;
  readonly fingerprint: string;
  /** Row ids of sections, and the terms of their headings. */
  readonly questions: readonly { readonly row: number; readonly terms: readonly string[] }[];
}

/**
 * Makes the term space of an index anew, checks on the corpus' own headings whether it is of use, and writes the decision
 * and, when it is, the vectors of all chunks, in one transaction. Takes seconds; its memory is bounded by the sample and by the ranges of chunks that are folded in.
 */
export function fitMeaning({ file, fingerprint, questions }: FitRequest): HeldOutCheck {
  const db = openIndexFile(file, false, fingerprint);
  try {
    const store = new SegmentStore(db);
    const write = db.transaction(() => {
      checkFingerprint(file, store.refresh(), fingerprint);
      return fitted(db, store, questions);
    });
    return guarded(file, () => write.immediate());
  } finally {
    db.close();
  }
}

function fitted(db: Database.Database, store: SegmentStore, questions: FitRequest["questions"]): HeldOutCheck {
  const tables = new MeaningTables(db);
  const segments = store.segments.map((segment): ReadableSegment => ({ segment, terms: () => store.terms(segment) }));
  const { chunks, heldOut } = sampled(store, questions);
  const sample = readSample(segments, chunks);
  const space = makeTermSpace(sample);
  const documents = chunks.map(({ segment, ordinal }) => segment.documents[ordinal] as number);
  const check = checkHeldOut(sample, documents, space, heldOut, CHECK_WEIGHT);
  const isOn = helps(check);
  tables.decide(store.live.chunks, check, isOn ? space : undefined);
  for (const each of isOn ? segments : []) {
    const { segment } = each;
    eachVector(each, space, (from, vectors) => {
      const byDocument = new Map<number, Uint8Array[]>();
      for (let i = 0; i * DIMENSIONS < vectors.length; i++) {
        if (segment.deletedMask?.[from + i] === 1) continue;
        const document = segment.documents[from + i] as number;
        const own = byDocument.get(document) ?? [];
        own.push(bytesIn(vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)));
        byDocument.set(document, own);
      }
      for (const [document, own] of byDocument) tables.addVectors(document, Buffer.concat(own));
    });
  }
  return check;
}

function sampled(
  store: SegmentStore,
  questions: FitRequest["questions"],
): { readonly chunks: readonly SampledChunk[]; readonly heldOut: readonly HeldOut[] } {
  const chunks: SampledChunk[] = [];
  const heldOut: HeldOut[] = [];
  const rows = new Set<number>();
  for (const { row, terms } of questions) {
    for (const segment of store.segments) {
      const ordinal = ordinalOf(segment, row);
      if (ordinal < 0) continue;
      heldOut.push({ chunk: chunks.length, terms });
      chunks.push({ segment, ordinal, heldOut: true });
      rows.add(row);
    }
  }
  for (const chunk of spreadEvenly(store.segments, MAX_SAMPLE))
    if (!rows.has(chunk.segment.rows[chunk.ordinal] as number)) chunks.push({ ...chunk, heldOut: false });
  return { chunks, heldOut };
}
