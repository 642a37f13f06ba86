import { totalOf } from "@flamekeep/profile";
import { type Counters, deltaOf } from "./delta.ts";
import type { Cumulative } from "./encoded.ts";
import { profileTail } from "./profile-line.ts";

/**
 * The line of `profiles` for a snapshot of counters: counters add what they grew by since `earlier` (nothing for
 * the first of a series, all of it after a restart), gauges stay. Stacks that add nothing are left out.
 */
export function cumulativeLine(snapshot: Cumulative, earlier: Counters | undefined): Buffer {
  const { shown, head } = snapshot;
  const added = addedBy(snapshot, earlier);
  const kept = Array.from(shown.ids.keys()).filter((i) => added.some((column) => column[i] !== 0n));
  const values = added.map((column) => BigInt64Array.from(kept, (i) => column[i]!));
  const ids = BigUint64Array.from(kept, (i) => shown.ids[i]!);
  return Buffer.concat([
    head,
    Buffer.from(
      profileTail(
        ids,
        added.map((column) => BigInt(totalOf(column))),
        values,
      ),
    ),
  ]);
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
