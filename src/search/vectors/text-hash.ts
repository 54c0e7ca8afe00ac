import { createHash } from "node:crypto";
import type { ChunkText } from "../../domain/chunk.ts";

const HASH_BYTES = 12;

/** What a model is given of a chunk: where it stands, and what it says. */
export function textFor({ title, headings, content }: Pick<ChunkText, "title" | "headings" | "content">): string {
  return `${[title, ...headings].filter((each) => each !== "").join(" > ")}\n\n${content}`;
}

/** Tells texts apart. */
export function textHash(text: string): Buffer {
  return createHash("sha256").update(text).digest().subarray(0, HASH_BYTES);
}
