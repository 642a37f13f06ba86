import type { ValueColumn } from "./profile.ts";

/** The sum of a column: a number where that is exact, else a bigint that wraps at 64 bits as in Go. */
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
