import { Interner } from "#memory/interner.ts";
import type { ValueColumn } from "#model/profile.ts";
import type { FrameTable, StackTable, ValueType } from "#model/stack-table.ts";
import { hashStacks } from "./hash-stacks.ts";
import { keptRows, picked, rowsOf } from "./stack-rows.ts";

/**
 * The sum of tables over equal stacks. Sample types are matched by type and unit (and, of repeated ones, by
 * their order); where a table lacks one it counts as 0.
 */
export function mergeStacks(tables: readonly StackTable[]): StackTable {
  return combine(
    tables,
    tables.map(() => 1),
  );
}

/** `table` minus `base`, for every sample type. Stacks that do not differ are left out. */
export function diffStacks(base: StackTable, table: StackTable): StackTable {
  return withoutZeros(combine([base, table], [-1, 1]));
}

function combine(tables: readonly StackTable[], signs: readonly number[]): StackTable {
  const frames = combineFrames(tables);
  const stacks = combineStackLists(tables, frames.frameOf);
  const types = combineTypes(tables);
  const values = types.sampleTypes.map((_, type) => {
    const parts = tables.map((table, i) => ({
      column: table.values[types.columnOf[i][type]],
      stackOf: stacks.stackOf[i],
      sign: signs[i],
    }));
    return sumParts(parts, stacks.length);
  });
  const { length, start, frame, ids } = stacks;
  return { sampleTypes: types.sampleTypes, frames: frames.table, length, start, frame, values, ids };
}

/** The distinct frames of all tables, and for each table where its frames are among them. */
function combineFrames(tables: readonly StackTable[]): { table: FrameTable; frameOf: Uint32Array[] } {
  const total = tables.reduce((sum, table) => sum + table.frames.length, 0);
  const ids = new Uint32Array((total + 1) * 2);
  const interner = new Interner(total, ids, (frame) => frame * 2);
  const functionName: string[] = [];
  const hasStoredNames = tables.some(({ frames }) => frames.storedName !== undefined);
  const storedName: string[] = [];
  const file: string[] = [];
  const line = new Int32Array(total);
  const startLine = new Int32Array(total);
  const frameOf = tables.map((table) => {
    const { frames } = table;
    const frameIds = hashStacks(table).frameIds;
    const map = new Uint32Array(frames.length);
    for (let i = 0; i < frames.length; i++) {
      const next = interner.length;
      ids[2 * next] = frameIds[2 * i];
      ids[2 * next + 1] = frameIds[2 * i + 1];
      const frame = interner.intern(frameIds[2 * i], 2 * next, 2 * next + 2);
      map[i] = frame;
      if (frame === next) {
        functionName.push(frames.functionName[i]);
        if (hasStoredNames) storedName.push((frames.storedName ?? frames.functionName)[i]);
        file.push(frames.file[i]);
        line[frame] = frames.line[i];
        startLine[frame] = frames.startLine[i];
      }
    }
    return map;
  });
  const length = interner.length;
  const table = {
    length,
    functionName,
    ...(hasStoredNames && { storedName }),
    file,
    line: line.slice(0, length),
    startLine: startLine.slice(0, length),
    ids: ids.slice(0, length * 2),
  };
  return { table, frameOf };
}

interface StackLists extends Pick<StackTable, "length" | "start" | "frame"> {
  readonly ids: Uint32Array<ArrayBuffer>;
  /** For each table, where its stacks are among all. */
  readonly stackOf: readonly Uint32Array[];
}

function combineStackLists(tables: readonly StackTable[], frameOf: readonly Uint32Array[]): StackLists {
  const total = tables.reduce((sum, table) => sum + table.length, 0);
  const words = new Uint32Array(tables.reduce((sum, table) => sum + table.frame.length, 0));
  const start = new Uint32Array(total + 2);
  const ids = new Uint32Array((total + 1) * 2);
  const interner = new Interner(total, words, (stack) => start[stack]);
  let filled = 0;
  const stackOf = tables.map((table, i) => {
    const stackIds = hashStacks(table).stackIds;
    const map = new Uint32Array(table.length);
    for (let stack = 0; stack < table.length; stack++) {
      let end = filled;
      for (let j = table.start[stack]; j < table.start[stack + 1]; j++) {
        words[end++] = frameOf[i][table.frame[j]];
      }
      const next = interner.length;
      const found = interner.intern(stackIds[2 * stack], filled, end);
      map[stack] = found;
      if (found !== next) continue;
      ids[2 * next] = stackIds[2 * stack];
      ids[2 * next + 1] = stackIds[2 * stack + 1];
      filled = end;
      start[next + 1] = filled;
    }
    return map;
  });
  const length = interner.length;
  return {
    length,
    start: start.slice(0, length + 1),
    frame: words.slice(0, filled),
    ids: ids.slice(0, length * 2),
    stackOf,
  };
}

/** The union of the sample types, and for each table the column of each sample type, -1 if it has none. */
function combineTypes(tables: readonly StackTable[]): { sampleTypes: ValueType[]; columnOf: number[][] } {
  const sampleTypes: ValueType[] = [];
  const indexes = new Map<string, number>();
  const keysOf = tables.map((table) => {
    const seen = new Map<string, number>();
    return table.sampleTypes.map((type) => {
      const name = JSON.stringify([type.type, type.unit]);
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      const key = `${nth} ${name}`;
      if (!indexes.has(key)) indexes.set(key, sampleTypes.push(type) - 1);
      return key;
    });
  });
  const columnOf = keysOf.map((keys) => [...indexes.keys()].map((key) => keys.indexOf(key)));
  return { sampleTypes, columnOf };
}

interface Part {
  readonly column: ValueColumn | undefined;
  readonly stackOf: Uint32Array;
  readonly sign: number;
}

/** Exact: 64-bit integers as soon as the absolute values together are beyond 2^53. */
function sumParts(parts: readonly Part[], stacks: number): ValueColumn {
  if (parts.some(({ column }) => column instanceof BigInt64Array) || magnitude(parts) > 2 ** 53 - 1) {
    const sums = new BigInt64Array(stacks);
    for (const { column, stackOf, sign } of parts) {
      for (let i = 0; i < (column?.length ?? 0); i++) sums[stackOf[i]] += BigInt(column![i]) * BigInt(sign);
    }
    return sums;
  }
  const sums = new Float64Array(stacks);
  for (const { column, stackOf, sign } of parts) {
    if (!(column instanceof Float64Array)) continue;
    for (let i = 0; i < column.length; i++) sums[stackOf[i]] += column[i] * sign;
  }
  return sums;
}

function magnitude(parts: readonly Part[]): number {
  let sum = 0;
  for (const { column } of parts) {
    if (!(column instanceof Float64Array)) continue;
    for (let i = 0; i < column.length; i++) sum += Math.abs(column[i]);
  }
  return sum;
}

function withoutZeros(table: StackTable): StackTable {
  const kept = keptRows(table.values, table.length);
  if (kept.length === table.length) return table;
  return { ...table, ...rowsOf(table, kept), values: table.values.map((column) => picked(column, kept)) };
}

/**
 * Collapsed stacks: one line `root;...;leaf value` for each list of function names, in the order of the stacks.
 * Names that would break the format have `;` written as `:` and line breaks as spaces.
 */
export function foldStacks(table: StackTable, sampleType: number): string {
  const column = table.values[sampleType];
  if (column === undefined) return "";
  const names = table.frames.functionName.map((name) => name.replaceAll(";", ":").replaceAll(/[\r\n]/g, " "));
  const sums = new Map<string, number | bigint>();
  for (let i = 0; i < table.length; i++) {
    const path: string[] = [];
    for (let j = table.start[i + 1] - 1; j >= table.start[i]; j--) path.push(names[table.frame[j]]);
    const key = path.join(";");
    const value = column[i];
    const sum = sums.get(key) ?? (typeof value === "bigint" ? 0n : 0);
    sums.set(key, add(sum, value));
  }
  let text = "";
  for (const [path, value] of sums) if (value !== 0 && value !== 0n) text += `${path} ${value}\n`;
  return text;
}

function add(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === "bigint" || typeof b === "bigint" ? BigInt(a) + BigInt(b) : a + b;
}
