import type { StackTable } from "@flamekeep/profile";
import { wordsAt } from "#ingest/rows/words.ts";
import { ascending } from "./ascending.ts";
import type { Counters } from "./counters.ts";

/** The stacks by ascending id with all their values, to be compared with an earlier or later profile. */
export function toCumulative(table: StackTable, stackIds: Uint32Array): { stackValues: Counters } {
  const order = ascending(stackIds, table.length);
  const ids = new BigUint64Array(table.length);
  const halves = new Uint32Array(ids.buffer);
  for (let i = 0; i < order.length; i++) {
    halves[2 * i] = stackIds[2 * order[i]!]!;
    halves[2 * i + 1] = stackIds[2 * order[i]! + 1]!;
  }
  const values = table.values.map((column) => new BigInt64Array(wordsAt(column, order).buffer));
  return { stackValues: { ids, values } };
}
