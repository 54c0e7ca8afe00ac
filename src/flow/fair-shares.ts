/**
 * Shares room among things of given sizes so that none gets more than its size, small ones get all they need, and the large
 * ones share what remains equally. The shares add up to at most `room`.
 */
export function fairShares(sizes: readonly number[], room: number): readonly number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = sizes.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size);
  let left = room;
  smallestFirst.forEach(({ size, at }, done) => {
    const share = Math.max(0, Math.min(size, Math.floor(left / (sizes.length - done))));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
