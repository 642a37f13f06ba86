import { totalOf } from "@flamekeep/profile";
import { type Counters, deltaOf } from "./delta.ts";
import { completeRow } from "./encode-row.ts";
import type { Cumulative } from "./encoded.ts";

/**
 * The row of `profiles` for a snapshot of counters: counters add what they grew by since `earlier` (nothing for
 * the first of a series, all of it after a restart), gauges stay. Stacks that add nothing are left out.
 */
export function cumulativeRow(snapshot: Cumulative, earlier: Counters | undefined): Buffer {
  const { shown, facts } = snapshot;
  const added = addedBy(snapshot, earlier);
  const kept = Array.from(shown.ids.keys()).filter((i) => added.some((column) => column[i] !== 0n));
  const values = added.map((column) => BigInt64Array.from(kept, (i) => column[i]!));
  return completeRow(facts, {
    stackIds: BigUint64Array.from(kept, (i) => shown.ids[i]!),
    totals: added.map((column) => BigInt(totalOf(column))),
    values,
  });
}

function addedBy({ shown, isCounter }: Cumulative, earlier: Counters | undefined): BigInt64Array[] {
  const counters = (all: Counters): Counters => ({
    ids: all.ids,
    values: all.values.filter((_, type) => isCounter[type]),
  });
  const grown = earlier === undefined ? undefined : deltaOf(counters(earlier), counters(shown)).values;
  let next = 0;
  return shown.values.map((column, type) => {
    if (!isCounter[type]) return column;
    return grown?.[next++] ?? new BigInt64Array(column.length);
  });
}
