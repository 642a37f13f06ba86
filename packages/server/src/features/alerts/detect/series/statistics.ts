/** Of sorted values, between neighbours in proportion. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** NaN without values. */
export function medianOf(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : quantile(values.toSorted(ascending), 0.5);
}

export function ascending(a: number, b: number): number {
  return a - b;
}
