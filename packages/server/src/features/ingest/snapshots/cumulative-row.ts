import { totalOf } from "@flamekeep/profile";
import type { Cumulative } from "#ingest/encode/encoded.ts";
import { encodeRow } from "#ingest/rows/profile-columns.ts";
import { wordsAt } from "#ingest/rows/words.ts";

/**
 * The row of `profiles` for a snapshot of counters: counters add `added`, gauges stay as they are. Stacks that add nothing are
 * left out.
 *
 * @param added by counter, parallel to the stacks of the snapshot
 * @param process names the process for `latestOfProcesses`
 */
export function cumulativeRow(
  { stackValues, facts, series }: Cumulative,
  added: readonly BigInt64Array[],
  process: string,
): Buffer {
  let next = 0;
  const columns = stackValues.values.map((column, type) =>
    series.isCounter[type] ? added[next++]! : column,
  );
  const kept = placesThatAdd(columns, stackValues.ids.length);
  const { buffer, byteOffset, length } = stackValues.ids;
  return encodeRow(
    { ...facts, extraFacts: new Map([...facts.extraFacts, ["process", process]]) },
    {
      stackIds: wordsAt(new BigInt64Array(buffer, byteOffset, length), kept),
      totals: columns.map((column) => BigInt(totalOf(column))),
      values: columns.map((column) => new BigInt64Array(wordsAt(column, kept).buffer)),
      labels: undefined,
    },
  );
}

/** Where a column is not 0. Reads halves of 32 bits: reading a BigInt allocates memory, and a profile may have a million stacks. */
function placesThatAdd(columns: readonly BigInt64Array[], length: number): Uint32Array {
  const halves = columns.map((column) => new Uint32Array(column.buffer, column.byteOffset, 2 * length));
  const places = new Uint32Array(length);
  let count = 0;
  for (let place = 0; place < length; place++) {
    for (const words of halves) {
      if (words[2 * place] === 0 && words[2 * place + 1] === 0) continue;
      places[count++] = place;
      break;
    }
  }
  return places.subarray(0, count);
}
