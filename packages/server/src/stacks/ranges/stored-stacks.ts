import type { StackTable, ValueType } from "@flamekeep/profile";
import type { DefinitionBytes } from "#store/column/awaited-rows.ts";
import { DefinitionCache, type Definitions } from "./definitions.ts";
import { Int64Column } from "./int64-column.ts";

/** Values of stored stacks: `values[i]` belongs to the stack with id `ids[i]`. */
export interface StackColumn {
  readonly sampleType: ValueType;
  readonly ids: BigUint64Array;
  readonly values: BigInt64Array;
  /** The values are divided by this: for gauges the number of profiles, to give their mean. */
  readonly divisor: number;
}

/** The input of a task over stored stacks. */
export interface StoredStacks {
  readonly orgId: string;
  readonly columns: readonly StackColumn[];
  /** Definitions that were missing in an earlier try. */
  readonly definitions: DefinitionBytes | undefined;
  /** Stacks that all stored definitions were searched for: those without one are named `unknown`. */
  readonly searched: BigUint64Array;
}

/** Either the value, or the ids of the stacks whose definitions are missing. */
export type Resolved<T> =
  | { readonly missing: undefined; readonly value: T }
  | { readonly missing: BigUint64Array };

const cache = new DefinitionCache();

/** The stacks with these ids, with one column of values for each given column, in the same order. */
export function tableOf(stored: StoredStacks): Resolved<StackTable> {
  const resolved = tableWithRows(stored);
  return resolved.missing === undefined ? { missing: undefined, value: resolved.value.table } : resolved;
}

interface TableWithRows {
  readonly table: StackTable;
  /** For each given column, the stack of each of its values. */
  readonly rows: readonly Uint32Array[];
}

/** As `tableOf`, for a task that tells the values of a stack apart. */
export function tableWithRows(stored: StoredStacks): Resolved<TableWithRows> {
  const definitions = cache.of(stored.orgId, stored.definitions === undefined);
  if (stored.definitions !== undefined) definitions.add(stored.definitions);
  const rows = rowsOf(stored.columns, definitions);
  const missing = unsearched(rows.missing, stored.searched);
  if (missing.length > 0) return { missing };
  const length = rows.stacks.length;
  const values = stored.columns.map(({ values: column, divisor }, index) => {
    const sums = new Float64Array(length);
    const rowOf = rows.ofColumn[index]!;
    const numbers = new Int64Column(column);
    for (let i = 0; i < column.length; i++) sums[rowOf[i]!]! += numbers.numberAt(i) / divisor;
    return sums;
  });
  const sampleTypes = stored.columns.map(({ sampleType }) => sampleType);
  const table = { sampleTypes, length, values, ...expand(rows.stacks, definitions) };
  return { missing: undefined, value: { table, rows: rows.ofColumn } };
}

/** Each id once. */
function unsearched(missing: readonly bigint[], searched: BigUint64Array): BigUint64Array {
  const ids = new Set(missing);
  for (const id of searched) ids.delete(id);
  return BigUint64Array.from(ids);
}

/** The number of a stack whose definition is no longer stored. */
const unknownStack = -1;

interface Rows {
  /** Number of the definition of each row. */
  readonly stacks: number[];
  /** For each column, the row of each of its values. */
  readonly ofColumn: readonly Uint32Array[];
  readonly missing: bigint[];
}

function rowsOf(columns: readonly StackColumn[], definitions: Definitions): Rows {
  /** The row of each stack, at its number plus one: 0 is for unknown stacks. */
  const rowOf = new Int32Array(definitions.stackIds.length + 1).fill(-1);
  const stacks: number[] = [];
  const missing: bigint[] = [];
  const rowsOfIds = new Map<BigUint64Array, Uint32Array>();
  const ofColumn = columns.map(({ ids }) => {
    const same = rowsOfIds.get(ids);
    if (same !== undefined) return same;
    const halves = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
    const rows = new Uint32Array(ids.length);
    for (let i = 0; i < ids.length; i++) {
      const stack = definitions.stackIds.find(halves[2 * i]!, halves[2 * i + 1]!);
      if (stack === unknownStack) missing.push(ids[i]!);
      if (rowOf[stack + 1] === -1) rowOf[stack + 1] = stacks.push(stack) - 1;
      rows[i] = rowOf[stack + 1]!;
    }
    rowsOfIds.set(ids, rows);
    return rows;
  });
  return { stacks, ofColumn, missing };
}

/** Only the frames in use, renumbered: the cache has the frames of every service of the organization. */
function expand(
  stacks: readonly number[],
  definitions: Definitions,
): Pick<StackTable, "start" | "frame" | "frames"> {
  const { members, starts } = definitions;
  const start = new Uint32Array(stacks.length + 1);
  stacks.forEach((stack, row) => {
    start[row + 1] = start[row]! + (stack === unknownStack ? 1 : starts[stack + 1]! - starts[stack]!);
  });
  const frame = new Uint32Array(start[stacks.length]!);
  const renumbered = new Int32Array(definitions.functionName.length).fill(-1);
  const used: number[] = [];
  stacks.forEach((stack, row) => {
    let at = start[row]!;
    if (stack === unknownStack) frame[at] = used.push(unknownStack) - 1;
    else {
      for (let i = starts[stack]!; i < starts[stack + 1]!; i++) {
        const frameIndex = members[i]!;
        if (renumbered[frameIndex] === -1) renumbered[frameIndex] = used.push(frameIndex) - 1;
        frame[at++] = renumbered[frameIndex]!;
      }
    }
  });
  return {
    start,
    frame,
    frames: {
      length: used.length,
      functionName: used.map((frameIndex) => definitions.functionName[frameIndex] ?? "unknown"),
      storedName: used.map((frameIndex) => definitions.storedName[frameIndex] ?? "unknown"),
      file: used.map((frameIndex) => definitions.file[frameIndex] ?? ""),
      line: Int32Array.from(used, (frameIndex) => definitions.line[frameIndex] ?? 0),
      startLine: Int32Array.from(used, (frameIndex) => definitions.startLine[frameIndex] ?? 0),
    },
  };
}
