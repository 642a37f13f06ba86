import type { ValueColumn } from "./profile.ts";

/**
 * The total of a sample type, the one that every endpoint shows: the sum of its values, negative ones included. A number where that
 * is exact, else a bigint that wraps at 64 bits as in Go.
 */
export function totalOf(column: ValueColumn): number | bigint {
  if (column instanceof BigInt64Array) {
    let sum = 0n;
    for (const value of column) sum += value;
    return BigInt.asIntN(64, sum);
  }
  let sum = 0;
  for (const value of column) sum += value;
  return sum;
}

/**
 * What shares of a column are of: its total, and the sum of the sizes where there are negative values, as in `go tool pprof`.
 * Differences hold such values, and a total in which they cancel is no whole. Rounded above 2^53.
 */
export function wholeOf(column: ValueColumn): number {
  if (column instanceof BigInt64Array) {
    let sum = 0n;
    for (const value of column) sum += value < 0n ? -value : value;
    return Number(sum);
  }
  let sum = 0;
  for (const value of column) sum += Math.abs(value);
  return sum;
}
