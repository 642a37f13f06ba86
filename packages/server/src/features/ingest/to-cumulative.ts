import type { StackTable } from "@flamekeep/profile";
import type { Counters } from "./delta.ts";
import { toBigInts } from "./words.ts";

/** The stacks by ascending id with all their values, to be compared with an earlier or later profile. */
export function toCumulative(table: StackTable, stackIds: Uint32Array): { shown: Counters } {
  const ids = new BigUint64Array(stackIds.buffer, stackIds.byteOffset, table.length);
  const order = Uint32Array.from(ids, (_, i) => i).sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1));
  const columns = table.values.map(toBigInts);
  return {
    shown: {
      ids: BigUint64Array.from(order, (i) => ids[i]!),
      values: columns.map((column) => BigInt64Array.from(order, (i) => column[i]!)),
    },
  };
}
