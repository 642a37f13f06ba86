import type { ValueColumn } from "#model/profile.ts";

/**
 * The total of a sample type, the one that every endpoint shows: the sum of its values, negative ones included. A number where that
 * is exact, else a bigint that wraps at 64 bits as in Go.
 */
export function totalOf(column: ValueColumn): number | bigint {
  if (column instanceof BigInt64Array) return BigInt.asIntN(64, sumOf(column));
  let sum = 0;
  for (let i = 0; i < column.length; i++) sum += column[i];
  return sum;
}

/** The sum of this many low halves is less than 2^53. */
const exactSums = 1 << 20;

/** The exact sum. Adds halves of 32 bits as numbers, because an addition of BigInts allocates memory for every value. */
export function sumOf(column: BigInt64Array): bigint {
  const low = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
  const high = new Int32Array(column.buffer, column.byteOffset, 2 * column.length);
  let sum = 0n;
  for (let from = 0; from < column.length; from += exactSums) {
    const end = 2 * Math.min(column.length, from + exactSums);
    let [lowSum, highSum] = [0, 0];
    for (let at = 2 * from; at < end; at += 2) {
      lowSum += low[at];
      highSum += high[at + 1];
    }
    sum += (BigInt(highSum) << 32n) + BigInt(lowSum);
  }
  return sum;
}

/**
 * The whole that shares of a column refer to: its total, or the sum of absolute values if some are negative, as in `go tool pprof`.
 * Differences have negative values, which would cancel out. Rounded above 2^53.
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
