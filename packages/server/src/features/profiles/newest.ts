export interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Number of rows in the range; 0 if unknown. */
  readonly expected: number;
  /** Number of rows to find. */
  readonly limit: number;
}

/** Reads further back than evenly distributed rows would need. */
const reserve = 4;
const widening = 16;

/**
 * The newest rows of a range, found by reading as little of it as possible: first as far back as needed if rows were
 * evenly distributed, then further until there are enough. `read` returns the newest `limit` rows since a time.
 */
export async function findNewest<R>(
  read: (fromMs: number) => Promise<R[]>,
  { fromMs, untilMs, expected, limit }: Range,
): Promise<R[]> {
  const rangeMs = untilMs - fromMs;
  let spanMs = expected === 0 || rangeMs <= 0 ? rangeMs : (rangeMs * reserve * limit) / expected;
  while (spanMs < rangeMs) {
    const rows = await read(Math.floor(untilMs - spanMs));
    if (rows.length >= limit) return rows;
    spanMs *= widening;
  }
  return read(fromMs);
}
