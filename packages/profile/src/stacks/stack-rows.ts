import type { ValueColumn } from "#model/profile.ts";
import type { StackTable } from "#model/stack-table.ts";

/** The rows with a value, or all of them. */
export function keptRows(columns: readonly ValueColumn[], length: number, keepsAll = false): Uint32Array {
  const kept = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++)
    if (keepsAll || columns.some((column) => Number(column[row]) !== 0)) kept[count++] = row;
  return kept.subarray(0, count);
}

export function picked<T extends ValueColumn | Uint32Array>(column: T, rows: Uint32Array): T {
  const copy = column.slice(0, rows.length) as T;
  for (let at = 0; at < rows.length; at++) copy[at] = column[rows[at]];
  return copy;
}

/** The lists of some rows: their starts, and their elements. */
export function lists(
  start: Uint32Array,
  elements: Uint32Array,
  rows: Uint32Array,
): [Uint32Array, Uint32Array] {
  const starts = new Uint32Array(rows.length + 1);
  for (let at = 0; at < rows.length; at++)
    starts[at + 1] = starts[at] + start[rows[at] + 1] - start[rows[at]];
  const copy = new Uint32Array(starts[rows.length]);
  for (let at = 0; at < rows.length; at++)
    copy.set(elements.subarray(start[rows[at]], start[rows[at] + 1]), starts[at]);
  return [starts, copy];
}

/** Some stacks of a table, without their values. */
export function rowsOf(stacks: StackTable, kept: Uint32Array): Omit<StackTable, "sampleTypes" | "values"> {
  const [start, frame] = lists(stacks.start, stacks.frame, kept);
  const { frames, ids } = stacks;
  const rest = { frames, length: kept.length, start, frame };
  if (ids === undefined) return rest;
  const ofKept = new Uint32Array(2 * kept.length);
  for (let at = 0; at < kept.length; at++) {
    ofKept[2 * at] = ids[2 * kept[at]];
    ofKept[2 * at + 1] = ids[2 * kept[at] + 1];
  }
  return { ...rest, ids: ofKept };
}
