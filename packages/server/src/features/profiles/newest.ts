export interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Rows that the range holds; 0 when that is not known. */
  readonly expected: number;
  /** Rows wanted. */
  readonly limit: number;
}

/** Looks further back than rows that come evenly would need. */
const reserve = 4;
const widening = 16;

/**
 * The newest rows of a range, by reading as little of it as will do: from as far back as would hold enough of them
 * if they came evenly, and further until there are enough. `read` gives the newest `limit` rows from a time on.
 */
export async function newest<R>(
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
