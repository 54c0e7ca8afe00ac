import type { Chunk } from "../domain/chunk.ts";
import { documentName } from "../domain/document-name.ts";

/** Addresses whose page was worked out already; a site's pages share most of their links. */
const MAX_CACHED_ADDRESSES = 20_000;

const cached = new Map<string, number>();

/** The pages that a document's links lead to, each once, itself not among them, as `pageKey` has them. */
export function linkedPages(own: number, chunks: readonly Chunk[]): Uint32Array {
  const pages = new Set<number>();
  for (const { content } of chunks) {
    for (let at = content.indexOf("](http"); at >= 0; at = content.indexOf("](http", at + 6)) {
      ADDRESS.lastIndex = at + 2;
      const address = ADDRESS.exec(content)?.[0];
      if (address !== undefined) pages.add(keyOfAddress(address));
    }
  }
  pages.delete(NO_PAGE);
  pages.delete(own);
  return Uint32Array.from(pages).sort();
}

/** A document name as a number of 32 bits; two of a million pages may share one, which costs a little precision. */
export function pageKey(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0 || 1;
}

const NO_PAGE = 0;
const ADDRESS = /https?:[^\s)#<>"]{1,2000}/y;

function keyOfAddress(address: string): number {
  const known = cached.get(address);
  if (known !== undefined) return known;
  let key = NO_PAGE;
  try {
    key = pageKey(documentName(address));
  } catch {
    // An address that no page can have leads nowhere.
  }
  if (cached.size >= MAX_CACHED_ADDRESSES) cached.clear();
  cached.set(address, key);
  return key;
}
