import { totalOf } from "@flamekeep/profile";
import { encodeRow } from "./encode-row.ts";
import type { Cumulative } from "./encoded.ts";

/**
 * The row of `profiles` for a snapshot of counters: counters add `added`, gauges stay as they are. Stacks that add nothing are
 * left out.
 *
 * @param added by counter, parallel to the stacks of the snapshot
 * @param process names the process for `latestOfProcesses`
 */
export function cumulativeRow(
  { shown, facts, series }: Cumulative,
  added: readonly BigInt64Array[],
  process: string,
): Buffer {
  let next = 0;
  const columns = shown.values.map((column, type) => (series.isCounter[type] ? added[next++]! : column));
  const kept = Array.from(shown.ids.keys()).filter((i) => columns.some((column) => column[i] !== 0n));
  return encodeRow(
    { ...facts, facts: new Map([...facts.facts, ["process", process]]) },
    {
      stackIds: BigUint64Array.from(kept, (i) => shown.ids[i]!),
      totals: columns.map((column) => BigInt(totalOf(column))),
      values: columns.map((column) => BigInt64Array.from(kept, (i) => column[i]!)),
    },
  );
}
