import { type FrameTable, packageOf, truncatedName, withoutShapes } from "@flamekeep/profile";
import { type FunctionTable, rootName } from "./call-tree.ts";

/** Distinct function names of a frame table, with one name for all copies of a generic function, and the name of each frame. Ids 0 and 1 are reserved for the root and `[truncated]`. */
export interface FunctionIndex {
  readonly count: number;
  readonly ofFrame: Uint32Array;
  readonly name: readonly string[];
  readonly file: readonly string[];
  readonly startLine: readonly number[];
}

/** The frame over stacks whose outermost frames are missing. */
export const truncatedFunction = 1;

export function indexFunctions(frames: FrameTable): FunctionIndex {
  const ids = new Map<string, number>();
  const ofFrame = new Uint32Array(frames.length);
  const name = [rootName, truncatedName];
  const file = ["", ""];
  const startLine = [0, 0];
  for (let frame = 0; frame < frames.length; frame++) {
    const functionName = withoutShapes(frames.functionName[frame]);
    let id = ids.get(functionName);
    if (id === undefined) {
      id = name.length;
      ids.set(functionName, id);
      name.push(functionName);
      file.push(frames.file[frame]);
      startLine.push(frames.startLine[frame]);
    } else if (file[id] === "" && frames.file[frame] !== "") {
      file[id] = frames.file[frame];
      startLine[id] = frames.startLine[frame];
    }
    ofFrame[frame] = id;
  }
  return { count: name.length, ofFrame, name, file, startLine };
}

/** The functions a new tree uses. Rewrites the columns to their ids. */
export function usedFunctions(index: FunctionIndex, ...columns: Uint32Array[]): FunctionTable {
  const used = renumber(index.count, ...columns);
  return {
    length: used.length,
    name: used.map((id) => index.name[id]),
    packageName: used.map((id) => (id <= truncatedFunction ? "" : packageOf(index.name[id]))),
    file: used.map((id) => index.file[id]),
    startLine: Int32Array.from(used, (id) => index.startLine[id]),
  };
}

/** The functions that are left in a smaller tree. Rewrites the columns to their new ids. */
export function remainingFunctions(functions: FunctionTable, ...columns: Uint32Array[]): FunctionTable {
  const used = renumber(functions.length, ...columns);
  return {
    length: used.length,
    name: used.map((id) => functions.name[id]),
    packageName: used.map((id) => functions.packageName[id]),
    file: used.map((id) => functions.file[id]),
    startLine: Int32Array.from(used, (id) => functions.startLine[id]),
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
