import {
  type FrameTable,
  frameFunctions,
  packagesOfFunctions,
  type StackTable,
  truncatedName,
} from "@flamekeep/profile";
import { type FunctionTable, rootName, type StoredFrames } from "./call-tree.ts";

/** Distinct functions of a frame table, and the function of each frame. Ids 0 and 1 are reserved for the root and `[truncated]`. */
export interface FunctionIndex {
  readonly count: number;
  readonly ofFrame: Uint32Array;
  readonly name: readonly string[];
  readonly file: readonly string[];
  readonly startLine: readonly number[];
  readonly storedNames: readonly ReadonlySet<string>[];
  /** As in `FunctionTable`. */
  readonly frames?: StoredFrames;
}

/** The frame over stacks whose outermost frames are missing. */
export const truncatedFunction = 1;

export function indexFunctions(frames: FrameTable): FunctionIndex {
  const { ofFrame, name, file, startLine, storedNames, length } = frameFunctions(frames);
  return {
    count: length + 2,
    ofFrame: ofFrame.map((id) => id + 2),
    name: [rootName, truncatedName, ...name],
    file: ["", "", ...file],
    startLine: [0, 0, ...startLine],
    storedNames: [new Set(), new Set(), ...storedNames],
  };
}

/** The index with a row for each frame of `ungrouped`, named as its function; the same index without these. */
export function byFrame(index: FunctionIndex, { ungrouped: frames }: FrameTable): FunctionIndex {
  if (frames === undefined) return index;
  const { functionName, storedName = functionName, file, line, startLine } = frames;
  const ids = new Map<string, number>();
  /** The function and the first frame of each row. */
  const rows: (readonly [fn: number, frame: number])[] = [];
  const ofFrame = index.ofFrame.map((fn, frame) => {
    const names = [functionName[frame], storedName[frame], file[frame]];
    const key = JSON.stringify([fn, ...names, line[frame], startLine[frame]]);
    const id = ids.get(key) ?? rows.push([fn, frame]) + truncatedFunction;
    ids.set(key, id);
    return id;
  });
  const own = [0, truncatedFunction];
  const ofRow = <T>(column: readonly T[]) => [...own, ...rows.map(([fn]) => fn)].map((fn) => column[fn]);
  const frameOf = <T>(column: ArrayLike<T>, fixed: readonly T[]) => [
    ...fixed,
    ...rows.map(([, frame]) => column[frame]),
  ];
  const fixedNames = [rootName, truncatedName];
  return {
    count: rows.length + own.length,
    ofFrame,
    name: ofRow(index.name),
    file: ofRow(index.file),
    startLine: ofRow(index.startLine),
    storedNames: ofRow(index.storedNames),
    frames: {
      name: frameOf(functionName, fixedNames),
      storedName: frameOf(storedName, fixedNames),
      file: frameOf(file, ["", ""]),
      startLine: Int32Array.from(frameOf(startLine, [0, 0])),
    },
  };
}

/** The functions a new tree uses. Rewrites the columns to their ids. */
export function usedFunctions(index: FunctionIndex, ...columns: Uint32Array[]): FunctionTable {
  const used = renumber(index.count, ...columns);
  const name = used.map((id) => index.name[id]);
  const file = used.map((id) => index.file[id]);
  const storedNames = used.map((id) => [...index.storedNames[id]]);
  return {
    length: used.length,
    name,
    packageName: packagesOfFunctions(name, file),
    file,
    startLine: Int32Array.from(used, (id) => index.startLine[id]),
    ...(storedNames.some((names) => names.length > 0) && { storedNames }),
    ...(index.frames && { frames: framesAt(index.frames, used) }),
  };
}

/** The functions that are left in a smaller tree. Rewrites the columns to their new ids. */
export function remainingFunctions(functions: FunctionTable, ...columns: Uint32Array[]): FunctionTable {
  return rowsOf(functions, renumber(functions.length, ...columns));
}

function rowsOf(functions: FunctionTable, rows: readonly number[]): FunctionTable {
  return {
    length: rows.length,
    name: rows.map((id) => functions.name[id]),
    packageName: rows.map((id) => functions.packageName[id]),
    file: rows.map((id) => functions.file[id]),
    startLine: Int32Array.from(rows, (id) => functions.startLine[id]),
    ...(functions.storedNames && { storedNames: rows.map((id) => functions.storedNames![id]) }),
    ...(functions.frames && { frames: framesAt(functions.frames, rows) }),
  };
}

function framesAt(
  { name, storedName, file, startLine }: StoredFrames,
  rows: readonly number[],
): StoredFrames {
  return {
    name: rows.map((id) => name[id]),
    storedName: rows.map((id) => storedName[id]),
    file: rows.map((id) => file[id]),
    startLine: Int32Array.from(rows, (id) => startLine[id]),
  };
}

/** New ids in order of first use, which keeps the frequent ones small on the wire. Returns the old id of each. */
function renumber(count: number, ...columns: Uint32Array[]): number[] {
  const renamed = new Int32Array(count).fill(-1);
  const used: number[] = [];
  for (const column of columns) {
    for (let row = 0; row < column.length; row++) {
      const id = column[row];
      if (renamed[id] === -1) {
        renamed[id] = used.length;
        used.push(id);
      }
      column[row] = renamed[id];
    }
  }
  return used;
}

/** The stacks with a function for each of its lines, named `pkg.Func:12`: calls from different lines become different frames. */
export function byLine(stacks: StackTable): StackTable {
  const { frames } = stacks;
  const withLine = (name: string, frame: number) =>
    frames.line[frame] > 0 ? `${name}:${frames.line[frame]}` : name;
  const functionName = frames.functionName.map(withLine);
  const storedName = frames.storedName?.map(withLine);
  // The content ids belong to the original frames, so they are dropped.
  const { ids: _, ...columns } = frames;
  const { ids: __, ...table } = stacks;
  return { ...table, frames: { ...columns, functionName, ...(storedName && { storedName }) } };
}

/** The stacks with a function for each copy of a generic Go function, under its whole name: `slices.Max[go.shape.int]`. */
export function byInstantiation(stacks: StackTable): StackTable {
  return { ...stacks, frames: { ...stacks.frames, hasInstantiations: true } };
}

/** The stacks of a graph with the frames that they are stored with, which have no other name, file or line: what a profile of them needs. */
export function byStoredFrame(grouped: StackTable, stacks: StackTable): StackTable {
  return { ...grouped, frames: { ...grouped.frames, ungrouped: stacks.frames } };
}
