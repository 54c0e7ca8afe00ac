/** A term of the corpus, and how many chunks have it. */
export interface KnownTerm {
  readonly term: string;
  readonly chunks: number;
}

/** Shorter words have too many neighbours to tell which was meant. */
const LEAST_LENGTH = 4;

/** From this length on two slips are forgiven, below it one. */
const LONG_LENGTH = 8;

/** A correction must be this many times as common as the next best, or it is not clear. */
const CLEARLY_MORE = 3;

/** Whether a term that is nowhere may be a slip: a plain word of an alphabet, not a name with digits or signs. */
export function mayBeMisspelt(term: string): boolean {
  return term.length >= LEAST_LENGTH && /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(term);
}

/** How the words begin that a misspelt one may stand for: a slip in the first letter is rare and not looked for. */
export function beginnings(term: string): readonly string[] {
  return [...new Set([term.slice(0, 2), term.charAt(0) + term.charAt(2)])];
}

/** How much the length of a word may differ from that of the right one. */
export function allowedSlips(term: string): number {
  return term.length >= LONG_LENGTH ? 2 : 1;
}

/** Words that differ in more are others. */
export const MAX_SLIPS = 3;

/** The share of a word that may differ. */
const MOST_SLIPPED = 0.4;

const MAX_NEAREST = 3;

/** The terms that differ least, of those that differ in as much the most frequent first. */
export function nearestTerms(misspelt: string, known: Iterable<KnownTerm>): readonly string[] {
  const most = Math.min(MAX_SLIPS, Math.floor(misspelt.length * MOST_SLIPPED));
  const near = new Map<string, KnownTerm & { readonly distance: number }>();
  for (const each of known) {
    const distance = editDistance(misspelt, each.term, most);
    if (distance <= most && mayBeMisspelt(each.term)) near.set(each.term, { ...each, distance });
  }
  return [...near.values()]
    .sort((a, b) => a.distance - b.distance || b.chunks - a.chunks || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_NEAREST)
    .map(({ term }) => term);
}

/** The term that a misspelt one clearly stands for: the nearest, and much more common than others as near. */
export function correctionOf(misspelt: string, known: Iterable<KnownTerm>): string | undefined {
  const byDistance = new Map<number, KnownTerm[]>();
  for (const candidate of known) {
    const distance = editDistance(misspelt, candidate.term, allowedSlips(misspelt));
    const found = byDistance.get(distance);
    if (found === undefined) byDistance.set(distance, [candidate]);
    else found.push(candidate);
  }
  for (let distance = 1; distance <= allowedSlips(misspelt); distance++) {
    const [best, next] = (byDistance.get(distance) ?? []).sort(
      (a, b) => b.chunks - a.chunks || (a.term < b.term ? -1 : 1),
    );
    if (best === undefined) continue;
    return next === undefined || best.chunks >= CLEARLY_MORE * next.chunks ? best.term : undefined;
  }
  return undefined;
}

/**
 * Letters to add, drop, change or swap with their neighbour to make one word the other; more than `most` is infinite.
 * Source: optimal string alignment, after Damerau (1964).
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let twoBefore: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (twoBefore[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return Infinity;
    twoBefore = before;
    before = row;
  }
  const distance = before[b.length] ?? Infinity;
  return distance > most ? Infinity : distance;
}
